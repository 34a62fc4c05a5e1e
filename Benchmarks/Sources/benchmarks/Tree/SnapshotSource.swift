import PlimsollDocuments
import PlimsollDomain
import PlimsollEdge
import PlimsollPublishing
import PlimsollSystem

/// One snapshot after the other of an app with two platforms and twelve languages, as they come from
/// afar.
struct SnapshotSource {
    let trusted: TrustedKeys
    /// The same, as the file that edges are given.
    let published: PublishedKeys
    private let signer: CheckedSigner
    private var builder: OrderBuilder

    init(in folder: Path) throws {
        let keys = SigningKeys(folder: folder)
        try keys.prepare()
        let record = try keys.makeKey(for: try OrderBuilder.app)
        signer = try keys.checkedSigner(for: record)
        let key = try known(PublicKey(der: record.publicKey), "a public key")
        trusted = TrustedKeys([.init(id: record.id, app: record.app, publicKey: key)])
        published = PublishedKeys([
            PublishedKey(id: record.id, app: record.app, state: .active, publicKey: key)
        ])
        builder = try OrderBuilder(key: record)
    }

    mutating func next() async throws -> FetchedSnapshot {
        let edition = try builder.orderAnew()
        let draft = SnapshotDraft(SnapshotPlan(edition), keeping: nil)
        let manifest = draft.manifest(signed: [try await signer.sign(draft.digests)])
        let files = manifest.files(signed: try await signer.sign([manifest.digest]))
        var bodies: [String: [UInt8]] = [:]
        for file in files { bodies[file.name] = file.bytes }
        var named: [FileName: [UInt8]] = [:]
        for (name, body) in bodies { if let name = FileName(name) { named[name] = body } }
        return FetchedSnapshot(
            of: edition.app,
            manifest: try known(bodies[Manifest.fileName], "a manifest"),
            signatures: try known(bodies[Manifest.signaturesFileName], "signatures"),
            bodies: named
        )
    }
}
