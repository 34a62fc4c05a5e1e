/// What a log says of itself: origin, size and root, as c2sp.org/tlog-checkpoint writes it.
package struct Checkpoint: Hashable, Sendable {
    package let origin: LogOrigin
    package let root: MerkleRoot
    /// Lines that other logs add; kept because they are signed, and otherwise left alone.
    package let extensionLines: [String]

    /// A checkpoint of ours, which has no extension lines.
    package init(origin: LogOrigin, root: MerkleRoot) {
        self.origin = origin
        self.root = root
        extensionLines = []
    }

    /// Reads the text of a note.
    package init(parsing text: [UInt8]) throws(CheckpointError) {
        var reader = LineReader(text)
        guard
            let first = reader.next(), let line = String(validating: first, as: UTF8.self),
            let origin = LogOrigin(line)
        else { throw .origin }
        guard let size = reader.next().flatMap(Decimal.parse) else { throw .size }
        guard let hash = reader.next().flatMap(MerkleHash.init(base64:)) else { throw .root }
        guard size > 0 || hash == .emptyTree else { throw .emptyTree }
        var extensionLines: [String] = []
        while let next = reader.next() {
            guard !next.isEmpty, let line = String(validating: next, as: UTF8.self) else {
                throw .extensionLine(extensionLines.count + 1)
            }
            extensionLines.append(line)
        }
        guard reader.rest.isEmpty else { throw .lineNotEnded }
        self.origin = origin
        self.extensionLines = extensionLines
        root = MerkleRoot(size: size, hash: hash)
    }

    /// What is signed.
    package var text: [UInt8] {
        let head = [origin.bytes, Array(String(root.size).utf8), root.hash.base64]
        return (head + extensionLines.map { Array($0.utf8) }).flatMap { $0 + [LineReader.newline] }
    }
}

/// Why some bytes are no checkpoint.
package enum CheckpointError: Error, Equatable, Sendable {
    case note(NoteError)
    case origin
    case size
    case root
    /// An empty tree has one root, the hash of nothing.
    case emptyTree
    /// Counted from 1.
    case extensionLine(Int)
    case lineNotEnded
}

extension CheckpointError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .note(let error): error.description
        case .origin: "The first line of the checkpoint is not an origin: it is empty."
        case .size:
            "The second line of the checkpoint is not a tree size: decimal, without leading zeros."
        case .root: "The third line of the checkpoint is not 32 bytes in padded base64."
        case .emptyTree: "The checkpoint has size 0 and another root than the empty tree has."
        case .extensionLine(let number): "Extension line \(number) of the checkpoint is empty."
        case .lineNotEnded: "The last line of the checkpoint does not end with a newline."
        }
    }
}
