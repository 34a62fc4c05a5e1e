package import PlimsollLog

/// One look at a log: what it signs now is proven to extend what it signed before, or the alarm is
/// raised.
package struct Round: Sendable {
    package let log: PublishedLog
    package let witness: Witness

    package init(_ log: PublishedLog, _ witness: Witness) {
        self.log = log
        self.witness = witness
    }

    /// Answers the checkpoint with the witness's line; throws a ``WitnessAlarm`` if it may have
    /// none.
    package func look() async throws -> SignedCheckpoint {
        let signed = try await signedCheckpoint()
        let (root, last) = (signed.checkpoint.root, await witness.last)
        guard root.size >= last.size else {
            let evidence = try await witness.keep(evidence: signed)
            throw WitnessAlarm.shrunk(to: root, from: last, evidence: evidence)
        }
        let proof = try await proof(from: last.size, to: root.size)
        let request = AddCheckpointRequest(proof: proof, checkpoint: signed)
        let (answer, alarm) = try await witness.answer(request)
        if let alarm { throw alarm }
        switch answer {
        case .cosigned(let lines): return try signed.adding(lines)
        // Somebody else has shown it a larger one meanwhile.
        case .conflict: return try await look()
        case .notConsistent: throw try await diagnosis(of: signed, last)
        case .malformed(let reason): throw WitnessAlarm.notSigned(reason)
        case .unknownLog, .notSigned:
            preconditionFailure("the checkpoint was verified before")
        }
    }

    private func signedCheckpoint() async throws -> SignedCheckpoint {
        let bytes = try await log.checkpoint()
        let signed: SignedCheckpoint
        do {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw WitnessAlarm.notSigned(error.description)
        }
        switch signed.verification(by: witness.trust) {
        case .verified: return signed
        case .refused(let refusal): throw WitnessAlarm.notSigned(refusal.description)
        }
    }

    private func proof(from old: Int, to new: Int) async throws -> ConsistencyProof {
        let subtrees = ProofOutline(from: old, to: new).subtrees
        let tiles = try await log.tiles(of: subtrees, size: new)
        return try ConsistencyProof(from: old, to: new, reading: tiles.hash)
    }

    /// What the tiles say: that the history is another one, or nothing at all.
    private func diagnosis(
        of signed: SignedCheckpoint,
        _ last: MerkleRoot
    ) async throws -> WitnessAlarm {
        let root = signed.checkpoint.root
        let subtrees = [last.size, root.size].flatMap { PerfectSubtree.covering(0..<$0) }
        let tiles = try await log.tiles(of: subtrees, size: root.size)
        let evidence = try await witness.keep(evidence: signed)
        let leads = try MerkleFrontier(size: root.size, reading: tiles.hash).root == root
        return leads
            ? .rewritten(root, from: last, evidence: evidence)
            : .unproven(root, from: last, evidence: evidence)
    }
}
