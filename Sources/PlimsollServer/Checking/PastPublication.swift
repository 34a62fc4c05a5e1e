import PlimsollDocuments
package import PlimsollDomain
import PlimsollPublishing
import PlimsollStore

/// Makes anew what was published of an app at an earlier event, from the record.
///
/// The state at an event is that after the append which it belongs to.
package struct PastPublication: Sendable {
    private let database: RunningDatabase

    /// What was written.
    package struct Outcome: Equatable, Sendable {
        package let app: AppSlug
        /// The last event of the append that was asked for.
        package let event: Position
        package let sequence: SnapshotSequence
        /// The documents, by their names.
        package let files: [String]
    }

    package init(_ database: RunningDatabase) {
        self.database = database
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
                try await Past(EventLog(pool), upTo: event)
            }
        } catch {
            throw .unreadable("The log at \(database.connection) cannot be read: \(error)")
        }
        guard past.end >= event else { throw .notYet(event, newest: past.end) }
        let slugs = past.world.apps.map(\.slug)
        guard let slug = app ?? (slugs.count == 1 ? slugs.first : nil) else {
            throw .appNotNamed(slugs)
        }
        guard let edition = Edition(of: slug, in: past.world, by: past.orders) else {
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
    private(set) var world = World()
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
                world.evolve(recorded)
                orders.evolve(recorded)
                end = recorded.position
            }
        }
    }
}
