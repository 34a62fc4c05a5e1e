import Crypto
import Foundation
package import PlimsollDocuments
package import PlimsollDomain
import Testing

/// Makes snapshots as the exporter does, with keys of its own, of which the last one leads.
package struct SnapshotBuilder: Sendable {
    package let app: AppSlug
    package let signers: [ContentSigner]
    package let trusted: TrustedKeys

    package static let files = ["availability-android", "availability-ios"]

    package init(_ app: String = "harbour", keys count: Int = 1) throws {
        let app = try #require(AppSlug(app))
        let keys = (1...count).map { _ in (id: KeyID(UUID()), key: P256.Signing.PrivateKey()) }
            .sorted { $0.id < $1.id }
        self.app = app
        signers = keys.map { ContentSigner(keyID: $0.id, privateKey: $0.key) }
        trusted = TrustedKeys(
            keys.map { .init(id: $0.id, app: app, publicKey: PublicKey($0.key.publicKey)) }
        )
    }

    /// The ids of the keys, in their order.
    package var keys: [KeyID] { signers.map(\.keyID) }

    /// A snapshot that says its number, signed by all keys or some, of both platforms or one.
    package func snapshot(
        _ sequence: Int64,
        isDefault: Bool = true,
        signedBy signing: [KeyID]? = nil,
        files names: [String] = SnapshotBuilder.files
    ) throws -> VerifiedSnapshot {
        let signers = signers.filter { signing?.contains($0.keyID) ?? true }
        let number = try #require(SnapshotSequence(rawValue: sequence))
        let issuedAt = Instant(millisecondsSince1970: 1_596_495_575_000 + sequence * 1000)
        var bodies: [FileName: [UInt8]] = [:]
        for name in names {
            let file = try #require(FileName(name))
            bodies[file] = Array("{\"\(name)\":\(sequence)}".utf8)
        }
        let files = try bodies.map { name, body in
            ManifestFile(
                name: name,
                mediaType: "application/json",
                body: body,
                sequence: number,
                signatures: try signers.map {
                    try DistributionSignature(
                        signing: body,
                        date: SignatureDate(issuedAt),
                        with: $0
                    )
                }
            )
        }
        let issue = SnapshotIssue(
            sequence: number,
            position: try #require(Position(rawValue: sequence)),
            issuedAt: issuedAt,
            expiresAt: issuedAt.advanced(by: .seconds(604_800))
        )
        var manifest = Manifest(app: app, isDefault: isDefault, issue: issue, files: files)
        manifest.leadingKey = signers.count > 1 ? signers.last?.keyID : nil
        let bytes = manifest.bytes
        return try Manifest.verify(
            bytes,
            signatures: ManifestSignatures(
                try signers.map { try Manifest.sign(bytes, with: $0) }
            ).bytes,
            keys: trusted,
            expectedApp: app
        ).verify(bodies)
    }
}
