package import PlimsollDomain
import PlimsollExport
import PlimsollFiles
import PlimsollLog
import PlimsollPostgres
import PlimsollStore

/// Looks at every event of the log, in a database that runs already.
///
/// It changes nothing and needs no running service.
/// Where the data folder is known, what lies published in it has to agree with the log.
package struct LogCheck: Sendable {
    private let database: RunningDatabase
    private let export: ExportFolder?

    /// What the whole log came to.
    package enum Finding: Equatable, Sendable {
        /// Everything fits; the root stands for all of it.
        case sound(events: Int, root: String)
        /// The first event that does not fit, and how.
        case broken(Position, String)
    }

    /// Takes the absolute path of the data folder too, if there is one here.
    package init(_ database: RunningDatabase, data: String?) {
        self.database = database
        export = data.map { ExportFolder(Path($0) / "export") }
    }

    package func run() async throws(LogCheckFailure) -> Finding {
        try await database.withPool(sessionsMaximum: 1) { pool throws(LogCheckFailure) in
            try await look(EventLog(pool))
        }
    }

    /// First the log by itself, so that it can be folded; then what others know of it.
    private func look(_ log: EventLog) async throws(LogCheckFailure) -> Finding {
        let root: MerkleRoot
        do throws(LogError) {
            switch try await log.verify() {
            case .sound(let found): root = found
            case .broken(let position, let flaw): return .broken(position, "\(flaw)")
            }
        } catch {
            throw failure(error)
        }
        if let export, let found = try await contradiction(of: log, in: export) { return found }
        return .sound(events: root.size, root: root.hash.description)
    }

    private func contradiction(
        of log: EventLog,
        in export: ExportFolder
    ) async throws(LogCheckFailure) -> Finding? {
        let published: PublishedDocuments
        do throws(FileError) {
            published = try PublishedDocuments(in: export)
        } catch {
            throw LogCheckFailure(description: "The export folder cannot be read. \(error)")
        }
        do throws(LogError) {
            var witness = try await log.replay(into: LogWitness(published)) { witness, event in
                witness.take(event)
            }
            witness.end()
            return witness.contradiction.map { .broken($0.position, $0.sentence) }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: LogError) -> LogCheckFailure {
        guard case .database(let cause) = error else {
            return LogCheckFailure(description: error.description)
        }
        return LogCheckFailure(
            description: "The log at \(database.connection) cannot be read: \(cause.description)"
        )
    }
}

extension RunningDatabase {
    /// Everything that makes the server unsafe for the log now, as sentences.
    package func settingFaults() async throws(LogCheckFailure) -> [String] {
        try await withPool(sessionsMaximum: 1) { pool throws(LogCheckFailure) in
            do {
                try await ServerSafety.check(pool)
                return []
            } catch let fault as UnsafeServer {
                return [fault.description]
            } catch {
                throw LogCheckFailure(
                    description: "The database at \(connection) cannot be read: \(error)"
                )
            }
        }
    }
}

/// The log could not be looked at, which says nothing about what is in it.
package struct LogCheckFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}
