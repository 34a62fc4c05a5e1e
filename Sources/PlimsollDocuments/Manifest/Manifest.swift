import Crypto
package import PlimsollDomain

/// What a snapshot of an app consists of: `manifest.json`, signed apart from its files.
package struct Manifest: Equatable, Sendable {
    package let app: AppSlug
    /// Whether the app is also served at the addresses without an app.
    package let isDefault: Bool
    package let sequence: SnapshotSequence
    package let position: Position
    package let issuedAt: Instant
    package let expiresAt: Instant
    /// In the order of their names, which differ.
    package let files: [ManifestFile]

    package static let fileName = "manifest.json"
    package static let signaturesFileName = "manifest.json.sig"

    /// No signed document begins like this, since those begin with a date.
    private static let signingPrefix = Array("plimsoll-manifest/v1\n".utf8)

    /// Where in the log a snapshot was ordered, and for how long it is good.
    package struct Issue: Equatable, Sendable {
        package let sequence: SnapshotSequence
        package let position: Position
        package let issuedAt: Instant
        package let expiresAt: Instant

        package init(
            sequence: SnapshotSequence,
            position: Position,
            issuedAt: Instant,
            expiresAt: Instant
        ) {
            self.sequence = sequence
            self.position = position
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
        }
    }

    package init(app: AppSlug, isDefault: Bool, issue: Issue, files: [ManifestFile]) {
        precondition(
            Set(files.map(\.name)).count == files.count,
            "each file of a snapshot has a name of its own"
        )
        self.app = app
        self.isDefault = isDefault
        sequence = issue.sequence
        position = issue.position
        issuedAt = issue.issuedAt
        expiresAt = issue.expiresAt
        self.files = files.sorted { $0.name < $1.name }
    }

    package func file(_ name: FileName) -> ManifestFile? { files.first { $0.name == name } }

    package func isExpired(at now: Instant) -> Bool { expiresAt <= now }

    /// Signs the manifest's bytes as they will be stored.
    package static func sign(_ bytes: [UInt8], with signer: ContentSigner) throws -> KeySignature {
        try signer.signature(over: digest(bytes))
    }

    static func digest(_ bytes: [UInt8]) -> SHA256Digest {
        var hasher = SHA256()
        hasher.update(data: signingPrefix)
        hasher.update(data: bytes)
        return hasher.finalize()
    }

    /// The bytes that are signed: what another program needs to check the signature.
    package static func signedBytes(_ bytes: [UInt8]) -> [UInt8] { signingPrefix + bytes }
}
