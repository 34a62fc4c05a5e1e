import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem

/// What was ever published and still lies on the disk: witnesses of what the log said.
///
/// Whoever changes the log in the database, hashes and all, would have to change these too, and
/// cannot sign them.
struct PublishedDocuments: Sendable {
    /// A document as it was published, and the event whose state it shows.
    struct Published: Sendable {
        let app: AppSlug
        let document: Document
        let file: String
    }

    private(set) var byPosition: [Position: [Published]] = [:]
    /// A file that is no published document, though it has the name of one.
    private(set) var unreadable: (Position, String)?

    private static let sizeMaximum = 4 << 20

    private let givenUp: [ClosedRange<Int>]

    /// Reads every snapshot of an export folder; one that is not there has none.
    ///
    /// What was published of events that were given up says nothing of those that stand there now.
    init(in folder: ExportFolder, givenUp: [ClosedRange<Int>] = []) throws(FileError) {
        self.givenUp = givenUp
        for name in try Self.entries(of: folder.snapshots) {
            guard let app = AppSlug(name) else { continue }
            for name in try Self.entries(of: folder.snapshots(of: app)) {
                guard let sequence = Int64(name).flatMap(SnapshotSequence.init(rawValue:)) else {
                    continue
                }
                try read(folder.snapshot(sequence, of: app), app, sequence)
            }
        }
    }

    private mutating func read(
        _ snapshot: Path,
        _ app: AppSlug,
        _ sequence: SnapshotSequence
    ) throws(FileError) {
        for platform in Platform.allCases {
            guard let name = AvailabilityDocument.fileName(for: platform) else { continue }
            let file = snapshot / name.text
            guard let bytes = try file.readIfPresent(sizeMaximum: Self.sizeMaximum) else {
                continue
            }
            guard
                let availability = try? AvailabilityDocument(
                    parsing: bytes,
                    platform: platform,
                    profile: .minimal
                ),
                let stamp = availability.stamp, stamp.app == app
            else {
                let position = Position(Int(sequence.rawValue))
                unreadable = unreadable ?? (position, "\(file) is not a published document.")
                continue
            }
            let published = Published(
                app: app,
                document: availability.document,
                file: "\(file)"
            )
            let position = stamp.issue.position
            let isGivenUp = givenUp.contains { $0.contains(Int(position.rawValue)) }
            guard !isGivenUp else { continue }
            byPosition[position, default: []].append(published)
        }
    }

    /// A folder may go while it is looked at.
    private static func entries(of folder: Path) throws(FileError) -> [String] {
        do throws(FileError) {
            return try folder.entries().sorted()
        } catch {
            guard error.isMissing else { throw error }
            return []
        }
    }
}
