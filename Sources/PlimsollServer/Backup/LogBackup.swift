import PlimsollSystem
import PlimsollPostgres
import PlimsollStore

/// Writes the whole log to a file, and the names of principals to another one beside it.
///
/// The service may run meanwhile: what is written is the log as it was at one moment. Private keys
/// are not in the database, and so not in a backup.
package struct LogBackup: Sendable {
    private let database: RunningDatabase

    /// What was written.
    package struct Outcome: Equatable, Sendable {
        package let events: Int
        package let root: String
        package let names: Int
        package let namesFile: String
    }

    package init(_ database: RunningDatabase) {
        self.database = database
    }

    /// Takes an absolute path; a file that is there already is not written over.
    package func run(to file: String) async throws(BackupFailure) -> Outcome {
        let (log, names) = (Path(file), NamesFile(beside: file))
        do {
            for path in [log, names.path] where try path.status() != nil {
                throw BackupFailure(description: "\(path) is there already.", cause: .file)
            }
            return try await database.withPool(sessionsMaximum: 1) { pool in
                let end = try await Self.write(EventLog(pool), to: log)
                // Read later than the log, so that nobody in it goes without a name.
                let known = try await Directory(pool).everyName()
                try names.write(known)
                return Outcome(
                    events: end.events,
                    root: end.root,
                    names: known.count,
                    namesFile: "\(names.path)"
                )
            }
        } catch let failure as BackupFailure {
            throw failure
        } catch let found as LogFlawFound {
            throw BackupFailure(
                description: "Event \(found.position) cannot be backed up. \(found.flaw)",
                cause: .log
            )
        } catch let error as LogError {
            throw BackupFailure(description: "No backup was written: \(error)", cause: .database)
        } catch let error as PostgresError {
            throw BackupFailure(description: "No backup was written: \(error)", cause: .database)
        } catch {
            throw BackupFailure(description: "No backup was written: \(error)")
        }
    }

    private static func write(_ log: EventLog, to path: Path) async throws -> BackupEnd {
        let file = try GrowingFile(path)
        var sheet = try await log.backUp(into: Sheet(file: file)) { sheet, line in
            try sheet.write(line)
        }
        let end = sheet.seal.end
        try sheet.write(.end(end))
        try sheet.flush()
        try file.finish()
        return end
    }
}

/// Lines on their way to the disk.
private struct Sheet: Sendable {
    let file: GrowingFile
    private(set) var seal = BackupSeal()
    private var bytes: [UInt8] = []

    private static let pieceSize = 1 << 18

    init(file: GrowingFile) {
        self.file = file
    }

    mutating func write(_ line: BackupLine) throws(FileError) {
        let written = line.bytes
        seal.take(line, written)
        bytes += written
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= Self.pieceSize { try flush() }
    }

    mutating func flush() throws(FileError) {
        try file.append(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// There is no backup, or nothing was restored.
package struct BackupFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
    package var cause = Cause.file

    /// Where to look for what is wrong.
    package enum Cause: Equatable, Sendable {
        case file
        case log
        case database
    }
}
