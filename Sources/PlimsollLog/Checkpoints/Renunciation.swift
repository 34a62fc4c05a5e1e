/// That somebody goes on without what a log has signed, said by the log's own key.
///
/// Its text can never be read as a checkpoint: the third line of one is a hash, and here a size.
package struct Renunciation: Hashable, Sendable {
    package let origin: LogOrigin
    /// What was signed, and is given up.
    package let root: MerkleRoot
    /// How many events there were left.
    package let kept: Int

    private static let title = "plimsoll/given-up/v1"

    package init(of root: MerkleRoot, keeping kept: Int, origin: LogOrigin) {
        self.origin = origin
        self.root = root
        self.kept = kept
    }

    /// Reads a note; `nil` unless one of the keys has signed it, under its own origin.
    package init?(parsing bytes: [UInt8], signedBy keys: [VerifierKey]) {
        // What is no note is none of these; nobody asks why.
        guard let note = try? SignedNote(parsing: bytes),
            case .verified(let signatures) = note.verification(by: keys)
        else { return nil }
        var reader = LineReader(note.text)
        guard reader.next().map(Array.init) == Array(Self.title.utf8),
            let line = reader.next().flatMap({ String(validating: $0, as: UTF8.self) }),
            let origin = LogOrigin(line),
            let size = reader.next().flatMap(Decimal.parse),
            let hash = reader.next().flatMap(MerkleHash.init(base64:)),
            let kept = reader.next().flatMap(Decimal.parse),
            reader.next() == nil, reader.rest.isEmpty,
            signatures.contains(where: { LogOrigin($0.key.name) == origin && $0.key.kind == .note })
        else { return nil }
        self.init(of: MerkleRoot(size: size, hash: hash), keeping: kept, origin: origin)
    }

    /// The events that were given up: they were signed, and others may stand there now.
    package var lost: ClosedRange<Int>? { kept < root.size ? kept + 1...root.size : nil }

    /// What is signed.
    var text: [UInt8] {
        let head = [Array(Self.title.utf8), origin.bytes, Array(String(root.size).utf8)]
        let lines = head + [root.hash.base64, Array(String(kept).utf8)]
        return lines.flatMap { $0 + [LineReader.newline] }
    }
}
