import PlimsollDocuments
package import PlimsollDomain
import PlimsollExport
import PlimsollStore

/// Makes anew what was published of an app at an earlier event, from the record.
///
/// The state at an event is that after the last whole append that ends at it or before it.
package struct PastPublication: Sendable {
    private let database: RunningDatabase

    /// What was written.
    package struct Outcome: Equatable, Sendable {
        package let app: AppSlug
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
        return Inspection(edition, at: event)
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

/// The fold of the log up to an event.
private struct Past: Sendable {
    private(set) var world = World()
    private(set) var orders = PublicationOrders()
    /// The last event that was read, at most the one after that which was asked for.
    private(set) var end = Position.start

    /// Reads one event more than is asked for: it says whether the append ends there.
    init(_ log: EventLog, upTo event: Position) async throws {
        var (world, orders) = (self.world, self.orders)
        var command: CommandID?
        while end <= event {
            let events = try await log.events(after: end)
            for recorded in events where end <= event {
                if recorded.command != command { (self.world, self.orders) = (world, orders) }
                command = recorded.command
                world.evolve(recorded)
                orders.evolve(recorded)
                end = recorded.position
            }
            if events.isEmpty {
                // The log ends, and with it an append.
                (self.world, self.orders) = (world, orders)
                return
            }
        }
    }
}
