import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

/// Where the database is, for commands that work with it beside the service.
struct DatabaseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The data directory (default: PLIMSOLL_DATA).", valueName: "path"))
    var data: String?
    @Option(help: "The database; better given as PLIMSOLL_DATABASE_URL.")
    var databaseURL: String?

    func validate() throws {
        try refuseEmpty(data, "--data")
        try refuseEmpty(databaseURL, "--database-url")
    }

    /// The data directory, if there is one here.
    var folder: String? { (data ?? variable("PLIMSOLL_DATA")).map(absolutePath) }

    /// Whether the database is that of a data directory, which the service starts itself.
    var isPrivate: Bool { address == nil && variable("PLIMSOLL_MIGRATION_URL") == nil }

    /// A database that is named counts before the folder, as it does for the service itself.
    var address: String? { databaseURL ?? variable("PLIMSOLL_DATABASE_URL") }

    /// What is given counts before the environment.
    func database(for command: String) throws -> RunningDatabase {
        if let address { return RunningDatabase(url: address) }
        guard variable("PLIMSOLL_MIGRATION_URL") == nil else {
            throw Failure(
                .usage,
                "PLIMSOLL_MIGRATION_URL says how the owner of the database logs in, and nothing how"
                    + " the service does.",
                next: "\(command), with PLIMSOLL_DATABASE_URL too"
            )
        }
        if let folder { return RunningDatabase(data: folder) }
        throw unknown("the log", to: command)
    }

    /// The data directory, for a command that cannot do without.
    func folder(for command: String) throws(Failure) -> String {
        guard let folder else { throw unknown("the data directory", to: command) }
        return folder
    }

    private func unknown(_ what: String, to command: String) -> Failure {
        Failure(
            .usage,
            "It is not known where \(what) is.",
            next: "\(command) --data, with the data directory"
        )
    }

    /// Lends the database to one who owns it; a private server is started for that.
    func withOwnDatabase<Answer: Sendable>(
        for command: String,
        _ body: @escaping @Sendable (RunningDatabase) async throws -> Answer
    ) async throws -> Answer {
        if isPrivate, let folder { return try await RunningDatabase.started(in: folder, body) }
        let migration = databaseURL == nil ? variable("PLIMSOLL_MIGRATION_URL") : nil
        return try await body(migration.map { RunningDatabase(url: $0) } ?? database(for: command))
    }

    private func variable(_ name: String) -> String? {
        environment[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
}

extension Failure {
    /// What a database that is worked with beside the service does not let one do.
    static func ofDatabase(_ sentence: String, next: String? = nil) -> Failure {
        Failure(
            .failed,
            legible(sentence),
            detail: "The database has to run; plimsoll serve starts a private one.",
            next: next
        )
    }
}

/// `plimsoll rebuild`: lists and histories are made anew from the log.
struct RebuildCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild",
        abstract: "Rebuild the read models from the event log.",
        discussion: """
            Lists, histories and effects are read from tables that can be made from the log at any \
            time. This makes them beside the ones in use, compares, and switches over; the log is \
            only read. It works on the database itself, on the machine where that is: the one that \
            PLIMSOLL_DATABASE_URL names, else the private one of the data directory. The service \
            may run meanwhile; another rebuild is waited for. Where the old ones said something \
            else, the exit code is 3.

            For example: plimsoll rebuild --data /var/lib/plimsoll
            """
    )

    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let outcome: ReadModelRebuild.Outcome
        do {
            outcome = try await ReadModelRebuild(
                place.database(for: "plimsoll rebuild"),
                data: place.folder
            ).run()
        } catch let failure as DatabaseFailure {
            throw Failure.ofDatabase(failure.description, next: "plimsoll verify log")
        }
        let json: JSONObject = [
            "events": .integer(Int64(outcome.events)), "unchanged": .bool(outcome.isUnchanged),
        ]
        let words = outcome.isUnchanged ? "the same as before" : "they said something else before"
        let line = "\(outcome.events) events, \(words)"
        output.show(Report(json, [.check(passed: outcome.isUnchanged, line)]))
        return outcome.isUnchanged ? .done : .differs
    }
}

/// `plimsoll export`: what was published at an earlier event, to be looked at.
struct ExportCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write what was published at an earlier event, for inspection.",
        discussion: """
            The documents are made anew from the record, byte for byte as phones were served them \
            then, in the form of an export directory. They are marked as an inspection and nobody \
            signs them: no edge serves them, no store takes them for live, and no phone believes \
            them. It works on the database itself, as plimsoll rebuild does, and needs no private \
            key. A folder has to be empty, and a store must have nothing live under the prefix.

            Examples:
              plimsoll export --at-event 1234 --to /tmp/as-it-was --data /var/lib/plimsoll
              plimsoll export --at-event 1234 --to s3://audits/2026-11 --app harbour
            """
    )

    @Option(help: ArgumentHelp("The event whose state is wanted.", valueName: "event"))
    var atEvent: Position
    @Option(help: ArgumentHelp("A folder, or s3://bucket/prefix.", valueName: "place"))
    var to: String
    @Option(help: "The app's slug; may be left out where there is one app.")
    var app: AppSlug?
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard atEvent.rawValue > 0 else {
            throw ValidationError("--at-event needs the number of an event, from 1.")
        }
        try refuseEmpty(to, "--to")
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let isStore = to.hasPrefix("s3://")
        guard
            let destination = InspectionPlace(
                isStore ? to : absolutePath(to),
                environment: environment
            )
        else {
            throw Failure(.usage, "--to needs \(InspectionPlace.grammar).")
        }
        let outcome: PastPublication.Outcome
        do {
            let database = try place.database(for: "plimsoll export")
            outcome = try await PastPublication(database, data: place.folder)
                .write(app, at: atEvent, to: destination)
        } catch let failure as PastPublicationFailure {
            throw Failure(failure)
        }
        output.show(report(outcome))
        return .done
    }

    private func report(_ outcome: PastPublication.Outcome) -> Report {
        let json: JSONObject = [
            "app": .string(outcome.app.text), "event": .integer(outcome.event.rawValue),
            "sequence": .integer(outcome.sequence.rawValue),
            "files": .array(outcome.files.map { .string($0) }), "to": .string(to),
        ]
        let line =
            "\(outcome.app) at event \(outcome.event), sequence \(outcome.sequence): "
            + "\(outcome.files.count) files in \(to), for inspection only"
        return Report(json, [.check(passed: true, legible(line))])
    }
}

extension Failure {
    fileprivate init(_ failure: PastPublicationFailure) {
        switch failure {
        case .unreadable(let sentence):
            self = .ofDatabase(sentence, next: "plimsoll verify log")
        case .notYet(let event, let newest):
            self.init(.failed, "Event \(event) has not happened; the newest is \(newest).")
        case .appNotNamed(let slugs):
            let names = slugs.map(\.text).joined(separator: ", ")
            self.init(
                .usage,
                slugs.isEmpty ? "There was no app then." : "There were several apps: \(names).",
                next: "the same command with --app"
            )
        case .notPublished(let app, let event):
            self.init(.failed, "Nothing of \(app) was published at event \(event).")
        case .notWritten(let sentence): self.init(.failed, legible(sentence))
        }
    }
}

/// `plimsoll restore`: a backup in an empty database.
struct RestoreCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Fill an empty database from a backup.",
        discussion: """
            The backup is verified first, against checkpoints too that you kept elsewhere; then all \
            of it is written, or nothing. A database that has a log already is refused. The account \
            has to own the database: PLIMSOLL_MIGRATION_URL counts before PLIMSOLL_DATABASE_URL. \
            With a data directory alone, its private PostgreSQL is started for it, so the service \
            must not run. Names are read from the file beside the backup that has .names behind its \
            name; without it principals have none.

            For example: plimsoll restore /mnt/backups/plimsoll-2026-11-21.ndjson \
            --data /var/lib/plimsoll
            """
    )

    @Argument(help: "The file that plimsoll backup wrote.")
    var file: String
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var outside: OutsideOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        switch try await outcome() {
        case .restored(let events, let root, let names, let remarks):
            var json: JSONObject = [
                "events": .integer(Int64(events)), "root": .string(root),
                "names": .integer(Int64(names)),
            ]
            json["strayCommands"] = .integer(Int64(remarks.strayCommands))
            json["strayCheckpoints"] = .integer(Int64(remarks.strayCheckpoints))
            json["obstacle"] = remarks.obstacle.map { .string($0) }
            json["namesMissing"] = .integer(Int64(remarks.namesMissing))
            json["namesAltered"] = .integer(Int64(remarks.namesAltered))
            let line = "\(events) events, \(names) names, root \(root)"
            output.show(Report(json, [.check(passed: true, line)] + remarks.blocks))
            return .done
        case .broken(let position, let flaw):
            throw Failure(
                .verificationFailed,
                "The backup does not fit at event \(position). Nothing was restored.",
                detail: legible(flaw)
            )
        }
    }

    private func outcome() async throws -> LogRestoration.Outcome {
        let file = absolutePath(file)
        do {
            return try await outside.withOutside(checkingPublished: false) { outside, key in
                try await place.withOwnDatabase(for: "plimsoll restore") { database in
                    try await LogRestoration(database, data: place.folder, key: key)
                        .run(from: file, outside: outside)
                }
            }
        } catch let failure as BackupFailure {
            throw Failure(.failed, legible(failure.description), next: next(after: failure))
        }
    }

    private func next(after failure: BackupFailure) -> String? {
        switch failure.cause {
        case .place: nil
        case .file, .log: "plimsoll verify log --offline \(legible(absolutePath(file)))"
        case .database where place.isPrivate: "plimsoll serve, then plimsoll verify log"
        case .database: "plimsoll verify log"
        case .commit: "the same command, which is refused where the backup was restored"
        }
    }
}

extension LogRestoration.Remarks {
    fileprivate var blocks: [Report.Block] {
        let sentences = [
            strayCommands > 0
                ? "\(strayCommands) records of commands that no event came of were left out: the service"
                    + " makes none" : nil,
            strayCheckpoints > 0
                ? "\(strayCheckpoints) records of checkpoints were left out: they are not as the log's"
                    + " key signed them" : nil,
            obstacle.map { "not all authenticators were computed: \(legible($0))" },
            namesMissing > 0
                ? "the names of \(namesMissing) people are not in the backup: put them back, or erase"
                    + " them (plimsoll verify log says whose they are)" : nil,
            namesAltered > 0
                ? "the names of \(namesAltered) people are not those that the log says, and are not"
                    + " shown (plimsoll verify log says whose they are)" : nil,
        ]
        return sentences.compactMap(\.self).map { .line("   \($0)") }
    }
}

/// `plimsoll backup`: the log in a file.
struct BackupCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write the whole log to a file.",
        discussion: """
            Every entry is a line, exactly as it is hashed; behind them stand the commands, the \
            checkpoints and a line that says how much there was. The names of principals go to a \
            file of their own, with .names behind its name: a name can be erased there without \
            touching the log. Private keys are in neither; see plimsoll keys copy. The service may \
            run meanwhile. A file that is there already is not written over.

            For example: plimsoll backup /mnt/backups/plimsoll-2026-11-21.ndjson \
            --data /var/lib/plimsoll
            """
    )

    @Argument(help: "The file to write.")
    var file: String
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let outcome: LogBackup.Outcome
        do {
            let database = try place.database(for: "plimsoll backup")
            outcome = try await LogBackup(database).run(to: absolutePath(file))
        } catch let failure as BackupFailure {
            throw Failure(.failed, legible(failure.description), next: next(after: failure))
        }
        let json: JSONObject = [
            "events": .integer(Int64(outcome.events)), "root": .string(outcome.root),
            "names": .integer(Int64(outcome.names)), "namesFile": .string(outcome.namesFile),
        ]
        let lines: [Report.Block] = [
            .check(passed: true, "\(outcome.events) events, root \(outcome.root)"),
            .check(passed: true, "\(outcome.names) names in \(legible(outcome.namesFile))"),
        ]
        output.show(Report(json, lines))
        return .done
    }

    private func next(after failure: BackupFailure) -> String? {
        switch failure.cause {
        case .file, .place, .commit: nil
        case .log: "plimsoll verify log"
        case .database where place.isPrivate:
            "plimsoll serve, which starts a private PostgreSQL; then plimsoll backup"
        case .database: "plimsoll doctor"
        }
    }
}

/// `plimsoll keys copy`: the private keys at a second place.
struct CopyKeysCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy the private keys to another folder.",
        discussion: """
            Nobody can make them again: phones believe no other. The copy is made on the machine of \
            the service, readable for its owner alone; encrypt it, and take it elsewhere. The data \
            directory remembers which keys have a copy, and plimsoll doctor says which have none.

            For example: plimsoll keys copy /mnt/safe/plimsoll-keys --data /var/lib/plimsoll
            """
    )

    @Argument(help: "The folder to copy to.")
    var folder: String
    @OptionGroup var place: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try refuseEmpty(folder, "<folder>") }

    func execute(_ output: Output) async throws -> ExitStatus {
        let data = try place.folder(for: "plimsoll keys copy")
        do throws(BackupFailure) {
            let made = try KeyCopy(of: data).make(in: absolutePath(folder), at: .now)
            let line = "\(made.files.count) private keys in \(legible(folder))"
            output.show(Report(made.json, [.check(passed: true, line)]))
            return .done
        } catch {
            throw Failure(.failed, legible(error.description), next: "plimsoll doctor")
        }
    }
}
