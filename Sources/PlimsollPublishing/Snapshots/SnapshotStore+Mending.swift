import Glibc
import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem

/// Damage of what is published: a bit that flipped, a file that is gone or that the disk does not
/// give back.
///
/// What is damaged is never thrown away. It gets a second name below ``ExportFolder/damaged``, so that
/// somebody can find out what it came of.
extension SnapshotStore {
    /// The files as they have to be; `nil` where the manifest or its signatures are not whole.
    ///
    /// Documents follow from the log, and the manifest has their signatures.
    func original(
        of plan: SnapshotPlan,
        trusting keys: TrustedKeys
    ) throws(FileError) -> (files: [PublishedFile], snapshot: VerifiedSnapshot)? {
        let sequence = plan.issue.sequence
        let place = folder.snapshot(sequence, of: plan.app)
        var files = plan.files.map { PublishedFile(name: $0.name.text, bytes: $0.body) }
        for name in [Manifest.fileName, Manifest.signaturesFileName] {
            do throws(FileError) {
                let bytes = try (place / name).read(sizeMaximum: Self.fileSizeMaximum)
                files.append(PublishedFile(name: name, bytes: bytes))
            } catch {
                guard error.isMissing || error.isDamage else { throw error }
                return nil
            }
        }
        // Whatever does not fit is damaged, or was made by another program.
        guard
            let snapshot = try? check(files, sequence, of: plan.app, trusting: keys),
            plan.describes(snapshot)
        else { return nil }
        let described = Set(snapshot.files.map(\.description.name.text))
        let names = described.union([Manifest.fileName, Manifest.signaturesFileName])
        return (files.filter { names.contains($0.name) }, snapshot)
    }

    /// Writes the files anew that are not as they have to be, each in one step.
    package func mend(
        _ files: [PublishedFile],
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(FileError) {
        let place = folder.snapshot(sequence, of: app)
        for file in files {
            let path = place / file.name
            if (try? isSame(path, file.bytes)) == true { continue }
            try folder.keepDamaged(path, below: "\(app)-\(sequence)")
            try FaultPoint.reached("export.damage.kept")
            try path.writeDurably(file.bytes)
        }
        try FaultPoint.reached("export.damage.mended")
    }

    /// Puts a whole snapshot aside that is damaged and not current any more.
    package func putAside(
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(FileError) {
        let place = folder.snapshot(sequence, of: app)
        guard try place.status() != nil, try current(of: app) != sequence else { return }
        try folder.damaged.createFolder()
        try place.rename(to: try folder.free(folder.damaged / "\(app)-\(sequence)"))
        try folder.damaged.synchronizeFolder()
        try place.parent.synchronizeFolder()
    }
}

extension ExportFolder {
    /// Gives what lies there, if anything does, a name among what was found damaged; what is to be
    /// written over stays where it is.
    func keepDamaged(_ path: Path, below name: String) throws(FileError) {
        guard let status = try path.status() else { return }
        let aside = damaged / name
        try aside.createFolder()
        let kept = try free(aside / path.name)
        // Only a file can have two names, and only a file can be written over.
        if status.kind == .file {
            try path.giveSecondName(kept)
        } else {
            try path.rename(to: kept)
        }
        try aside.synchronizeFolder()
    }

    /// The name, or the first like it that is free.
    func free(_ path: Path) throws(FileError) -> Path {
        guard try path.status() != nil else { return path }
        for number in 2... {
            let next = path.parent / "\(path.name).\(number)"
            if try next.status() == nil { return next }
        }
        return path
    }
}

extension FileError {
    /// Whether what lies there is no file of ours, or none that the disk gives back: to read it again
    /// is of no use.
    var isDamage: Bool {
        [EIO, EUCLEAN, EBADMSG, EFBIG, EINVAL, ELOOP, ENXIO].contains(code)
    }
}
