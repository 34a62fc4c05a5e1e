package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollLog
package import PlimsollSystem

/// Where everything lies that is published: names only, no disk is touched.
///
/// ```
/// keys.json                              the public keys of all apps
/// keys/{keyId}.pem
/// snapshots/{app}/{sequence}/…           never changed once it has its name, but for the proof
/// snapshots/{app}/{sequence}/proof.json  that the log recorded its manifest; comes later
/// snapshots/{app}/index.json             which of them are kept
/// current/{app}                          symbolic link to ../snapshots/{app}/{sequence}
/// log/key                                what checks the log's checkpoints
/// log/checkpoint                         the newest, signed
/// log/tile/…                             the hashes under it, which never change
/// log-{size}-{root}/…                    a log that was given up, as it was
/// given-up/{size}-{root}                 that it was, signed
/// .terms/{epoch}-{holder}/               where the latest leader prepares what it switches
/// .damaged/{app}-{sequence}/…            what was found damaged, as it was found; below log/ of the log
/// ```
package struct ExportFolder: Hashable, Sendable {
    package let root: Path

    package init(_ root: Path) {
        self.root = root
    }

    package var keyList: Path { root / "keys.json" }
    package var keys: Path { root / "keys" }
    package var snapshots: Path { root / "snapshots" }
    package var currents: Path { root / "current" }

    package var log: Path { root / "log" }
    package var logKey: Path { log / "key" }
    package var logCheckpoint: Path { log / "checkpoint" }
    package var logTiles: Path { log / "tile" }

    package var givenUp: Path { root / "given-up" }

    package var terms: Path { root / ".terms" }

    package var damaged: Path { root / ".damaged" }

    package func givenUp(_ merkleRoot: MerkleRoot) -> Path {
        givenUp / "\(merkleRoot.size)-\(merkleRoot.hash)"
    }

    /// Where a log lies that was given up.
    func logSetAside(_ merkleRoot: MerkleRoot) -> Path {
        root / "\(Self.setAsidePrefix)\(merkleRoot.size)-\(merkleRoot.hash.description.prefix(8))"
    }

    /// The logs that were set aside here.
    package func logsSetAside() throws(FileError) -> [Path] {
        try root.entriesIfPresent().filter { $0.hasPrefix(Self.setAsidePrefix) }.map { root / $0 }
    }

    private static let setAsidePrefix = "log-"

    package func tile(_ address: TileAddress) -> Path { log / address.path }

    package func key(_ id: KeyID) -> Path { keys / "\(id).pem" }

    package func snapshots(of app: AppSlug) -> Path { snapshots / app.text }

    package func snapshot(_ sequence: SnapshotSequence, of app: AppSlug) -> Path {
        snapshots(of: app) / "\(sequence)"
    }

    package func proof(_ sequence: SnapshotSequence, of app: AppSlug) -> Path {
        snapshot(sequence, of: app) / Manifest.proofFileName
    }

    package func current(of app: AppSlug) -> Path { currents / app.text }

    /// What is written in the link of ``current(of:)``.
    package func currentDestination(_ sequence: SnapshotSequence, of app: AppSlug) -> String {
        "../snapshots/\(app)/\(sequence)"
    }

    /// Reads what ``currentDestination(_:of:)`` gives.
    package func sequence(inDestination text: String, of app: AppSlug) -> SnapshotSequence? {
        guard
            let last = text.split(separator: "/").last, let number = Int64(last),
            let sequence = SnapshotSequence(rawValue: number),
            currentDestination(sequence, of: app) == text
        else { return nil }
        return sequence
    }
}

/// What was published of an app at an earlier event, to be looked at.
///
/// It is marked in its manifest and signed by nobody, neither the documents nor the manifest: what
/// phones and edges want of a live snapshot, it cannot have.
package struct Inspection: Equatable, Sendable {
    package let app: AppSlug
    /// The event whose state it shows.
    package let event: Position
    /// The number that the snapshot had, or would have had.
    package let sequence: SnapshotSequence
    package let manifest: Manifest
    /// The documents, byte for byte as they were published then, the manifest and an empty file
    /// where a live snapshot has signatures.
    package let files: [PublishedFile]

    /// Takes the documents from an edition of the state at the event.
    package init(_ edition: Edition, at event: Position) {
        let plan = SnapshotPlan(edition)
        var manifest = Manifest(
            app: plan.app,
            isDefault: plan.isDefault,
            issue: plan.issue,
            files: plan.files.map { file in
                ManifestFile(
                    name: file.name,
                    mediaType: file.mediaType,
                    body: file.body,
                    sequence: file.sequence,
                    signatures: []
                )
            }
        )
        (manifest.basis, manifest.inspection) = (plan.basis, event)
        app = plan.app
        sequence = plan.issue.sequence
        files =
            plan.files.map { PublishedFile(name: $0.name.text, bytes: $0.body) } + [
                PublishedFile(name: Manifest.fileName, bytes: manifest.bytes),
                PublishedFile(name: Manifest.signaturesFileName, bytes: []),
            ]
        self.event = event
        self.manifest = manifest
    }

    /// Writes it in the form of an export directory.
    ///
    /// Nothing may be there yet: beside what is live, an inspection could be taken for it.
    package func write(to folder: ExportFolder) throws(InspectionNotWritten) {
        do {
            guard try isFree(folder.root) else {
                throw InspectionNotWritten.occupied(folder.root)
            }
            let store = SnapshotStore(folder)
            try store.prepare()
            try store.add(files, sequence, of: app)
            try store.makeCurrent(sequence, of: app)
            try store.makeCurrentLast()
        } catch let error as InspectionNotWritten {
            throw error
        } catch let error as FileError {
            throw .disk(error)
        } catch {
            preconditionFailure("only files are touched here")
        }
    }

    private func isFree(_ place: Path) throws(FileError) -> Bool {
        guard try place.status() != nil else { return true }
        guard try place.isFolder() else { return false }
        return try place.entries().isEmpty
    }
}

/// Why an inspection was not written.
package enum InspectionNotWritten: Error, Equatable, Sendable {
    case occupied(Path)
    case disk(FileError)
}

extension InspectionNotWritten: CustomStringConvertible {
    package var description: String {
        switch self {
        case .occupied(let place):
            "\(place) is not empty; name a folder that is, or none that is there yet."
        case .disk(let error): "It could not be written: \(error)."
        }
    }
}
