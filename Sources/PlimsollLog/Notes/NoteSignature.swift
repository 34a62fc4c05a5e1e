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
