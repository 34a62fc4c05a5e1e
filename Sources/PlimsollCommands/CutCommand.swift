import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

/// `plimsoll cut`: what the service did not write is taken off the end of the log.
struct CutCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "cut",
        abstract: "Take what the service did not write off the end of the log.",
        discussion: """
            For a service that reads only with log-damaged, because somebody who could write in the \
            database has slipped events in. First take that away from them: a new password, a closed \
            port. Then this takes the first event that the service did not write, and all behind it, \
            off the log, and keeps them in a file as evidence. Nothing that was acknowledged stands \
            there. Where a checkpoint was signed over the place it refuses: then an old event was \
            changed, and a backup has the right one. The account has to own the database: \
            PLIMSOLL_MIGRATION_URL counts before PLIMSOLL_DATABASE_URL. With a data directory alone, \
            its private PostgreSQL is started for it, so the service must not run. Start every \
            instance anew afterwards.

            For example: plimsoll cut --data /var/lib/plimsoll --out /root/forged.ndjson
            """
    )

    @OptionGroup var place: DatabaseOptions
    @Option(help: ArgumentHelp("A new file for what is taken off.", valueName: "file"))
    var out: String
    @OptionGroup var output: OutputOptions

    func validate() throws { try refuseEmpty(out, "--out") }

    func execute(_ output: Output) async throws -> ExitStatus {
        let (folder, file) = (try place.folder(for: "plimsoll cut"), absolutePath(out))
        try requireDatabase(in: folder)
        try requireNew(file)
        let cut: LogCut.Outcome?
        do {
            cut = try await place.withOwnDatabase(for: "plimsoll cut") { database in
                try await LogCut(database, data: folder).run(keepingIn: file)
            }
        } catch let failure as BackupFailure {
            throw Failure(.failed, legible(failure.description), next: next(after: failure))
        }
        guard let cut else {
            output.show(
                Report(
                    ["cut": .bool(false)],
                    [.line("The service wrote every event: nothing to cut.")]
                )
            )
            return .differs
        }
        let json: JSONObject = [
            "cut": .bool(true), "first": .integer(cut.first.rawValue),
            "last": .integer(cut.last.rawValue), "flaw": .string(cut.flaw),
            "file": .string(cut.file),
        ]
        let what =
            cut.first == cut.last
            ? "event \(cut.first) taken off" : "events \(cut.first) to \(cut.last) taken off"
        output.show(
            Report(
                json,
                [
                    .check(passed: true, "\(what), kept in \(legible(cut.file))"),
                    .line("   \(cut.flaw)"),
                    .line("   next: a start, then plimsoll verify log"),
                ]
            )
        )
        return .done
    }

    private func next(after failure: BackupFailure) -> String? {
        switch failure.cause {
        case .place: nil
        case .commit: "the same command with another --out, which finds nothing where it was cut"
        case .file, .log, .database: "plimsoll verify log"
        }
    }

    /// A name that was mistyped makes no new database.
    private func requireDatabase(in folder: String) throws(Failure) {
        guard place.isPrivate, !FileManager.default.fileExists(atPath: folder + "/postgres") else {
            return
        }
        throw Failure(.usage, "There is no database in \(legible(folder)).")
    }

    private func requireNew(_ file: String) throws(Failure) {
        if FileManager.default.fileExists(atPath: file) {
            throw Failure(.usage, "--out needs a new file, and \(legible(file)) is there already.")
        }
        let parent = URL(filePath: file).deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: parent) else {
            throw Failure(.usage, "There is no folder \(legible(parent)) for --out.")
        }
    }
}
