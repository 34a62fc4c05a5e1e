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
    /// The place of the record of what was published: the last entry of the beginning.
    private let recorded: Int
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
        recorded = entries.count - 1
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

    /// The proof of what was published, under a checkpoint over all entries; by whoever has the key
    /// of a log also under another one.
    func proof(
        of entry: [UInt8]? = nil,
        cosignedBy witnesses: [Cosigner] = [],
        signedBy logKey: LogSigner? = nil
    ) throws -> EntryProof {
        let logKey = logKey ?? self.logKey
        var entries = entries
        if let entry { entries[recorded] = entry }
        let tree = MerkleTree(leaves: entries.map(MerkleHash.leaf))
        let bare = try logKey.sign(tree.root)
        let trust = LogTrust(logKeys: [logKey.verifierKey])
        guard case .verified(let verified) = bare.verification(by: trust) else {
            throw CheckpointRefusal.notByTheLog
        }
        let lines = try witnesses.map { try $0.cosign(verified, posixSeconds: 1) }
        return EntryProof(
            entry: entries[recorded],
            inclusion: tree.inclusionProof(of: recorded, size: entries.count),
            checkpoint: try bare.adding(lines)
        )
    }

    /// Lets the log grow by what is of no matter here.
    mutating func grow() throws {
        entries.append(Array("one more".utf8))
        try publishLog()
    }

    /// The files of what is current, by their names, and the proof of it.
    func files() throws -> [String: [UInt8]] {
        let place = folder.current(of: harbour)
        var files: [String: [UInt8]] = [:]
        for name in try place.entries() {
            files[name] = try (place / name).read(sizeMaximum: 1 << 20)
        }
        files[Manifest.proofFileName] = try proof().bytes
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

    /// What the log would have recorded of a manifest.
    func entry(of manifest: [UInt8]) throws -> [UInt8] {
        let issue = try Manifest(parsing: manifest).issue
        let honest = try EventCodec.decode(entries[recorded], at: Position(recorded + 1))
        let record = PublicationRecord(
            sequence: issue.sequence,
            position: issue.position,
            manifestDigest: ContentDigest(of: manifest).hex,
            keys: keys.keys.map(\.id)
        )
        return try EventCodec.encode(
            RecordedEvent(
                position: honest.position,
                id: honest.id,
                stream: honest.stream,
                revision: honest.revision,
                recordedAt: honest.recordedAt,
                command: honest.command,
                origin: honest.origin,
                event: .export(.snapshotPublished(record))
            )
        )
    }

    /// A check of some files against the published log.
    func check(
        _ files: [String: [UInt8]],
        witnesses: [VerifierKey] = [],
        quorum: Int = 0
    ) -> SnapshotCheck {
        SnapshotCheck(
            snapshot: { files[$0] },
            log: publicReading(of: folder.log),
            keys: TrustedKeys(keys),
            trust: LogTrust(
                logKeys: [logKey.verifierKey],
                witnesses: witnesses,
                witnessesNeeded: quorum
            ),
            app: harbour
        )
    }
}
