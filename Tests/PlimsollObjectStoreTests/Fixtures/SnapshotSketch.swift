import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import Testing

/// Makes snapshots as the exporter does, with a key of its own.
struct SnapshotSketch: Sendable {
    let app: AppSlug
    let signer: ContentSigner
    let trusted: TrustedKeys

    static let files = ["availability-android", "availability-ios"]

    init(_ app: String = "harbour") throws {
        let key = P256.Signing.PrivateKey()
        let app = try #require(AppSlug(app))
        let id = KeyID(UUID())
        self.app = app
        signer = ContentSigner(keyID: id, privateKey: key)
        trusted = TrustedKeys([.init(id: id, app: app, publicKey: PublicKey(key.publicKey))])
    }

    /// A snapshot of both platforms that says its number.
    func snapshot(_ sequence: Int64, isDefault: Bool = true) throws -> VerifiedSnapshot {
        let number = try #require(SnapshotSequence(rawValue: sequence))
        let issuedAt = Instant(millisecondsSince1970: 1_596_495_575_000 + sequence * 1000)
        var bodies: [FileName: [UInt8]] = [:]
        for name in Self.files {
            let file = try #require(FileName(name))
            bodies[file] = Array("{\"\(name)\":\(sequence)}".utf8)
        }
        let files = try bodies.map { name, body in
            ManifestFile(
                name: name,
                mediaType: "application/json",
                body: body,
                sequence: number,
                signatures: [
                    try DistributionSignature(
                        signing: body,
                        date: SignatureDate(issuedAt),
                        with: signer
                    )
                ]
            )
        }
        let issue = SnapshotIssue(
            sequence: number,
            position: try #require(Position(rawValue: sequence)),
            issuedAt: issuedAt,
            expiresAt: issuedAt.advanced(by: .seconds(604_800))
        )
        let bytes = Manifest(app: app, isDefault: isDefault, issue: issue, files: files).bytes
        return try Manifest.verify(
            bytes,
            signatures: ManifestSignatures([try Manifest.sign(bytes, with: signer)]).bytes,
            keys: trusted,
            expectedApp: app
        ).get().verify(bodies).get()
    }
}
