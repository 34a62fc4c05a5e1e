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
