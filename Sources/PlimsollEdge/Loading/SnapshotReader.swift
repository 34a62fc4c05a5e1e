import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem

/// Reads snapshots from an export folder, and lets through only what was verified.
struct SnapshotReader {
    private let export: Path

    init(_ export: Path) {
        self.export = export
    }

    private static let documentSizeMaximum = 16 << 20
    private static let manifestSizeMaximum = 1 << 20

    /// The apps that have a current snapshot, in the order of their names.
    func apps() throws(FileError) -> [AppSlug] {
        do {
            return try (export / "current").entries().compactMap(AppSlug.init)
        } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }

    /// Which snapshot an app's link leads to; nil where there is no link.
    ///
    /// The text of the link is taken apart rather than followed: it can lead nowhere but to a
    /// snapshot of this app, and all files are then read from that one folder, whatever becomes
    /// of the link meanwhile.
    func currentSequence(of app: AppSlug) throws(LoadRefusal) -> SnapshotSequence? {
        let link = export / "current" / app.text
        let destination: String?
        do {
            destination = try link.symbolicLinkDestination()
            if destination == nil, try link.status() != nil {
                throw LoadRefusal.linkMalformed("itself")
            }
        } catch let error as FileError {
            throw .unreadable(error)
        } catch {
            throw .linkMalformed(link.string)
        }
        guard let destination else { return nil }
        let prefix = "../snapshots/\(app)/"
        let name = destination.dropFirst(prefix.count)
        guard
            destination.hasPrefix(prefix), let number = Int64(name), String(number) == name,
            let sequence = SnapshotSequence(rawValue: number)
        else { throw .linkMalformed(destination) }
        return sequence
    }

    /// Which folder a snapshot lies in; nil where there is none.
    func identity(
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) throws(LoadRefusal) -> FileIdentity? {
        do {
            return try folder(sequence, of: app).identity()
        } catch {
            throw .unreadable(error)
        }
    }

    func snapshot(
        _ sequence: SnapshotSequence,
        of app: AppSlug,
        keys: TrustedKeys
    ) throws(LoadRefusal) -> VerifiedSnapshot {
        let folder = folder(sequence, of: app)
        let bytes = try read(folder / Manifest.fileName, Self.manifestSizeMaximum)
        let signatures = try read(folder / Manifest.signaturesFileName, Self.manifestSizeMaximum)
        let verified = try trusted(
            Manifest.verify(bytes, signatures: signatures, keys: keys, expectedApp: app)
        )
        let manifest = verified.manifest
        guard manifest.sequence == sequence else {
            throw .anotherSequence(found: manifest.sequence, expected: sequence)
        }
        var bodies: [FileName: [UInt8]] = [:]
        for file in manifest.files {
            bodies[file.name] = try read(folder / file.name.text, Self.documentSizeMaximum)
        }
        return try trusted(verified.verify(bodies))
    }

    /// The published keys; nil where there are none, or none that can be read.
    func publishedKeys() -> PublishedKeys? {
        // The list says nothing that somebody did not choose to trust, so an unreadable one is
        // worth no more than a missing one.
        guard
            let bytes = try? (export / PublishedKeys.fileName).read(
                sizeMaximum: PublishedKeys.sizeMaximum
            )
        else { return nil }
        return try? PublishedKeys(parsing: bytes)
    }

    private func folder(_ sequence: SnapshotSequence, of app: AppSlug) -> Path {
        export / "snapshots" / app.text / "\(sequence)"
    }

    private func read(_ path: Path, _ sizeMaximum: Int) throws(LoadRefusal) -> [UInt8] {
        do {
            return try path.read(sizeMaximum: sizeMaximum)
        } catch {
            throw .unreadable(error)
        }
    }

    private func trusted<Verified>(
        _ verification: Verification<Verified>
    ) throws(LoadRefusal) -> Verified {
        switch verification {
        case .verified(let value): return value
        case .refused(let refusal): throw .untrusted(refusal)
        }
    }
}
