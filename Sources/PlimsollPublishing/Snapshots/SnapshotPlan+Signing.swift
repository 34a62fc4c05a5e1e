import Crypto
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem

extension SnapshotPlan {
    /// The files of the snapshot, its manifest and the manifest's signatures among them.
    func sign(
        with signers: [CheckedSigner],
        keeping previous: VerifiedSnapshot?,
        naming checkpoint: NamedCheckpoint?
    ) async throws(PublicationFailure) -> [PublishedFile] {
        precondition(signers.map(\.keyID) == keys, "the keys that sign are those of the plan")
        let draft = SnapshotDraft(self, keeping: previous, naming: checkpoint)
        let manifest = draft.manifest(signed: try await sign(draft.digests, with: signers))
        let signatures = try await sign([manifest.digest], with: signers)
        return manifest.files(signed: signatures.flatMap(\.self))
    }

    /// For each key its signatures over all digests.
    private func sign(
        _ digests: [SHA256Digest],
        with signers: [CheckedSigner]
    ) async throws(PublicationFailure) -> [[KeySignature]] {
        var signatures: [[KeySignature]] = []
        for signer in signers {
            do throws(SignerFailure) {
                signatures.append(try await signer.sign(digests))
            } catch {
                throw .signer(signer.keyID, error)
            }
        }
        return signatures
    }
}
