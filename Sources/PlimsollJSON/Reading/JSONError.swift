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
