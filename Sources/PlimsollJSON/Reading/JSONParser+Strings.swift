extension JSONParser {
    /// A string between its quotes; nearly all have no escape and are copied whole.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let string = try text(bytes.extracting(start..<index), at: start)
                index += 1
                return string
            }
            if byte == UInt8(ascii: "\\") { return try escapedString(bytes, from: start) }
            guard byte >= 0x20 else { throw JSONError(.controlCharacter(byte), at: index) }
            index += 1
        }
        throw JSONError(.unexpectedEnd, at: index)
    }

    private func text(_ bytes: Span<UInt8>, at offset: Int) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: bytes))
        } catch {
            throw JSONError(.notUTF8, at: offset + error.byteOffsets.lowerBound)
        }
    }

    /// Goes on at the first backslash, collecting what the string decodes to.
    private mutating func escapedString(
        _ bytes: Span<UInt8>,
        from start: Int
    ) throws(JSONError) -> String {
        var decoded: [UInt8] = []
        for offset in start..<index { decoded.append(bytes[offset]) }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                index += 1
                // Escapes decode to whole scalars, so a fault lies in the bytes between them.
                return try text(decoded.span, at: start)
            }
            guard byte >= 0x20 else { throw JSONError(.controlCharacter(byte), at: index) }
            if byte == UInt8(ascii: "\\") {
                try escape(bytes, into: &decoded)
            } else {
                decoded.append(byte)
                index += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: index)
    }

    private mutating func escape(
        _ bytes: Span<UInt8>,
        into decoded: inout [UInt8]
    ) throws(JSONError) {
        let start = index
        guard index + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(letter)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            decoded.append(contentsOf: String(try scalar(bytes, from: start)).utf8)
        default: throw JSONError(.badEscape, at: start)
        }
    }

    /// One scalar from one `\uXXXX` or from a pair of them.
    private mutating func scalar(
        _ bytes: Span<UInt8>,
        from start: Int
    ) throws(JSONError) -> Unicode.Scalar {
        let unit = try codeUnit(bytes)
        if unit == 0 { throw JSONError(.nullCharacter, at: start) }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard
            unit < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
            bytes[index + 1] == UInt8(ascii: "u")
        else { throw JSONError(.unpairedSurrogate, at: start) }
        index += 2
        let low = try codeUnit(bytes)
        // Ten bits come from each half, and both fit, so every pair is a scalar.
        guard
            (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + UInt32(unit & 0x3FF) << 10 + UInt32(low & 0x3FF))
        else { throw JSONError(.unpairedSurrogate, at: start) }
        return scalar
    }

    private mutating func codeUnit(_ bytes: Span<UInt8>) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
            guard let digit = hexDigit(bytes[index]) else {
                throw JSONError(.badEscape, at: index)
            }
            unit = unit << 4 | digit
            index += 1
        }
        return unit
    }

    private func hexDigit(_ byte: UInt8) -> UInt16? {
        switch byte {
        case 0x30...0x39: UInt16(byte - 0x30)
        case 0x41...0x46: UInt16(byte - 0x41 + 10)
        case 0x61...0x66: UInt16(byte - 0x61 + 10)
        default: nil
        }
    }
}
