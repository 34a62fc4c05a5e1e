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
