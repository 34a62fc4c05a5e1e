/// Says of checkpoints when they were seen, and that each extends the one before it.
package struct Cosigner: Sendable {
    private let key: SignerKey

    /// Takes a key for cosignatures.
    package init(_ key: SignerKey) throws(KeyTextError) {
        guard key.verifierKey.kind == .cosignature else { throw .otherKind(needed: .cosignature) }
        self.key = key
    }

    package var verifierKey: VerifierKey { key.verifierKey }

    /// Makes the line for a checkpoint that the log signed.
    ///
    /// The caller has checked that it extends the last one it saw, and has stored it.
    package func cosign(
        _ checkpoint: VerifiedCheckpoint,
        posixSeconds: Int
    ) throws(SigningFailure) -> NoteSignature {
        precondition(posixSeconds >= 0, "nothing was seen before 1970")
        let text = checkpoint.signed.note.text
        let message = CosignatureStamp.message(over: text, posixSeconds: posixSeconds)
        let signature = try key.sign(message)
        return key.line(signature: CosignatureStamp.bytes(posixSeconds: posixSeconds) + signature)
    }
}
