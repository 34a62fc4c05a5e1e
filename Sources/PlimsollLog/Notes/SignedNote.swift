/// A text and the lines of those who signed it, in the format of c2sp.org/signed-note.
///
/// That a note could be read says nothing about its signatures: ``verification(by:)`` does. Do not
/// look at the text before.
package struct SignedNote: Hashable, Sendable {
    /// What is signed: whole lines, without the blank line behind them.
    package let text: [UInt8]
    package let signatures: [NoteSignature]

    package static let byteCountMaximum = 1_000_000
    package static let signaturesMaximum = 100

    /// Puts signatures under a text of whole lines.
    package init(text: [UInt8], signatures: [NoteSignature]) throws(NoteError) {
        try Self.check(text)
        guard text.last == LineReader.newline else { throw .textNotEnded }
        guard !signatures.isEmpty else { throw .unsigned }
        guard signatures.count <= Self.signaturesMaximum else { throw .tooManySignatures }
        self.text = text
        self.signatures = signatures
    }

    /// Reads a note; the last blank line parts the text from the signatures.
    package init(parsing bytes: [UInt8]) throws(NoteError) {
        try Self.check(bytes)
        guard let text = Self.endOfText(bytes) else { throw .unsigned }
        try self.init(
            text: Array(bytes[..<text]),
            signatures: NoteSignature.parse(Array(bytes[(text + 1)...]))
        )
    }

    package var bytes: [UInt8] {
        text + [LineReader.newline] + signatures.flatMap(\.line)
    }

    /// The same note with more lines under it.
    package func adding(_ more: [NoteSignature]) throws(NoteError) -> SignedNote {
        try SignedNote(text: text, signatures: signatures + more)
    }

    private static func check(_ bytes: [UInt8]) throws(NoteError) {
        guard bytes.count <= byteCountMaximum else { throw .tooLong }
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
        guard bytes.allSatisfy({ $0 >= 0x20 || $0 == LineReader.newline }) else {
            throw .controlCharacter
        }
    }

    /// Behind the newline that ends the text.
    private static func endOfText(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 2 else { return nil }
        return (1..<bytes.count).last {
            bytes[$0] == LineReader.newline && bytes[$0 - 1] == LineReader.newline
        }
    }
}

/// One line under a note: who signed, with which key, and what came out.
package struct NoteSignature: Hashable, Sendable {
    package let name: KeyName
    package let keyID: NoteKeyID
    package let signature: [UInt8]

    init(name: KeyName, keyID: NoteKeyID, signature: [UInt8]) {
        self.name = name
        self.keyID = keyID
        self.signature = signature
    }

    /// Reads a line without its newline: an em dash, the name, and base64 of key id and signature.
    init?(line: some BidirectionalCollection<UInt8>) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard
            parts.count == 3, parts[0].elementsEqual(Self.dash),
            let text = String(validating: parts[1], as: UTF8.self), let name = KeyName(text),
            let bytes = Base64.decode(parts[2]), bytes.count > 4
        else { return nil }
        self.name = name
        keyID = NoteKeyID(bytes: bytes.prefix(4))
        signature = Array(bytes.dropFirst(4))
    }

    /// Reads lines that each end with a newline, such as a witness answers.
    package static func parse(_ bytes: [UInt8]) throws(NoteError) -> [NoteSignature] {
        guard bytes.count <= SignedNote.byteCountMaximum else { throw .tooLong }
        var reader = LineReader(bytes)
        var signatures: [NoteSignature] = []
        while let line = reader.next() {
            guard signatures.count < SignedNote.signaturesMaximum else { throw .tooManySignatures }
            guard let signature = NoteSignature(line: line) else {
                throw .malformedSignature(line: signatures.count + 1)
            }
            signatures.append(signature)
        }
        guard reader.rest.isEmpty else { throw .lineNotEnded }
        guard !signatures.isEmpty else { throw .unsigned }
        return signatures
    }

    /// The line with its newline.
    package var line: [UInt8] {
        let space = UInt8(ascii: " ")
        return Self.dash + [space] + name.bytes + [space]
            + Base64.encode(keyID.bytes + signature) + [LineReader.newline]
    }

    /// U+2014.
    private static let dash: [UInt8] = [0xE2, 0x80, 0x94]
}

/// What the signatures under a note are worth to somebody who trusts certain keys.
package enum NoteVerification: Equatable, Sendable {
    /// At least one, in the order of their lines.
    case verified([VerifiedSignature])
    case refused(NoteRefusal)
}

/// Why nobody should look at the text of a note.
package enum NoteRefusal: Error, Equatable, Sendable {
    /// A line claims to be by a key that is trusted, and is not.
    case wrongSignature(KeyName, NoteKeyID)
    case noKnownSignature
}

/// A line of a note that was checked: only verification makes one.
package struct VerifiedSignature: Hashable, Sendable {
    package let key: VerifierKey
    /// When the text was seen; only a cosignature says so.
    package let posixSeconds: Int?

    init(key: VerifierKey, posixSeconds: Int? = nil) {
        self.key = key
        self.posixSeconds = posixSeconds
    }
}

extension SignedNote {
    /// Checks each line that is by one of the keys; one that is wrong spoils the note.
    ///
    /// Lines by others are left aside, even where their name *or* their id is that of a known key.
    package func verification(by keys: [VerifierKey]) -> NoteVerification {
        var verified: [VerifiedSignature] = []
        for line in signatures {
            let claimed = keys.filter { $0.made(line) }
            if claimed.isEmpty { continue }
            let found = claimed.lazy.compactMap { $0.verify(line.signature, over: text) }.first
            guard let found else { return .refused(.wrongSignature(line.name, line.keyID)) }
            verified.append(found)
        }
        return verified.isEmpty ? .refused(.noKnownSignature) : .verified(verified)
    }
}

extension NoteRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .wrongSignature(let name, let id):
            "The signature by \(name) with the key \(id) is wrong: the text or the line was changed."
        case .noKnownSignature: "None of the signatures is by a key that is trusted."
        }
    }
}

/// Why some bytes are no signed note.
package enum NoteError: Error, Equatable, Sendable {
    case tooLong
    case notUTF8
    case controlCharacter
    /// The text of a note is at least one line and ends with a newline.
    case textNotEnded
    /// No blank line with signatures behind it.
    case unsigned
    case lineNotEnded
    /// Counted from 1 behind the blank line.
    case malformedSignature(line: Int)
    case tooManySignatures
}

extension NoteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLong: "The note has more than \(SignedNote.byteCountMaximum) bytes."
        case .notUTF8: "The note is not valid UTF-8."
        case .controlCharacter: "The note has a control character that is not a newline."
        case .textNotEnded: "The text of the note does not end with a newline."
        case .unsigned: "The note has no signature behind a blank line."
        case .lineNotEnded: "The last line of the note does not end with a newline."
        case .malformedSignature(let line):
            """
            Signature \(line) of the note is not an em dash, a key name without spaces or plus, \
            and padded base64 of a key id and a signature, each behind one space.
            """
        case .tooManySignatures:
            "The note has more than \(SignedNote.signaturesMaximum) signatures."
        }
    }
}
