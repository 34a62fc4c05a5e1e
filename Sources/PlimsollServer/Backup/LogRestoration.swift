package import PlimsollDomain
import PlimsollSystem
import PlimsollStore

/// Fills an empty database from a backup, which is verified first.
package struct LogRestoration: Sendable {
    private let database: RunningDatabase

    /// What came of it.
    package enum Outcome: Equatable, Sendable {
        case restored(events: Int, root: String, names: Int)
        /// The backup does not verify; nothing was written.
        case broken(Position, String)
    }

    package init(_ database: RunningDatabase) {
        self.database = database
    }

    /// Takes an absolute path, and the checkpoints that the backup has to agree with.
    package func run(
        from file: String,
        outside: [OutsideCheckpoint] = []
    ) async throws(BackupFailure) -> Outcome {
        do {
            switch try await BackupCheck(file, outside: outside).run() {
            case .broken(let position, let sentence): return .broken(position, sentence)
            case .sound(let events, let root):
                let names = try NamesFile(beside: file).read()
                try await restore(Path(file), names)
                try await confirm(events, root)
                return .restored(events: events, root: root, names: names.count)
            }
        } catch let failure as BackupFailure {
            throw failure
        } catch {
            throw BackupFailure(description: "Nothing was restored. \(error)")
        }
    }

    private func restore(_ file: Path, _ names: [PrincipalID: String]) async throws {
        try await StoreSchema.restore(
            database.connection,
            from: try LineSource(backup: file),
            names: names
        ) { source in
            try source.line().map { line in try BackupLine(parsing: line) }
        }
    }

    /// Looks at what is in the database now.
    private func confirm(_ events: Int, _ root: String) async throws {
        let finding = try await LogCheck(database, data: nil).run()
        guard finding == .sound(events: events, root: root) else {
            throw BackupFailure(
                description: "The backup was restored, but the database now has something else:"
                    + " \(finding). Do not use it."
            )
        }
    }
}
