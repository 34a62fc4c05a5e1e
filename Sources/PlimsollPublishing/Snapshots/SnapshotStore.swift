package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem

/// The export directory as the exporter writes it: whole snapshots, and a link to the current one.
///
/// The order of a publication, and why it holds whatever dies between two lines:
///
/// 1. ``publish(_:)``: the public keys. Nobody meets a signature whose key is not there yet.
/// 2. ``add(_:_:of:)``: the snapshot under its number, whole and on the disk (as
///    `FolderPublication` explains). Nobody looks there yet. What already has the number is
///    left as it is.
/// 3. ``snapshot(_:of:trusting:)``: it is read back and checked as a client checks it, whoever
///    wrote it. A bit that flipped between our memory and the file system stops here. Where this
///    process has just written it, its files are checked while the disk takes them
///    (``check(_:_:of:trusting:)``), and what is read back has to be the very same
///    (``holds(_:_:of:)``).
/// 4. ``makeCurrent(_:of:)``: the link, in one step. From here on it is published.
/// 5. The sinks are told.
/// 6. ``makeCurrentLast()``: the link is on the disk. It comes after the sinks because phones
///    need not wait for it: a power cut before it brings back the former link, which leads to a
///    whole snapshot, and the next start makes the same step again from the log. It comes before
///    `SnapshotPublished`, so what the log says was published stays published.
///
/// All of it waits for the disk, so it is called on ``Disk``. Only the leader may change anything,
/// and what becomes current is fenced by its ``ExportTerm``.
package struct SnapshotStore: Sendable {
    package let folder: ExportFolder

    /// Far above what apps say.
    ///
    /// Nothing bounds how many texts they have, and offers that are derived repeat them: what is longer
    /// is not published.
    static let fileSizeMaximum = Manifest.fileSizeMaximum

    package init(_ folder: ExportFolder) {
        self.folder = folder
    }

    /// Makes the folders, and sweeps what a killed exporter left unfinished.
    package func prepare() throws(FileError) {
        for place in [folder.snapshots, folder.currents, folder.keys] {
            try place.createFolder()
            try place.removeLeftovers()
        }
        try folder.root.removeLeftovers()
        for name in try folder.snapshots.entries() {
            try (folder.snapshots / name).removeLeftovers()
        }
    }

    /// Whether somebody has taken away what ``prepare()`` made, or the leader's own place.
    func isEmptied(in term: ExportTerm) throws(FileError) -> Bool {
        for place in [folder.snapshots, folder.currents, folder.keys]
        where try place.status() == nil { return true }
        return try term.isLost()
    }

    /// Publishes the public keys: each on its own first, then the list, if it is another one and no
    /// other instance leads by now.
    package func publish(_ keys: PublishedKeys, in term: ExportTerm) throws {
        for key in keys.keys {
            let pem = Array(key.publicKey.pem.utf8)
            try replace(folder.key(key.id), by: pem)
        }
        if try !isSame(folder.keyList, keys.bytes) {
            try term.write(keys.bytes, to: folder.keyList)
        }
        try FaultPoint.reached("export.keys.published")
    }

    /// Adds a snapshot, durably; what already has the number stays as it is.
    package func add(
        _ files: [PublishedFile],
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(FileError) {
        try folder.snapshots(of: app).createFolder()
        _ = try FolderPublication.publish(files, as: folder.snapshot(sequence, of: app))
        try FaultPoint.reached("export.snapshot.added")
    }

    package func has(_ sequence: SnapshotSequence, of app: AppSlug) throws(FileError) -> Bool {
        try folder.snapshot(sequence, of: app).status() != nil
    }

    /// Whether what lies under a number is these files, byte for byte.
    package func holds(
        _ files: [PublishedFile],
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(FileError) -> Bool {
        let place = folder.snapshot(sequence, of: app)
        for file in files {
            let bytes = try (place / file.name).readIfPresent(sizeMaximum: Self.fileSizeMaximum)
            guard bytes == file.bytes else { return false }
        }
        return true
    }

    /// Reads a snapshot and checks every byte of it as a client does.
    package func snapshot(
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        trusting keys: TrustedKeys
    ) throws(PublicationFailure) -> VerifiedSnapshot {
        let place = folder.snapshot(sequence, of: app)
        return try check(sequence, of: app, trusting: keys) { name throws(FileError) in
            try read(place / name)
        }
    }

    /// Checks the files of a snapshot in the same way before they are read from the disk.
    package func check(
        _ files: [PublishedFile],
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        trusting keys: TrustedKeys
    ) throws(PublicationFailure) -> VerifiedSnapshot {
        let bytes = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.bytes) })
        return try check(sequence, of: app, trusting: keys) { bytes[$0] ?? [] }
    }

    private func check(
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        trusting keys: TrustedKeys,
        _ read: (String) throws(FileError) -> [UInt8]
    ) throws(PublicationFailure) -> VerifiedSnapshot {
        let place = folder.snapshot(sequence, of: app)
        do {
            let manifest = try Manifest.verify(
                try read(Manifest.fileName),
                signatures: try read(Manifest.signaturesFileName),
                keys: keys,
                expectedApp: app
            )
            guard manifest.manifest.sequence == sequence else {
                throw PublicationFailure.damaged(
                    sequence,
                    place,
                    reason: "its manifest is that of \(manifest.manifest.sequence)"
                )
            }
            var bodies: [FileName: [UInt8]] = [:]
            for file in manifest.manifest.files {
                bodies[file.name] = try read(file.name.text)
            }
            return try manifest.verify(bodies)
        } catch let error as PublicationFailure {
            throw error
        } catch let error as VerificationRefusal {
            throw .damaged(sequence, place, reason: error.description)
        } catch let error as FileError where error.isMissing {
            throw .damaged(sequence, place, reason: "\(error.path.name) is missing")
        } catch let error as FileError where error.isDamage {
            throw .damaged(
                sequence,
                place,
                reason: "\(error.path.name): \(error.explanation ?? error.cause)"
            )
        } catch let error as FileError {
            throw .disk(error)
        } catch {
            preconditionFailure("reading a snapshot throws nothing else")
        }
    }

    /// Which snapshot is published now; `nil` where none is, or the link is not one of ours.
    package func current(of app: AppSlug) throws(FileError) -> SnapshotSequence? {
        try folder.current(of: app).symbolicLinkDestination().flatMap {
            folder.sequence(inDestination: $0, of: app)
        }
    }

    /// Publishes a snapshot that is there and was checked.
    package func makeCurrent(
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(FileError) {
        try folder.current(of: app).pointSymbolicLink(
            to: folder.currentDestination(sequence, of: app),
            durability: .later
        )
        try FaultPoint.reached("export.current.switched")
    }

    /// The same in a folder that several instances may write to: only the latest leader does, and
    /// nothing that is older than what is current.
    package func makeCurrent(
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        in term: ExportTerm
    ) throws {
        if let standing = try current(of: app), standing > sequence {
            throw PublicationFailure.ahead(published: standing, ordered: sequence)
        }
        try FaultPoint.reached("export.current.compared")
        try term.point(
            folder.current(of: app),
            to: folder.currentDestination(sequence, of: app)
        )
        try FaultPoint.reached("export.current.switched")
    }

    /// Makes the links last through a power cut.
    package func makeCurrentLast() throws(FileError) {
        try folder.currents.synchronizeFolder()
        try FaultPoint.reached("export.current.durable")
    }

    private func read(_ path: Path) throws(FileError) -> [UInt8] {
        try path.read(sizeMaximum: Self.fileSizeMaximum)
    }

    /// Writes a file unless it is there with the same bytes.
    private func replace(_ path: Path, by bytes: [UInt8]) throws(FileError) {
        if try !isSame(path, bytes) { try path.writeDurably(bytes) }
    }

    func isSame(_ path: Path, _ bytes: [UInt8]) throws(FileError) -> Bool {
        guard try path.status()?.kind == .file else { return false }
        return try read(path) == bytes
    }
}

extension VerifiedSnapshot {
    var sequence: SnapshotSequence { manifest.manifest.sequence }
}

extension PublicationRecord {
    /// What the log is told of a snapshot.
    init(_ snapshot: VerifiedSnapshot) {
        let keys = snapshot.files.flatMap { $0.description.signatures.map(\.keyID) }
        self.init(
            sequence: snapshot.sequence,
            position: snapshot.manifest.manifest.issue.position,
            manifestDigest: ContentDigest(of: snapshot.manifest.bytes).hex,
            keys: Set(keys).sorted()
        )
    }
}
