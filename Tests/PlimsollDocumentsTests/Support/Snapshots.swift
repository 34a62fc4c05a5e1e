import PlimsollDocuments
import PlimsollDomain
import Testing

/// A small snapshot of two files, signed the way an exporter does it.
struct Snapshots {
    let app: AppSlug
    let key = OtherKey()
    let bodies: [FileName: [UInt8]]
    let issue: SnapshotIssue

    init() throws {
        app = try #require(AppSlug("harbour"))
        bodies = [
            try #require(FileName("availability-ios")): Array(#"{"ios":1}"#.utf8),
            try #require(FileName("availability-android")): Array(#"{"android":1}"#.utf8),
        ]
        let sequence = try #require(SnapshotSequence(rawValue: 57))
        let issuedAt = Instant(millisecondsSince1970: 1_790_000_000_123)
        issue = SnapshotIssue(
            sequence: sequence,
            position: Position(58),
            issuedAt: issuedAt,
            expiresAt: issuedAt.advanced(by: .seconds(7 * 86_400))
        )
    }

    var keys: TrustedKeys { TrustedKeys([key.trusted(for: app)]) }

    func file(
        _ name: FileName,
        _ body: [UInt8],
        _ signers: [ContentSigner]
    ) throws
        -> ManifestFile
    {
        ManifestFile(
            name: name,
            mediaType: "application/json",
            body: body,
            sequence: issue.sequence,
            signatures: try signers.map {
                try DistributionSignature(
                    signing: body,
                    date: SignatureDate(issue.issuedAt),
                    with: $0
                )
            }
        )
    }

    func manifest(signers: [ContentSigner]? = nil) throws -> Manifest {
        let signers = signers ?? [key.signer]
        return Manifest(
            app: app,
            isDefault: true,
            issue: issue,
            files: try bodies.map { try file($0.key, $0.value, signers) }
        )
    }

    func signatures(_ bytes: [UInt8], signers: [ContentSigner]? = nil) throws -> [UInt8] {
        ManifestSignatures(
            try (signers ?? [key.signer]).map { try Manifest.sign(bytes, with: $0) }
        ).bytes
    }

    func verify(
        _ manifest: Manifest,
        keys: TrustedKeys? = nil
    ) throws -> VerifiedManifest {
        try Manifest.verify(
            manifest.bytes,
            signatures: try signatures(manifest.bytes),
            keys: keys ?? self.keys,
            expectedApp: app
        )
    }
}
