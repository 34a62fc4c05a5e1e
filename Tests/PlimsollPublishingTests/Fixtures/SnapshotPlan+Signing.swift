import PlimsollDocuments
import PlimsollPublishing
import PlimsollSystem

extension SnapshotPlan {
    /// The files of the snapshot, signed with keys at hand.
    func sign(
        with signers: [ContentSigner],
        keeping previous: VerifiedSnapshot?
    ) throws -> [PublishedFile] {
        let draft = SnapshotDraft(self, keeping: previous)
        let manifest = draft.manifest(
            signed: try signers.map { signer in
                try draft.digests.map { try signer.signature(over: $0) }
            }
        )
        return manifest.files(signed: try signers.map { try $0.signature(over: manifest.digest) })
    }
}
