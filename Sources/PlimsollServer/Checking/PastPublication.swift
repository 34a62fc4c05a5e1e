import FoundationEssentials
import PlimsollDocuments
package import PlimsollDomain
package import PlimsollPublishing
import PlimsollStore
import PlimsollSystem

/// Makes anew what was published of an app at an earlier event, from the record.
///
/// The state at an event is that after the append which it belongs to.
package struct PastPublication: Sendable {
    private let database: RunningDatabase
    private let entryKeys: EntryKeyFolder?

    /// What was written.
    package struct Outcome: Equatable, Sendable {
        package let app: AppSlug
        /// The last event of the append that was asked for.
        package let event: Position
        package let sequence: SnapshotSequence
        /// The documents, by their names.
        package let files: [String]
    }

    /// Takes the absolute path of the data folder, where it is here: with the keys in it every entry is
    /// seen to be the service's.
    package init(_ database: RunningDatabase, data: String? = nil) {
        self.database = database
        entryKeys = EntryKeyFolder(of: data)
    }

    /// Writes the app's documents at the event; where no app is named, it has to be the only one.
    package func write(
        _ app: AppSlug?,
        at event: Position,
        to place: InspectionPlace
    ) async throws(PastPublicationFailure) -> Outcome {
        let inspection = try await inspection(of: app, at: event)
        try await place.write(inspection)
        return Outcome(
            app: inspection.app,
            event: inspection.event,
            sequence: inspection.sequence,
            files: inspection.manifest.files.map(\.name.text)
        )
    }

    private func inspection(
        of app: AppSlug?,
        at event: Position
    ) async throws(PastPublicationFailure) -> Inspection {
        let past: Past
        do {
            try await StoreSchema.require(database.connection)
            past = try await database.withPool(sessionsMaximum: 1) { pool in
                let authentication = EntryAuthentication(keysIn: entryKeys)
                return try await Past(EventLog(pool, authentication: authentication), upTo: event)
            }
        } catch {
            throw .unreadable("The log at \(database.connection) cannot be read: \(error)")
        }
        guard past.end >= event else { throw .notYet(event, newest: past.end) }
        let slugs = past.logState.apps.map(\.slug)
        guard let slug = app ?? (slugs.count == 1 ? slugs.first : nil) else {
            throw .appNotNamed(slugs)
        }
        guard let edition = Edition(of: slug, in: past.logState, by: past.orders) else {
            throw .notPublished(slug, event)
        }
        return Inspection(edition, at: past.end)
    }
}

/// Why there is nothing to look at.
package enum PastPublicationFailure: Error, Equatable, Sendable {
    case unreadable(String)
    case notYet(Position, newest: Position)
    case appNotNamed([AppSlug])
    case notPublished(AppSlug, Position)
    case notWritten(String)
}

/// The fold of the log up to the end of an event's append.
private struct Past: Sendable {
    private(set) var logState = LogState()
    private(set) var orders = PublicationOrders()
    /// Where that append ends; where the log does, if that is before the event.
    private(set) var end = Position.start

    init(_ log: EventLog, upTo event: Position) async throws {
        var command: CommandID?
        while true {
            let events = try await log.events(after: end)
            guard !events.isEmpty else { return }
            for recorded in events {
                if end >= event, recorded.command != command { return }
                command = recorded.command
                logState.evolve(recorded)
                orders.evolve(recorded)
                end = recorded.position
            }
        }
    }
}

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

    private let givenUp: [ClosedRange<Int>]

    /// Reads every snapshot of an export folder; one that is not there has none.
    ///
    /// What was published of events that were given up says nothing of those that stand there now.
    init(in folder: ExportFolder, givenUp: [ClosedRange<Int>] = []) throws(FileError) {
        self.givenUp = givenUp
        for name in try folder.snapshots.entriesIfPresent() {
            guard let app = AppSlug(name) else { continue }
            // A folder may go while it is looked at.
            for name in try folder.snapshots(of: app).entriesIfPresent() {
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
            guard let bytes = try file.readIfPresent(sizeMaximum: Manifest.fileSizeMaximum) else {
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
}

/// Where an inspection is written: a folder or an object store.
package enum InspectionPlace: Sendable {
    case folder(String)
    case store(StorePlace)

    package static let grammar = "a folder, or \(StoreAddress.grammar)"

    /// Takes what an operator named, a folder by its absolute path; `nil` for a store that is none.
    package init?(_ text: String, environment: [String: String]) {
        guard text.hasPrefix("s3://") else {
            self = .folder(text)
            return
        }
        guard
            let address = StoreAddress(text),
            let place = StorePlace(address, environment: environment)
        else { return nil }
        self = .store(place)
    }

    func write(_ inspection: Inspection) async throws(PastPublicationFailure) {
        do {
            switch self {
            case .folder(let path): try inspection.write(to: ExportFolder(Path(path)))
            case .store(let place):
                try await StoreInspection(inspection).write(to: place) { Instant(Date.now) }
            }
        } catch let error as InspectionNotWritten {
            throw .notWritten(error.description)
        } catch let error as SinkRefusal {
            throw .notWritten("The store did not take it: \(error.reason).")
        } catch {
            throw .notWritten("It could not be written: \(error).")
        }
    }
}
