import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// Harbour published and in the log, as a stranger finds both, and what thieves of keys make of it.
struct PublicHistory {
    let folder: ExportFolder
    let logKey: LogSigner
    private(set) var entries: [[UInt8]] = []
    private let keys: PublishedKeys
    private let signers: [ContentSigner]

    static let origin = "log.example.com/harbour"

    /// Takes what was published, told to the log or not.
    init(_ publication: Publication) throws {
        folder = publication.folder
        keys = publication.keys
        signers = try publication.contentSigners()
        let name = try #require(KeyName(Self.origin))
        logKey = try LogSigner(SignerKey(name: name, kind: .note))
        for event in publication.events { entries.append(try EventCodec.encode(event)) }
        try publishLog()
    }

    /// Signs a checkpoint over all entries, above their tiles.
    func publishLog() throws {
        var tree = TileBuilder()
        var tiles: [HashTile] = []
        for entry in entries { tiles += tree.append(leaf: .leaf(entry)) }
        let store = TileStore(folder)
        try store.prepare()
        try store.publish(logKey.verifierKey)
        try store.add(tiles + tree.partialTiles)
        try folder.logCheckpoint.writeDurably(try logKey.sign(tree.root).bytes)
    }

    /// The files of what is current, by their names.
    func files() throws -> [String: [UInt8]] {
        let place = folder.current(of: harbour)
        var files: [String: [UInt8]] = [:]
        for name in try place.entries() {
            files[name] = try (place / name).read(sizeMaximum: 1 << 20)
        }
        return files
    }

    /// The current manifest changed, and signed by the content keys.
    func forged(_ change: (inout Manifest) throws -> Void) throws -> [String: [UInt8]] {
        var files = try files()
        var manifest = try Manifest(parsing: try #require(files[Manifest.fileName]))
        try change(&manifest)
        let bytes = manifest.bytes
        files[Manifest.fileName] = bytes
        files[Manifest.signaturesFileName] =
            ManifestSignatures(
                try signers.map { try Manifest.sign(bytes, with: $0) }
            ).bytes
        return files
    }

    /// Another document for iOS under the same sequence, signed by the content keys.
    func withOtherDocument() throws -> [String: [UInt8]] {
        let name = try #require(FileName("availability-ios"))
        let body = Array(#"{"invented":true}"#.utf8)
        var files = try forged { manifest in
            let old = try #require(manifest.file(name))
            let date = try #require(old.signatures.first).date
            let digest = DistributionSignature.digest(date: date, body: body)
            let other = ManifestFile(
                name: name,
                mediaType: old.mediaType,
                body: body,
                sequence: old.sequence,
                signatures: try signers.map {
                    DistributionSignature(date: date, signature: try $0.signature(over: digest))
                }
            )
            var forged = Manifest(
                app: manifest.app,
                isDefault: manifest.isDefault,
                issue: manifest.issue,
                files: manifest.files.filter { $0.name != name } + [other]
            )
            (forged.basis, forged.checkpoint) = (manifest.basis, manifest.checkpoint)
            manifest = forged
        }
        files[name.text] = body
        return files
    }

    /// A check of some files against the published log.
    func check(_ files: [String: [UInt8]]) -> SnapshotCheck {
        SnapshotCheck(
            snapshot: { files[$0] },
            log: publicReading(of: folder.log),
            keys: TrustedKeys(keys),
            logKeys: [logKey.verifierKey],
            app: harbour
        )
    }
}
