import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollSystem
import Synchronization

/// A file of a snapshot that was published before, or the list of those that are kept.
struct SnapshotFileName: Sendable {
    let app: AppSlug
    /// `nil` of the list.
    let file: (sequence: SnapshotSequence, name: String)?

    private static let prefix = Array("/distribution/".utf8)
    /// An app, a number, a name, and what stands between.
    private static let pathBytesMaximum = 256

    /// Reads `…/harbour/snapshots/57/manifest.json` or `…/harbour/snapshots/`; a name that no snapshot
    /// may have leads nowhere.
    init?(at path: Range<Int>, in bytes: Span<UInt8>) {
        guard let rest = bytes.text(of: path, behind: Self.prefix, upTo: Self.pathBytesMaximum)
        else { return nil }
        let names = rest.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 2, names[1] == "snapshots", let app = AppSlug(names[0]) else {
            return nil
        }
        self.app = app
        if names.count == 3 {
            guard ["", PublishedSnapshots.listName].contains(names[2]) else { return nil }
            file = nil
            return
        }
        let proofs = [Manifest.fileName, Manifest.signaturesFileName, Manifest.proofFileName]
        guard names.count == 4, let number = Int64(names[2]), String(number) == names[2],
            let sequence = SnapshotSequence(rawValue: number),
            proofs.contains(names[3]) || FileName(names[3]) != nil
        else { return nil }
        file = (sequence, names[3])
    }
}

/// The snapshots that are kept in the export folder, for who asks what was live at a time.
///
/// They stay on the disk. Each file is verified when it is asked for, and anew once anything of it
/// changed: what was verified is remembered of some, so that neither HEAD nor a part reads all of a
/// file. Documents are answered without the headers that phones look at: no phone is led
/// back by an address here.
struct PublishedSnapshots: Sendable {
    private let export: Path
    private let keys: TrustedKeys
    /// What is served of each app: nothing newer is shown.
    private let newest: [AppSlug: SnapshotSequence]
    private let proofs: ProofReader?
    private let logKey: VerifierKey?
    /// How many witnesses have to have seen what is handed out.
    private let quorum: Int
    private let verified: VerifiedFiles

    static let listName = "index.json"
    private static let listSizeMaximum = 4 << 20
    private static let manifestSizeMaximum = 1 << 20
    private static let documentSizeMaximum = Manifest.fileSizeMaximum
    /// What may be written anew under its name.
    private static let passing = "public, max-age=60"

    init(
        in export: Path,
        trusting keys: TrustedKeys,
        newest: [AppSlug: SnapshotSequence],
        proofs: ProofReader?,
        logKey: VerifierKey?,
        quorum: Int = 0,
        isSettled: @escaping @Sendable (ServedFile) -> Bool = \.isSettled
    ) {
        (self.export, self.keys, self.newest) = (export, keys, newest)
        (self.proofs, self.logKey, self.quorum) = (proofs, logKey, quorum)
        verified = VerifiedFiles(isSettled: isSettled)
    }

    /// Few ask, and what they ask for is verified: one at a time is enough.
    ///
    /// Downloads take an eighth of the connections at most, which phones are left the rest of.
    static func workers(descriptors: Admission, connectionsMaximum: Int) -> FileWorkers {
        FileWorkers(
            "snapshots",
            FileWorkers.Limits(
                waiting: 32,
                downloads: min(128, max(1, connectionsMaximum / 8)),
                threads: 1
            ),
            descriptors: descriptors,
            busy: .snapshotsBusy
        )
    }

    /// What is said at once, or else delivered on another thread.
    func open(
        _ name: SnapshotFileName,
        at workers: FileWorkers,
        deliver: @escaping @Sendable (Delivery) -> Void
    ) -> Delivery? {
        workers.open({ () throws(FileError) in try file(name) }, deliver: deliver)
    }

    /// Waits for the disk; `nil` where there is no such file, or it is not what was published.
    func file(_ name: SnapshotFileName) throws(FileError) -> (ServedFile, FileFacts)? {
        guard let newest = newest[name.app] else { return nil }
        let app = ["snapshots", name.app.text]
        guard let (sequence, fileName) = name.file else {
            let list = try content(app + [Self.listName], upTo: Self.listSizeMaximum)
            return list.map { ($0, FileFacts($1, PublishedKeys.mediaType, Self.passing)) }
        }
        let folder = app + ["\(sequence)"]
        guard sequence <= newest else { return nil }
        let place = folder + [fileName]
        guard let found = try ServedFile(place, below: export) else { return nil }
        if let facts = verified.facts(of: found, at: place) { return (found, facts) }
        guard let manifest = try manifest(in: folder, of: name.app),
            manifest.manifest.sequence == sequence, try isSeen(manifest, in: folder)
        else { return nil }
        guard let facts = facts(of: found, called: fileName, by: manifest) else { return nil }
        verified.remember(facts, of: found, at: place)
        return (found, facts)
    }

    private func manifest(
        in folder: [String],
        of app: AppSlug
    ) throws(FileError) -> VerifiedManifest? {
        let maximum = Self.manifestSizeMaximum
        guard
            let bytes = try content(folder + [Manifest.fileName], upTo: maximum)?.bytes,
            let signatures = try content(folder + [Manifest.signaturesFileName], upTo: maximum)?
                .bytes,
            let manifest = try? Manifest.verify(
                bytes,
                signatures: signatures,
                keys: keys,
                expectedApp: app
            )
        else { return nil }
        return manifest
    }

    /// Whether as many witnesses have seen it as have to.
    private func isSeen(
        _ manifest: VerifiedManifest,
        in folder: [String]
    ) throws(FileError) -> Bool {
        guard quorum > 0 else { return true }
        let name = folder + [Manifest.proofFileName]
        guard let bytes = try content(name, upTo: Self.documentSizeMaximum)?.bytes,
            case .proven(let cosignatures) = proofs?(bytes, manifest, logKey)
        else { return false }
        return cosignatures >= quorum
    }

    private func facts(
        of file: ServedFile,
        called name: String,
        by manifest: VerifiedManifest
    ) -> FileFacts? {
        guard let bytes = file.bytes(ifAtMost: Self.documentSizeMaximum) else { return nil }
        switch name {
        case Manifest.fileName:
            guard bytes == manifest.bytes else { return nil }
            return FileFacts(bytes, "application/json", Self.passing)
        case Manifest.signaturesFileName:
            guard bytes == manifest.allSignatures else { return nil }
            return FileFacts(bytes, "text/plain; charset=utf-8", Self.passing)
        case Manifest.proofFileName:
            guard case .proven = proofs?(bytes, manifest, logKey) else { return nil }
            return FileFacts(bytes, "application/json", Self.passing)
        default:
            let described = manifest.manifest.files.first { $0.name.text == name }
            guard let described, described.digest == ContentDigest(of: bytes),
                described.mediaType.utf8.allSatisfy(\.isFieldContent)
            else { return nil }
            return FileFacts(bytes, described.mediaType)
        }
    }

    /// A file with all its bytes; `nil` where there is none, or one that is too large.
    private func content(
        _ names: [String],
        upTo maximum: Int
    ) throws(FileError) -> (file: ServedFile, bytes: [UInt8])? {
        guard let file = try ServedFile(names, below: export) else { return nil }
        return file.bytes(ifAtMost: maximum).map { (file, $0) }
    }
}

/// What is known of files that were verified, as long as nothing of them changes.
///
/// It is forgotten with every table, so that what is trusted today says what is handed out today.
private final class VerifiedFiles: Sendable {
    /// A file that was moved elsewhere is not what was verified there.
    private struct Key: Hashable {
        let place: [String]
        let version: FileVersion
    }

    private let known = Mutex<[Key: FileFacts]>([:])
    private let isSettled: @Sendable (ServedFile) -> Bool

    /// So many files are remembered; then all are verified anew.
    private static let maximum = 1000

    init(isSettled: @escaping @Sendable (ServedFile) -> Bool) { self.isSettled = isSettled }

    func facts(of file: ServedFile, at place: [String]) -> FileFacts? {
        known.withLock { $0[Key(place: place, version: file.version)] }
    }

    func remember(_ facts: FileFacts, of file: ServedFile, at place: [String]) {
        guard isSettled(file) else { return }
        known.withLock {
            if $0.count >= Self.maximum { $0.removeAll() }
            $0[Key(place: place, version: file.version)] = facts
        }
    }
}
