/// What a log asks of a witness: to cosign a checkpoint, and why it may (c2sp.org/tlog-witness).
package struct AddCheckpointRequest: Hashable, Sendable {
    /// From the last checkpoint that the witness saw; from 0 if it saw none.
    package let proof: ConsistencyProof
    package let checkpoint: SignedCheckpoint

    package static let proofLinesMaximum = 63

    /// Asks for a cosignature with the proof from the last size that the witness saw.
    package init(proof: ConsistencyProof, checkpoint: SignedCheckpoint) {
        precondition(
            proof.newSize == checkpoint.checkpoint.root.size,
            "the proof leads to the checkpoint"
        )
        self.proof = proof
        self.checkpoint = checkpoint
    }

    /// Reads the body of a request.
    package init(parsing bytes: [UInt8]) throws(AddCheckpointError) {
        guard bytes.count <= SignedNote.byteCountMaximum else { throw .checkpoint(.note(.tooLong)) }
        var reader = LineReader(bytes)
        guard let oldSize = reader.next(after: "old").flatMap(Decimal.parse) else { throw .oldSize }
        guard let lines = reader.linesUntilBlank(maximum: Self.proofLinesMaximum) else {
            throw .proofNotEnded
        }
        var path: [MerkleHash] = []
        for line in lines {
            guard let hash = MerkleHash(base64: line) else { throw .proofLine(path.count + 1) }
            path.append(hash)
        }
        do throws(CheckpointError) {
            checkpoint = try SignedCheckpoint(parsing: Array(reader.rest))
        } catch {
            throw .checkpoint(error)
        }
        let newSize = checkpoint.checkpoint.root.size
        proof = ConsistencyProof(oldSize: oldSize, newSize: newSize, path: path)
    }

    /// The body of the request.
    package var bytes: [UInt8] {
        let lines = proof.path.flatMap { $0.base64 + [LineReader.newline] }
        return Array("old \(proof.oldSize)\n".utf8) + lines + [LineReader.newline]
            + checkpoint.bytes
    }
}

/// Why some bytes are no such request.
package enum AddCheckpointError: Error, Equatable, Sendable {
    case oldSize
    /// No blank line comes, or too late.
    case proofNotEnded
    /// Counted from 1.
    case proofLine(Int)
    case checkpoint(CheckpointError)
}

extension AddCheckpointError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .oldSize:
            "The first line is not the word old, a space, and a size without leading zeros."
        case .proofNotEnded:
            """
            Behind at most \(AddCheckpointRequest.proofLinesMaximum) lines of proof a blank line \
            is needed.
            """
        case .proofLine(let number): "Proof line \(number) is not 32 bytes in padded base64."
        case .checkpoint(let error): error.description
        }
    }
}
