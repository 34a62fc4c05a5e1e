/// Signs the checkpoints of one log: the one whose origin is the name of the key.
package struct LogSigner: Sendable {
    private let key: SignerKey

    /// Takes a key for notes.
    package init(_ key: SignerKey) throws(KeyTextError) {
        guard key.verifierKey.kind == .note else { throw .otherKind(needed: .note) }
        self.key = key
    }

    package var verifierKey: VerifierKey { key.verifierKey }

    package var origin: LogOrigin { LogOrigin(verifierKey.name) }

    /// Signs what the log says of itself.
    ///
    /// The caller has stored every entry and tile under that root, and no other root of that size.
    package func sign(_ root: MerkleRoot) throws(SigningFailure) -> SignedCheckpoint {
        let checkpoint = Checkpoint(origin: origin, root: root)
        let line = key.line(signature: try key.sign(checkpoint.text))
        do throws(NoteError) {
            return try SignedCheckpoint(checkpoint, signatures: [line])
        } catch {
            preconditionFailure("a checkpoint of ours is the text of a note, and small")
        }
    }

    /// Signs that the log goes on without what it has signed there.
    package func giveUp(
        _ root: MerkleRoot,
        keeping kept: Int
    ) throws(SigningFailure) -> SignedNote {
        let text = Renunciation(of: root, keeping: kept, origin: origin).text
        let line = key.line(signature: try key.sign(text))
        do throws(NoteError) {
            return try SignedNote(text: text, signatures: [line])
        } catch {
            preconditionFailure("what is given up is the text of a note, and small")
        }
    }
}
