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

/// What a witness knows of one log: whose signature counts, and the last root it cosigned.
package struct WatchedLog: Hashable, Sendable {
    package let trust: LogTrust
    /// The empty tree where nothing was cosigned yet.
    package let last: MerkleRoot

    package init(trust: LogTrust, last: MerkleRoot) {
        self.trust = trust
        self.last = last
    }

    /// What is to be done about a request.
    package enum Judgement: Equatable, Sendable {
        /// Store its root if ``last`` still is the last, then cosign; both or neither.
        case extends(VerifiedCheckpoint)
        /// The log signed another root for the size that was cosigned: keep it, raise the alarm.
        case forks(VerifiedCheckpoint)
        case refused(WitnessAnswer)
    }

    /// Decides in the order that c2sp.org/tlog-witness asks for.
    package func judge(_ request: AddCheckpointRequest) -> Judgement {
        let checkpoint: VerifiedCheckpoint
        switch request.checkpoint.verification(by: trust) {
        case .verified(let verified): checkpoint = verified
        case .refused(.unknownOrigin): return .refused(.unknownLog)
        case .refused: return .refused(.notSigned)
        }
        let (root, proof) = (checkpoint.root, request.proof)
        guard proof.oldSize <= root.size else {
            return .refused(.malformed("The old size is larger than the checkpoint's."))
        }
        if root.size == last.size, root != last { return .forks(checkpoint) }
        guard proof.oldSize == last.size else { return .refused(.conflict(size: last.size)) }
        guard proof.proves(root, extends: last) else { return .refused(.notConsistent) }
        return .extends(checkpoint)
    }
}

/// What a witness answers to an ``AddCheckpointRequest``.
package enum WitnessAnswer: Equatable, Sendable {
    /// The lines of the witness.
    case cosigned([NoteSignature])
    /// The witness has seen another size, or another root of that size; this is the size.
    case conflict(size: Int)
    case malformed(String)
    case unknownLog
    case notSigned
    case notConsistent

    /// The status of the response.
    package var status: Int {
        switch self {
        case .cosigned: 200
        case .malformed: 400
        case .notSigned: 403
        case .unknownLog: 404
        case .conflict: 409
        case .notConsistent: 422
        }
    }

    package var contentType: String {
        switch self {
        case .conflict: "text/x.tlog.size"
        default: "text/plain; charset=utf-8"
        }
    }

    /// The body of the response.
    package var body: [UInt8] {
        switch self {
        case .cosigned(let lines): lines.flatMap(\.line)
        case .conflict(let size): Array("\(size)\n".utf8)
        case .malformed(let sentence): Array("\(sentence)\n".utf8)
        case .notSigned: Array("The checkpoint is not signed by a key of that log.\n".utf8)
        case .unknownLog: Array("No log of that origin is watched here.\n".utf8)
        case .notConsistent: Array("The proof does not lead to both roots.\n".utf8)
        }
    }

    /// Reads a response; `nil` if no witness answers like that.
    package init?(status: Int, body: [UInt8]) {
        switch status {
        case 200:
            guard let lines = try? NoteSignature.parse(body) else { return nil }
            self = .cosigned(lines)
        case 400:
            guard let text = String(validating: body, as: UTF8.self) else { return nil }
            self = .malformed(text.last == "\n" ? String(text.dropLast()) : text)
        case 403: self = .notSigned
        case 404: self = .unknownLog
        case 409:
            var reader = LineReader(body)
            guard let size = reader.next().flatMap(Decimal.parse), reader.rest.isEmpty else {
                return nil
            }
            self = .conflict(size: size)
        case 422: self = .notConsistent
        default: return nil
        }
    }
}
