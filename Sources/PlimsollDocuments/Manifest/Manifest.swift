package import Crypto
package import PlimsollDomain

/// What a snapshot of an app consists of: `manifest.json`, signed apart from its files.
package struct Manifest: Equatable, Sendable {
    package let app: AppSlug
    /// Whether the app is also served at the addresses without an app.
    package let isDefault: Bool
    package let issue: SnapshotIssue
    /// In the order of their names, which differ.
    package let files: [ManifestFile]
    /// Of several keys that sign, the one whose signatures stand at the addresses that name no
    /// key; `nil` where there is but one.
    package var leadingKey: KeyID?
    /// What it rests on; `nil` where it was made by a program that did not say so yet.
    package var basis: SnapshotBasis?
    /// The newest checkpoint that there was; `nil` where there was none.
    package var checkpoint: NamedCheckpoint?
    /// The event whose state is to be looked at; what has it is never published, whoever signs it.
    package var inspection: Position?

    package static let fileName = "manifest.json"
    package static let signaturesFileName = "manifest.json.sig"

    /// No signed document begins like this, since those begin with a date.
    private static let signingPrefix = Array("plimsoll-manifest/v1\n".utf8)

    package init(app: AppSlug, isDefault: Bool, issue: SnapshotIssue, files: [ManifestFile]) {
        precondition(
            Set(files.map(\.name)).count == files.count,
            "each file of a snapshot has a name of its own"
        )
        self.app = app
        self.isDefault = isDefault
        self.issue = issue
        self.files = files.sorted { $0.name < $1.name }
    }

    package func file(_ name: FileName) -> ManifestFile? { files.first { $0.name == name } }

    package var sequence: SnapshotSequence { issue.sequence }

    /// Signs the manifest's bytes as they will be stored.
    package static func sign(_ bytes: [UInt8], with signer: ContentSigner) throws -> KeySignature {
        try signer.signature(over: digest(bytes))
    }

    /// What a key has to sign for a manifest to be signed.
    package static func digest(_ bytes: [UInt8]) -> SHA256Digest {
        var hasher = SHA256()
        hasher.update(data: signingPrefix)
        hasher.update(data: bytes)
        return hasher.finalize()
    }
}
