/// Everything that shows to somebody offline that an entry is in a log (c2sp.org/tlog-proof).
package struct LogProof: Hashable, Sendable {
    package let inclusion: InclusionProof
    package let checkpoint: SignedCheckpoint
    /// Whatever the maker put beside it, which nobody signed.
    package let extra: [UInt8]?

    package static let pathLinesMaximum = 63

    private static let header = "c2sp.org/tlog-proof@v1"

    /// Puts a proof together with the checkpoint it leads to.
    package init(inclusion: InclusionProof, checkpoint: SignedCheckpoint, extra: [UInt8]? = nil) {
        precondition(
            inclusion.size == checkpoint.checkpoint.root.size,
            "the proof leads to the checkpoint"
        )
        self.inclusion = inclusion
        self.checkpoint = checkpoint
        self.extra = extra
    }

    /// Reads the file of a proof.
    package init(parsing bytes: [UInt8]) throws(LogProofError) {
        guard bytes.count <= SignedNote.byteCountMaximum else { throw .checkpoint(.note(.tooLong)) }
        var reader = LineReader(bytes)
        guard let first = reader.next(), first.elementsEqual(Self.header.utf8) else {
            throw .header
        }
        extra = try Self.extra(&reader)
        guard let index = reader.next(after: "index").flatMap(Decimal.parse) else { throw .index }
        guard let lines = reader.linesUntilBlank(maximum: Self.pathLinesMaximum) else {
            throw .pathNotEnded
        }
        var path: [MerkleHash] = []
        for line in lines {
            guard let hash = MerkleHash(base64: line) else { throw .pathLine(path.count + 1) }
            path.append(hash)
        }
        do throws(CheckpointError) {
            checkpoint = try SignedCheckpoint(parsing: Array(reader.rest))
        } catch {
            throw .checkpoint(error)
        }
        let size = checkpoint.checkpoint.root.size
        inclusion = InclusionProof(index: index, size: size, path: path)
    }

    private static func extra(_ reader: inout LineReader) throws(LogProofError) -> [UInt8]? {
        guard let text = reader.next(after: "extra") else { return nil }
        guard let bytes = Base64.decode(text) else { throw .extra }
        return bytes
    }

    /// The file of the proof.
    package var bytes: [UInt8] {
        let beside = extra.map { Array("extra ".utf8) + Base64.encode($0) + [LineReader.newline] }
        let path = inclusion.path.flatMap { $0.base64 + [LineReader.newline] }
        return Array("\(Self.header)\n".utf8) + (beside ?? [])
            + Array("index \(inclusion.index)\n".utf8) + path + [LineReader.newline]
            + checkpoint.bytes
    }
}

/// What a proof is worth to somebody who trusts certain keys.
package enum LogProofVerification: Equatable, Sendable {
    /// The entry stands at the proof's index of that tree.
    case verified(VerifiedCheckpoint)
    case refused(LogProofRefusal)
}

/// Why a proof shows nothing.
package enum LogProofRefusal: Error, Equatable, Sendable {
    case checkpoint(CheckpointRefusal)
    /// The way from the entry does not end at the root.
    case path
}

extension LogProof {
    /// Checks who signed, and that the way from the entry leads to the root they signed.
    package func verification(
        of leaf: MerkleHash,
        by trust: LogTrust
    ) -> LogProofVerification {
        switch checkpoint.verification(by: trust) {
        case .refused(let refusal): .refused(.checkpoint(refusal))
        case .verified(let verified):
            inclusion.proves(leaf, in: verified.root) ? .verified(verified) : .refused(.path)
        }
    }
}

/// Evidence that one tree is the beginning of another: that nothing was changed or taken away.
package struct ConsistencyProof: Hashable, Sendable {
    package let oldSize: Int
    package let newSize: Int
    package let path: [MerkleHash]

    package init(oldSize: Int, newSize: Int, path: [MerkleHash]) {
        self.oldSize = oldSize
        self.newSize = newSize
        self.path = path
    }

    /// Makes the proof from the roots of perfect subtrees, wherever they are kept.
    package init<Failure>(
        from old: Int,
        to new: Int,
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) {
        oldSize = old
        newSize = new
        path = try ProofOutline(from: old, to: new).path(reading: hash)
    }

    /// Whether the proof leads to both roots (RFC 9162, 2.1.4.2).
    package func proves(_ new: MerkleRoot, extends old: MerkleRoot) -> Bool {
        guard oldSize == old.size, newSize == new.size, oldSize <= newSize else { return false }
        if oldSize == newSize { return path.isEmpty && old == new }
        if oldSize == 0 { return path.isEmpty && old == .empty }
        guard !path.isEmpty else { return false }
        return leads(from: old, to: new)
    }

    private func leads(from old: MerkleRoot, to new: MerkleRoot) -> Bool {
        // An old tree that is perfect is a node of the new one, so the proof leaves it out.
        var hashes = (oldSize.nonzeroBitCount == 1 ? [old.hash] : []) + path
        let trailing = (~(oldSize - 1)).trailingZeroBitCount
        var node = (oldSize - 1) >> trailing
        var last = (newSize - 1) >> trailing
        let first = hashes.removeFirst()
        var (oldHash, newHash) = (first, first)
        for hash in hashes {
            guard last > 0 else { return false }
            if !node.isMultiple(of: 2) || node == last {
                oldHash = .node(hash, oldHash)
                newHash = .node(hash, newHash)
                while node.isMultiple(of: 2), node > 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                newHash = .node(newHash, hash)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && oldHash == old.hash && newHash == new.hash
    }
}

/// Evidence that an entry stands at an index of a tree, without the other entries.
package struct InclusionProof: Hashable, Sendable {
    /// Counted from 0: the entry at position `n` of the log has index `n − 1`.
    package let index: Int

    /// How many entries the tree has.
    package let size: Int

    /// The subtrees beside the way from the leaf to the root, the leaf's sibling first.
    package let path: [MerkleHash]

    package init(index: Int, size: Int, path: [MerkleHash]) {
        self.index = index
        self.size = size
        self.path = path
    }

    /// Makes the proof from the roots of perfect subtrees, wherever they are kept.
    package init<Failure>(
        of index: Int,
        in size: Int,
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) {
        self.index = index
        self.size = size
        path = try ProofOutline(of: index, in: size).path(reading: hash)
    }

    /// Whether the proof leads from the leaf to that root (RFC 9162, 2.1.3.2).
    package func proves(_ leaf: MerkleHash, in root: MerkleRoot) -> Bool {
        guard size == root.size, index >= 0, index < size else { return false }
        var node = index
        var last = size - 1
        var hash = leaf
        for sibling in path {
            guard last > 0 else { return false }
            if !node.isMultiple(of: 2) || node == last {
                hash = .node(sibling, hash)
                while node.isMultiple(of: 2), node > 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                hash = .node(hash, sibling)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && hash == root.hash
    }
}

/// Why some bytes are no proof.
package enum LogProofError: Error, Equatable, Sendable {
    case header
    case extra
    case index
    /// No blank line comes, or too late.
    case pathNotEnded
    /// Counted from 1.
    case pathLine(Int)
    case checkpoint(CheckpointError)
}

extension LogProofError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .header: "The first line is not c2sp.org/tlog-proof@v1."
        case .extra: "The text behind the word extra is not padded base64."
        case .index: "No line has the word index, a space, and a number without leading zeros."
        case .pathNotEnded:
            "Behind at most \(LogProof.pathLinesMaximum) hashes a blank line is needed."
        case .pathLine(let number): "Hash \(number) is not 32 bytes in padded base64."
        case .checkpoint(let error): error.description
        }
    }
}

extension LogProofRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .checkpoint(let refusal): refusal.description
        case .path: "The proof does not lead from the entry to the root of the checkpoint."
        }
    }
}

/// What a proof is made of, which follows from the sizes alone.
///
/// Where hashes have to be fetched first, ask for ``subtrees``, fetch all of them at once, and
/// make the path from what came.
package struct ProofOutline: Hashable, Sendable {
    /// The leaves under each hash of the path, in its order.
    package let nodes: [Range<Int>]

    /// Outlines the proof that an entry stands at an index (PATH of RFC 6962, 2.1.1).
    package init(of index: Int, in size: Int) {
        precondition((0..<size).contains(index), "only an entry of the tree can be proven")
        var nodes: [Range<Int>] = []
        var leaves = 0..<size
        while leaves.count > 1 {
            let (left, right) = leaves.halves
            let isLeft = left.contains(index)
            nodes.append(isLeft ? right : left)
            leaves = isLeft ? left : right
        }
        self.nodes = nodes.reversed()
    }

    /// Outlines the proof that one tree is the beginning of another (SUBPROOF of RFC 6962, 2.1.2).
    package init(from old: Int, to new: Int) {
        precondition(0 <= old && old <= new, "a tree grows, it never shrinks")
        var nodes: [Range<Int>] = []
        var leaves = old == 0 ? 0..<0 : 0..<new
        var isBeginning = true
        while old < leaves.upperBound {
            let (left, right) = leaves.halves
            let isLeft = old <= left.upperBound
            nodes.append(isLeft ? right : left)
            leaves = isLeft ? left : right
            isBeginning = isBeginning && isLeft
        }
        // The old tree itself needs no proof: whoever checks knows its root.
        if !isBeginning { nodes.append(leaves) }
        self.nodes = nodes.reversed()
    }

    /// Every perfect subtree whose root is needed; none comes twice.
    package var subtrees: [PerfectSubtree] { nodes.flatMap(PerfectSubtree.covering) }

    /// The hashes of the proof from those of ``subtrees``.
    package func path<Failure>(
        reading hash: (PerfectSubtree) throws(Failure) -> MerkleHash
    ) throws(Failure) -> [MerkleHash] {
        var path: [MerkleHash] = []
        path.reserveCapacity(nodes.count)
        for node in nodes { path.append(try MerkleHash.over(node, reading: hash)) }
        return path
    }
}

extension Range<Int> {
    /// What the two children of a node have, split behind the largest power of two that is smaller
    /// than the number of leaves.
    fileprivate var halves: (Range<Int>, Range<Int>) {
        let level = Int.bitWidth - 1 - (count - 1).leadingZeroBitCount
        let middle = lowerBound + 1 << level
        return (lowerBound..<middle, middle..<upperBound)
    }
}
