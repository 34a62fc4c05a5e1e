/// Why some bytes are not a document this service reads, and where.
package struct JSONError: Error, Equatable, Sendable {
    /// What was found wrong.
    package enum Fault: Equatable, Sendable {
        case empty
        case tooLarge(maximum: Int)
        case tooDeep(maximum: Int)
        case byteOrderMark
        case notUTF8
        case unexpectedEnd
        case unexpectedByte(UInt8, needed: String)
        case trailingBytes
        case duplicate(key: String)
        case controlCharacter(UInt8)
        case nullCharacter
        case unpairedSurrogate
        case badEscape
        case leadingZero
        case negativeZero
        case notWhole
        case numberTooLarge
        case notCanonical
    }

    package let fault: Fault

    /// How many bytes stand before the place.
    package let offset: Int

    package private(set) var pointer: JSONPointer

    init(_ fault: Fault, at offset: Int) {
        self.fault = fault
        self.offset = offset
        pointer = .root
    }

    func inside(_ key: String) -> JSONError {
        var error = self
        error.pointer = pointer.inside(key)
        return error
    }

    func inside(_ index: Int) -> JSONError {
        var error = self
        error.pointer = pointer.inside(index)
        return error
    }
}

extension JSONError: CustomStringConvertible {
    /// What was found, where, and what is needed.
    package var description: String {
        let place = pointer == .root ? "" : " in \(pointer)"
        return "\(sentence) (Byte \(offset)\(place).)"
    }

    private var sentence: String {
        switch fault {
        case .empty: "There is nothing; a JSON value is needed."
        case .tooLarge(let maximum): "The document is too large; at most \(maximum) bytes are read."
        case .tooDeep(let maximum):
            "The document is nested too deeply; at most \(maximum) levels are read."
        case .byteOrderMark: "The document begins with a byte order mark; leave it out."
        case .notUTF8: "The bytes are not UTF-8; JSON in UTF-8 is needed."
        case .unexpectedEnd: "The document ends too early."
        case .unexpectedByte(let byte, let needed): "Found \(shown(byte)); \(needed) is needed."
        case .trailingBytes: "Something follows the document; it has to end with its value."
        case .duplicate(let key):
            "The member \(excerpt(key)) stands here for the second time; each may stand once."
        case .controlCharacter(let byte):
            "A string has the control character \(shown(byte)); it needs to be escaped."
        case .nullCharacter: "A string has the character U+0000, which is not accepted."
        case .unpairedSurrogate: "A string has half of a surrogate pair; it needs both halves."
        case .badEscape:
            "A string has an unknown escape; \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX are known."
        case .leadingZero: "A number begins with 0; leave the leading zeros out."
        case .negativeZero: "Found -0; 0 is needed."
        case .notWhole: "A whole number is needed, without fraction or exponent."
        case .numberTooLarge:
            "The number is too large; a whole number from \(Int64.min) to \(Int64.max) is needed."
        case .notCanonical:
            "The document is not canonical; members in order and no blanks are needed."
        }
    }

    private func shown(_ byte: UInt8) -> String {
        guard (0x20...0x7E).contains(byte) else {
            return "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "“\(Unicode.Scalar(byte))”"
    }

    private func excerpt(_ key: String) -> String {
        var text = String.UnicodeScalarView(key.unicodeScalars.prefix(40))
        if text.count < key.unicodeScalars.count { text.append("…") }
        return "“\(String(text))”"
    }
}

/// How much a document may ask of its reader.
package struct JSONLimits: Sendable {
    /// In bytes.
    package let sizeMaximum: Int

    /// How many arrays and objects may stand inside one another.
    package let depthMaximum: Int

    /// Deeper limits are not offered, because the parser recurses once for each level.
    package static let depthMaximumAllowed = 128

    package init(sizeMaximum: Int = 256 * 1024, depthMaximum: Int = 32) {
        precondition(
            (1...JSONLimits.depthMaximumAllowed).contains(depthMaximum),
            "the parser's stack must not depend on what somebody sends"
        )
        self.sizeMaximum = sizeMaximum
        self.depthMaximum = depthMaximum
    }

    package static let `default` = JSONLimits()
}

extension JSONValue {
    /// Reads one value, strictly.
    ///
    /// Refused are duplicate members, numbers that are not whole, a byte order mark, anything but
    /// UTF-8, U+0000, unpaired surrogates, bytes behind the value, and what exceeds the limits.
    package init(
        parsing bytes: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        self = try JSONValue(parsing: bytes.span, limits: limits)
    }

    /// Reads one value without copying the bytes first.
    package init(
        parsing bytes: Span<UInt8>,
        limits: JSONLimits = .default
    ) throws(JSONError) {
        guard bytes.count <= limits.sizeMaximum else {
            throw JSONError(.tooLarge(maximum: limits.sizeMaximum), at: limits.sizeMaximum)
        }
        var parser = JSONParser(limits: limits)
        self = try parser.document(bytes)
    }

    /// Reads one value and refuses it unless the bytes are exactly its canonical form.
    package init(
        parsingCanonical bytes: [UInt8],
        limits: JSONLimits = .default
    ) throws(JSONError) {
        self = try JSONValue(parsing: bytes.span, limits: limits)
        let canonical = canonicalBytes()
        guard canonical == bytes else {
            let offset = zip(canonical, bytes).prefix { $0 == $1 }.reduce(0) { sum, _ in sum + 1 }
            throw JSONError(.notCanonical, at: offset)
        }
    }
}
