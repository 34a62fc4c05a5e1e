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
