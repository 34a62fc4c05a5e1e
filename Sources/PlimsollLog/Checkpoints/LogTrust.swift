/// Which keys somebody believes, and how many witnesses a checkpoint needs.
package struct LogTrust: Hashable, Sendable {
    /// Keys of the log, one of which has to have signed; several while one follows another.
    package let logKeys: [VerifierKey]
    package let witnesses: [VerifierKey]
    package let witnessesNeeded: Int

    package init(logKeys: [VerifierKey], witnesses: [VerifierKey] = [], witnessesNeeded: Int = 0) {
        precondition(logKeys.allSatisfy { $0.kind == .note }, "a log signs notes")
        precondition(witnesses.allSatisfy { $0.kind == .cosignature }, "a witness cosigns")
        self.logKeys = logKeys
        self.witnesses = witnesses
        self.witnessesNeeded = witnessesNeeded
    }
}

/// A checkpoint that was checked: only verification makes one.
package struct VerifiedCheckpoint: Hashable, Sendable {
    package let signed: SignedCheckpoint
    /// By those of the trusted witnesses that signed, each public key once, the first line counting.
    package let cosignatures: [VerifiedSignature]

    package var root: MerkleRoot { signed.checkpoint.root }
    package var origin: LogOrigin { signed.checkpoint.origin }

    fileprivate init(_ signed: SignedCheckpoint, cosignatures: [VerifiedSignature]) {
        self.signed = signed
        self.cosignatures = cosignatures
    }
}

/// What a checkpoint is worth to somebody who trusts certain keys.
package enum CheckpointVerification: Equatable, Sendable {
    case verified(VerifiedCheckpoint)
    case refused(CheckpointRefusal)
}

/// Why a checkpoint is not to be believed.
package enum CheckpointRefusal: Error, Equatable, Sendable {
    /// No key of a log with that origin is trusted.
    case unknownOrigin(LogOrigin)
    case note(NoteRefusal)
    case notByTheLog
    case tooFewWitnesses(found: Int, needed: Int)
}

extension SignedCheckpoint {
    /// Checks that the log itself signed, and as many witnesses as are needed.
    ///
    /// A key counts for the log of its own name only, so that the checkpoint of one log can never
    /// stand for that of another.
    package func verification(by trust: LogTrust) -> CheckpointVerification {
        let logKeys = trust.logKeys.filter { LogOrigin($0.name) == checkpoint.origin }
        guard !logKeys.isEmpty else { return .refused(.unknownOrigin(checkpoint.origin)) }
        let signatures: [VerifiedSignature]
        switch note.verification(by: logKeys + trust.witnesses) {
        case .verified(let found): signatures = found
        case .refused(let refusal): return .refused(.note(refusal))
        }
        guard signatures.contains(where: { $0.key.kind == .note }) else {
            return .refused(.notByTheLog)
        }
        // What is cosigned does not have the witness's name in it, so a key under two names is one.
        var counted: Set<[UInt8]> = []
        let cosignatures = signatures.filter {
            $0.key.kind == .cosignature && counted.insert($0.key.publicKey).inserted
        }
        guard cosignatures.count >= trust.witnessesNeeded else {
            let needed = trust.witnessesNeeded
            return .refused(.tooFewWitnesses(found: cosignatures.count, needed: needed))
        }
        return .verified(VerifiedCheckpoint(self, cosignatures: cosignatures))
    }
}

extension CheckpointRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownOrigin(let origin):
            "No key of a log named \(origin) is trusted; give the verifier key of that log."
        case .note(let refusal): refusal.description
        case .notByTheLog: "The log itself has not signed the checkpoint."
        case .tooFewWitnesses(let found, let needed):
            "The checkpoint has \(found) of the \(needed) cosignatures by witnesses it needs."
        }
    }
}
