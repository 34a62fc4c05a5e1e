import PlimsollDomain
import PlimsollStore

/// Makes the read models anew from the log, in a database that runs already.
///
/// The service may run on: it answers from the old ones until the new ones are whole.
package struct ReadModelRebuild: Sendable {
    private let database: RunningDatabase

    /// What the log came to.
    package struct Outcome: Equatable, Sendable {
        package let events: Int
        /// Whether people got the same answers before.
        package let isUnchanged: Bool
    }

    package init(_ database: RunningDatabase) {
        self.database = database
    }

    package func run() async throws(ReadModelRebuildFailure) -> Outcome {
        do {
            try await StoreSchema.require(database.connection)
            // One more than the load needs: the switch holds the appends back over one of them.
            let sessions = Rebuild.sessions + 1
            let report = try await database.withPool(sessionsMaximum: sessions) { pool in
                try await Rebuild(log: EventLog(pool), pool: pool).run()
            }
            return Outcome(
                events: Int(report.position.rawValue),
                isUnchanged: report.isUnchanged
            )
        } catch {
            throw ReadModelRebuildFailure(
                description: "The read models at \(database.connection) are as they were: \(error)"
            )
        }
    }
}

/// The read models are the old ones.
package struct ReadModelRebuildFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}
