/// What a log's key says of a state that was folded from the log and lies beside it.
///
/// Its text can never be read as a checkpoint: the second line of one is a size and the third the
/// hash over so many events, and here an origin and what a program is known by.
package struct KeptStateNote: Hashable, Sendable {
    package let origin: LogOrigin
    /// The program that has folded and written it, whose other versions may mean something else by
    /// the same bytes.
    package let program: MerkleHash
    /// All the events that it was folded from.
    package let root: MerkleRoot
    /// The last of them.
    package let leaf: MerkleHash
    /// The bytes that the state was written in, as a leaf.
    package let content: MerkleHash

    private static let title = "plimsoll/kept-state/v1"

    package init(
        origin: LogOrigin,
        program: MerkleHash,
        root: MerkleRoot,
        leaf: MerkleHash,
        content: MerkleHash
    ) {
        (self.origin, self.program, self.root) = (origin, program, root)
        (self.leaf, self.content) = (leaf, content)
    }

    /// Reads a note; `nil` unless the key has signed it, under its own origin.
    package init?(parsing bytes: [UInt8], signedBy key: VerifierKey) {
        // What is no note is none of these; nobody asks why.
        guard let note = try? SignedNote(parsing: bytes),
            case .verified(let signatures) = note.verification(by: [key])
        else { return nil }
        var reader = LineReader(note.text)
        guard reader.next().map(Array.init) == Array(Self.title.utf8),
            let line = reader.next().flatMap({ String(validating: $0, as: UTF8.self) }),
            let origin = LogOrigin(line),
            let program = reader.next().flatMap(MerkleHash.init(base64:)),
            let size = reader.next().flatMap(Decimal.parse),
            let hash = reader.next().flatMap(MerkleHash.init(base64:)),
            let leaf = reader.next().flatMap(MerkleHash.init(base64:)),
            let content = reader.next().flatMap(MerkleHash.init(base64:)),
            reader.next() == nil, reader.rest.isEmpty,
            signatures.contains(where: { LogOrigin($0.key.name) == origin && $0.key.kind == .note })
        else { return nil }
        self.init(
            origin: origin,
            program: program,
            root: MerkleRoot(size: size, hash: hash),
            leaf: leaf,
            content: content
        )
    }

    /// What is signed.
    var text: [UInt8] {
        let head = [Array(Self.title.utf8), origin.bytes, program.base64]
        let place = [Array(String(root.size).utf8), root.hash.base64, leaf.base64]
        return (head + place + [content.base64]).flatMap { $0 + [LineReader.newline] }
    }
}

extension LogSigner {
    /// Signs that this state is what those events come to.
    ///
    /// The caller has folded each of them, and none of another log.
    package func vouch(for note: KeptStateNote) throws(SigningFailure) -> SignedNote {
        try sign(note.text)
    }
}
