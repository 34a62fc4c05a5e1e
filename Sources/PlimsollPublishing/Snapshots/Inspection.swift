package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem

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
