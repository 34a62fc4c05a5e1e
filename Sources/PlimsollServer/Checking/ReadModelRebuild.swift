import PlimsollDomain
import PlimsollPostgres
import PlimsollStore

/// Makes the read models anew from the log, in a database that runs already.
///
/// The service may run on: it answers from the old ones until the new ones are whole.
package struct ReadModelRebuild: Sendable {
    private let database: RunningDatabase
    private let entryKeys: EntryKeyFolder?

    /// What the log came to.
    package struct Outcome: Equatable, Sendable {
        package let events: Int
        /// Whether people got the same answers before.
        package let isUnchanged: Bool
    }

    /// Takes the absolute path of the data folder, where it is here: with the keys in it every entry is
    /// seen to be the service's before it is folded.
    package init(_ database: RunningDatabase, data: String? = nil) {
        self.database = database
        entryKeys = EntryKeyFolder(of: data)
    }

    /// Where it fails, the read models are the old ones, unless the failure says otherwise.
    package func run() async throws(DatabaseFailure) -> Outcome {
        do {
            try await StoreSchema.require(database.connection)
            let report = try await database.withPool(sessionsMaximum: Rebuild.sessions) { pool in
                let authentication = EntryAuthentication(keysIn: entryKeys)
                let log = EventLog(pool, authentication: authentication)
                return try await Rebuild(log: log, pool: pool).run()
            }
            return Outcome(
                events: Int(report.position.rawValue),
                isUnchanged: report.isUnchanged
            )
        } catch let left as FormerGenerationLeft {
            throw DatabaseFailure(
                description:
                    "The read models at \(database.connection) are new, but the former ones"
                    + " were not removed: \(left)"
            )
        } catch let error as PostgresError where error.kind == .commitUnknown {
            throw DatabaseFailure(
                description: "It is not known whether the read models at \(database.connection) are"
                    + " new: \(error)"
            )
        } catch {
            throw DatabaseFailure(
                description: "The read models at \(database.connection) are as they were: \(error)"
            )
        }
    }
}
