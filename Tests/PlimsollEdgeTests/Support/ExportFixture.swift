import Crypto
import Foundation
import Logging
import NIOCore
import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import Testing

@testable import PlimsollEdge

/// An export folder as the exporter writes it, with keys of its own, removed in the end.
struct ExportFixture {
    let root: Path
    let signer: ContentSigner
    let publicKey: PublicKey
    let app: AppSlug

    var export: Path { root / "export" }
    var memory: Path { root / "memory" }
    var trusted: TrustedKeys { TrustedKeys([.init(id: signer.keyID, publicKey: publicKey)]) }

    static func with<Result>(
        _ body: (ExportFixture) async throws -> Result
    ) async throws -> Result {
        let folder = NSTemporaryDirectory() + "plimsoll-edge-" + UUID().uuidString.lowercased()
        let fixture = try ExportFixture(Path(folder))
        defer { try? fixture.root.removeTree() }
        return try await body(fixture)
    }

    private init(_ root: Path) throws {
        let key = P256.Signing.PrivateKey()
        self.root = root
        signer = ContentSigner(keyID: KeyID(UUID()), privateKey: key)
        publicKey = PublicKey(key.publicKey)
        app = try #require(AppSlug("harbour"))
        try (root / "export").createFolder()
    }

    func slug(_ text: String) throws -> AppSlug { try #require(AppSlug(text)) }

    func folder(_ sequence: Int64, _ app: AppSlug? = nil) -> Path {
        export / "snapshots" / (app ?? self.app).text / "\(sequence)"
    }

    /// Writes a snapshot and leads the app's link to it; some files may be of an earlier one.
    func publish(
        _ sequence: Int64,
        of app: AppSlug? = nil,
        isDefault: Bool = false,
        files: [String: String]? = nil,
        from earlier: [String: Int64] = [:],
        with signer: ContentSigner? = nil,
        and others: [ContentSigner] = []
    ) throws {
        let app = app ?? self.app
        try write(
            sequence,
            of: app,
            isDefault: isDefault,
            files: files ?? ["availability-ios": "ios \(app) \(sequence)"],
            from: earlier,
            with: [signer ?? self.signer] + others
        )
        try link(app, to: "../snapshots/\(app)/\(sequence)")
    }

    func link(_ app: AppSlug, to destination: String) throws {
        try (export / "current").createFolder()
        try (export / "current" / app.text).pointSymbolicLink(to: destination)
    }

    private func write(
        _ sequence: Int64,
        of app: AppSlug,
        isDefault: Bool,
        files: [String: String],
        from earlier: [String: Int64],
        with signers: [ContentSigner]
    ) throws {
        let number = try #require(SnapshotSequence(rawValue: sequence))
        let issuedAt = Instant(millisecondsSince1970: 1_596_495_575_000 + sequence)
        let described = try files.map { name, text in
            let body = Array(text.utf8)
            return ManifestFile(
                name: try #require(FileName(name)),
                mediaType: "application/json",
                body: body,
                sequence: try #require(SnapshotSequence(rawValue: earlier[name] ?? sequence)),
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
        var manifest = Manifest(app: app, isDefault: isDefault, issue: issue, files: described)
        if signers.count > 1 { manifest.leadingKey = signers.first?.keyID }
        let folder = folder(sequence, app)
        try folder.createFolder()
        for (name, text) in files { try (folder / name).writeDurably(Array(text.utf8)) }
        let bytes = manifest.bytes
        let signatures = ManifestSignatures(
            try signers.map { try Manifest.sign(bytes, with: $0) }
        )
        try (folder / Manifest.fileName).writeDurably(bytes)
        try (folder / Manifest.signaturesFileName).writeDurably(signatures.bytes)
    }

    func publishKeys(_ keys: [PublishedKey]? = nil) throws {
        let own = PublishedKey(id: signer.keyID, app: app, state: .active, publicKey: publicKey)
        let list = PublishedKeys(keys ?? [own])
        try (export / PublishedKeys.fileName).writeDurably(list.bytes)
    }

    func edge() -> EdgeService {
        EdgeService(EdgeConfiguration(port: 0), logger: Logger(label: "edge"))
    }

    func loader(
        _ edge: EdgeService,
        trusting keys: TrustedKeys? = nil,
        hosts: [KeyHost] = [],
        at time: TestTime? = nil
    ) -> SnapshotLoader {
        var settings = SnapshotLoader.Settings(export: export, memory: memory, hosts: hosts)
        if let time { settings.now = { time.now } }
        return SnapshotLoader(
            settings,
            trusting: keys ?? trusted,
            edge: edge,
            logger: Logger(label: "edge")
        )
    }
}

extension EdgeTable {
    /// What a GET of the path would have as its body.
    func body(_ path: String, at host: String = "edge.example") -> String? {
        guard let number = number(of: path, at: host) else { return nil }
        let answer = resources[number].answers[0]
        let body = answer.bytes.getString(
            at: answer.headLength,
            length: answer.bytes.readableBytes - answer.headLength
        )
        return body
    }

    func head(_ path: String, at host: String = "edge.example") -> String? {
        guard let number = number(of: path, at: host) else { return nil }
        let answer = resources[number].answers[0]
        return answer.bytes.getString(at: 0, length: answer.headLength)
    }

    private func number(of path: String, at host: String) -> Int? {
        let bytes = Array((path + host).utf8)
        let end = path.utf8.count
        return number(of: 0..<end, at: end..<bytes.count, in: bytes.span)
    }
}
