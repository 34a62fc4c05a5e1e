package import PlimsollDomain
import PlimsollJSON
package import PlimsollLog
import PlimsollPostgres
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem

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
            try await refuseOtherSchema()
            return try await database.withPool(sessionsMaximum: 1) { pool in
                let file = try GrowingFile(log)
                let end = try await Self.write(EventLog(pool), to: file)
                // Read later than the log, so that nobody in it goes without a name.
                let known = try await Directory(pool).everyName()
                try names.write(known)
                do throws(FileError) {
                    try file.finish()
                } catch {
                    // The first error is the one that explains; of a backup that is there its names stay.
                    if (try? log.status() == nil) ?? false { _ = try? names.path.removeFile() }
                    throw error
                }
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

    /// A newer program keeps what this one would leave out, and of an older one this asks for what is
    /// not there.
    private func refuseOtherSchema() async throws(BackupFailure) {
        do {
            try await StoreSchema.require(database.connection)
        } catch MigrationError.newerSchema {
            throw Self.refusal("a newer", "the plimsoll that the service runs")
        } catch MigrationError.olderSchema, MigrationError.beforeBaseline {
            // Which may be because this one refuses to bring it up to date.
            throw Self.refusal("an older", "the program that was here before")
        } catch {
            // Whatever else is wrong shows where the log is read.
        }
    }

    private static func refusal(_ age: String, _ program: String) -> BackupFailure {
        BackupFailure(
            description: "No backup was written: the database has the schema of \(age)"
                + " version. Make the backup with \(program).",
            cause: .place
        )
    }

    private static func write(_ log: EventLog, to file: GrowingFile) async throws -> BackupEnd {
        var output = try await log.backUp(into: BufferedBackupFile(file: file)) { output, line in
            try output.write(line)
        }
        let end = output.seal.end
        try output.write(.end(end))
        try output.flush()
        return end
    }
}

/// Lines on their way to the disk.
private struct BufferedBackupFile: Sendable {
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

/// There is no backup, or it was not restored, or nobody knows; the description says which.
package struct BackupFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
    package var cause = Cause.file

    /// Where to look for what is wrong.
    package enum Cause: Equatable, Sendable {
        case file
        case log
        case database
        /// The database cannot be worked with where it is; the description says what is in the way.
        case place
        /// Nobody knows whether it was done: the same again tells.
        case commit
    }
}

/// Fills an empty database from a backup, which is verified first.
package struct LogRestoration: Sendable {
    private let database: RunningDatabase
    private let data: String?
    private let key: VerifierKey?

    /// What came of it.
    package enum Outcome: Equatable, Sendable {
        case restored(events: Int, root: String, names: Int, Remarks = Remarks())
        /// The backup does not verify; nothing was written.
        case broken(Position, String)
    }

    /// What there is to say of a backup that was restored.
    package struct Remarks: Equatable, Sendable {
        /// How many records of commands that no event came of were left out.
        package var strayCommands = 0
        /// How many records of checkpoints that are not as the log's key signed them were left out.
        package var strayCheckpoints = 0
        /// Why it is not known that the service wrote every entry; `nil` where nothing hindered that.
        package var obstacle: String?
        /// Of how many people the log says that they have a name, and the backup has none.
        package var namesMissing = 0
        /// Of how many people the backup has another name than the log says.
        package var namesAltered = 0

        package init() {}
    }

    /// Takes the absolute path of the data folder, where it is here: with the keys in it every entry is
    /// seen to be the service's.
    ///
    /// The log's key, where somebody named it, counts before the one there.
    package init(_ database: RunningDatabase, data: String? = nil, key: VerifierKey? = nil) {
        (self.database, self.data, self.key) = (database, data, key)
    }

    /// Takes an absolute path, and the checkpoints that the backup has to agree with.
    package func run(
        from file: String,
        outside: [OutsideCheckpoint] = []
    ) async throws(BackupFailure) -> Outcome {
        do {
            let check = BackupCheck(file, data: data, outside: outside, key: key)
            switch try await check.run() {
            case .broken(let position, let sentence): return .broken(position, sentence)
            case .sound(let events, let root, let particulars):
                let names = try NamesFile(beside: file).read() ?? [:]
                let strays = Set(particulars.strayCheckpoints)
                try await restore(Path(file), names, leavingOut: strays)
                let restored = try await confirm(events, root)
                var remarks = Remarks()
                remarks.strayCommands = particulars.strayCommands.count
                remarks.strayCheckpoints = strays.count
                remarks.obstacle = particulars.obstacle
                remarks.namesMissing = restored.names?.missing.count ?? 0
                remarks.namesAltered = restored.names?.altered.count ?? 0
                return .restored(events: events, root: root, names: names.count, remarks)
            }
        } catch let failure as BackupFailure {
            throw failure
        } catch let error as PostgresError where error.kind == .commitUnknown {
            throw BackupFailure(
                description: "It is not known whether the backup was restored: \(error)",
                cause: .commit
            )
        } catch let error as LogCheckFailure {
            throw BackupFailure(description: "Nothing was restored. \(error)")
        } catch {
            throw BackupFailure(description: "Nothing was restored. \(error)", cause: .place)
        }
    }

    private func restore(
        _ file: Path,
        _ names: [PrincipalID: SaltedName],
        leavingOut strayCheckpoints: Set<Int>
    ) async throws {
        try await StoreSchema.restore(
            database.connection,
            from: try LineSource(backup: file),
            names: names,
            leavingOut: strayCheckpoints
        ) { source in
            try source.line().map { line in try BackupLine(parsing: line) }
        }
    }

    /// Looks at what is in the database now.
    private func confirm(
        _ events: Int,
        _ root: String
    ) async throws -> LogCheck.Particulars {
        let finding: LogCheck.Finding
        do throws(LogCheckFailure) {
            finding = try await LogCheck(database, data: nil).run()
        } catch {
            throw BackupFailure(
                description: "The backup was restored, and could not be looked at again. \(error)",
                cause: .database
            )
        }
        guard case .sound(events, root, let particulars) = finding else {
            throw BackupFailure(
                description: "The backup was restored, but the database now has something else:"
                    + " \(finding). Do not use it."
            )
        }
        return particulars
    }
}

/// Looks at every event of a log in a backup, with no database at all.
package struct BackupCheck: Sendable {
    private let file: Path
    private let entryKeys: EntryKeyFolder?
    private let outside: [OutsideCheckpoint]
    private let key: VerifierKey?
    private let export: ExportFolder?

    /// Takes the absolute path of the backup, that of a data folder whose keys tell what the service
    /// wrote, checkpoints that were kept elsewhere, and the log's key.
    package init(
        _ file: String,
        data: String? = nil,
        outside: [OutsideCheckpoint] = [],
        key: VerifierKey? = nil
    ) {
        self.file = Path(file)
        self.outside = outside
        self.key = key
        entryKeys = EntryKeyFolder(of: data)
        export = data.map { ExportFolder(Path($0) / "export") }
    }

    package func run() async throws(LogCheckFailure) -> LogCheck.Finding {
        // The folder may be that of another service, and a backup no worse for it.
        var verifier = BackupVerifier(
            .deciding(rootsOf: Set(outside.map(\.size)), keysIn: entryKeys, needingAll: false),
            signedBy: key,
            found: try export?.logKeyIfPublished()
        )
        do {
            try read(into: &verifier)
        } catch let flaw as LogFlawFound {
            return await LogCheck.Finding(of: verifier.entries, before: flaw, against: outside)
                ?? LogCheck.Finding(flaw, signedBy: verifier.logKey)
        } catch {
            throw LogCheckFailure(
                description: "\(file) is no whole backup as plimsoll backup writes it. \(error)"
            )
        }
        let found = await LogCheck.Finding(of: verifier.entries, against: outside)
        if let found { return found }
        return .sound(
            of: verifier.entries,
            strayCommands: verifier.strayCommands,
            strayCheckpoints: verifier.strayCheckpoints,
            try names(),
            isComputed: entryKeys != nil
        )
    }

    /// The names beside it, where they are.
    private func names() throws(LogCheckFailure) -> [PrincipalID: SaltedName]? {
        do {
            return try NamesFile(beside: file.string).read()
        } catch {
            throw LogCheckFailure(description: "The names beside \(file) cannot be read. \(error)")
        }
    }

    private func read(into verifier: inout BackupVerifier) throws {
        var source = try LineSource(backup: file)
        while let line = try source.line() { try verifier.take(line) }
        try verifier.end()
    }
}

extension LineSource {
    /// An outcome that is kept beside a command can be longer than an entry.
    static let backupLineMaximum = 16 << 20

    init(backup file: Path) throws(FileError) {
        try self.init(file, lengthMaximum: Self.backupLineMaximum)
    }
}

/// The names of principals beside a backup, which can be erased from it without touching the log.
struct NamesFile {
    let path: Path

    /// It is named as the backup, with `.names` behind it.
    init(beside backup: String) {
        path = Path("\(backup).names")
    }

    func write(_ names: [PrincipalID: SaltedName]) throws(FileError) {
        let file = try GrowingFile(path)
        for (id, name) in names.sorted(by: { $0.key.text < $1.key.text }) {
            var line: JSONObject = ["id": .string(id.text), "name": .string(name.name)]
            line["salt"] = name.salt.map { .string(hexadecimal($0)) }
            try file.append(line.canonicalBytes() + [UInt8(ascii: "\n")])
        }
        try file.finish()
    }

    /// The names; `nil` where the file was left out.
    func read() throws -> [PrincipalID: SaltedName]? {
        var names: [PrincipalID: SaltedName] = [:]
        var source: LineSource
        do throws(FileError) {
            source = try LineSource(path, lengthMaximum: 1 << 20)
        } catch {
            guard error.isMissing else { throw error }
            return nil
        }
        while let line = try source.line() {
            var reader = try ObjectReader(parsing: line)
            let id = reader.string("id", needing: "the id of a principal") { PrincipalID($0) }
            let name = reader.string("name")
            let salt = reader.optionalString("salt", needing: "64 hexadecimal digits") {
                bytes(hexadecimal: $0[...]).flatMap { $0.count == SaltedName.saltSize ? $0 : nil }
            }
            let read = try reader.finish { id.flatMap { id in name.map { (id, $0) } } }
            names[read.0] = SaltedName(read.1, salt: salt)
        }
        return names
    }
}
