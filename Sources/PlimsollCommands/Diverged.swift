import ArgumentParser
import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollServer

/// `plimsoll diverged`: what was acknowledged, and is not in the log.
struct DivergedCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "diverged",
        abstract: "Show what a process knew that the log lacks.",
        discussion: """
            A service whose database comes back without events that it has acknowledged reads only, \
            and leaves what it knows in the data directory. This shows both side by side, from the \
            last event that they have in common, and the commands that are missing. With --out they \
            are written to a folder: missing.ndjson has every lost event, and each lost proposal is \
            a file for plimsoll propose --file. It reads the database itself, and changes nothing \
            there. Where commands are missing, the exit code is 3.

            For example: plimsoll diverged --data /var/lib/plimsoll --out /root/lost
            """
    )

    @OptionGroup var place: DatabaseOptions
    @Option(
        help: ArgumentHelp("A new folder for what is missing.", valueName: "path")
    )
    var out: String?
    @OptionGroup var output: OutputOptions

    func validate() throws { try refuseEmpty(out, "--out") }

    func execute(_ output: Output) async throws -> ExitStatus {
        let command = "plimsoll diverged"
        let folder = try place.folder(for: command)
        guard FileManager.default.fileExists(atPath: folder) else {
            throw Failure(
                .failed,
                legible("There is no directory \(folder)."),
                next: "\(command) --data, with the data directory of the service"
            )
        }
        let found: [LogDivergence]
        do {
            let database = try place.database(for: command)
            found = try await LogDivergenceCheck(database, data: folder).run()
        } catch let failure as LogCheckFailure {
            throw Failure.ofDatabase(failure.description, next: "plimsoll doctor")
        }
        let isMissing = found.contains { !$0.missing.isEmpty }
        let next: [Report.Block] =
            if let out, isMissing { try write(found, in: absolutePath(out)) } else { [] }
        let json: JSONObject = ["divergences": .array(found.map { .object($0.json) })]
        output.show(Report(json, blocks(found) + next))
        return found.contains(where: \.isLoss) ? .differs : .done
    }

    private func blocks(_ found: [LogDivergence]) -> [Report.Block] {
        if found.isEmpty {
            return [.check(passed: true, "no process has left anything that a log lacked")]
        }
        return found.flatMap(\.blocks)
    }

    /// Says how each lost proposal is put up again.
    private func write(_ found: [LogDivergence], in path: String) throws -> [Report.Block] {
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        var what = "Nothing"
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            what = "Not everything"
            // Several processes may know of the same.
            var lines: [Position: [UInt8]] = [:]
            for event in found.flatMap(\.missing).flatMap(\.events) {
                lines[event.position] = EventAnswer(event).json.canonicalBytes() + [0x0A]
            }
            let all = lines.sorted { $0.key < $1.key }.flatMap(\.value)
            try Data(all).write(to: folder.appending(path: "missing.ndjson"))
            let proposals = Dictionary(found.flatMap(\.proposals)) { first, _ in first }
            return try proposals.sorted { $0.key < $1.key }.map { id, proposal in
                let file = folder.appending(path: "change-\(id).json")
                try Data(proposal.form.bytes).write(to: file)
                let place = "--app \(proposal.app) --file \(legible(file.path))"
                return .line("   next: plimsoll propose \(place)")
            }
        } catch {
            throw Failure(.failed, legible("\(what) is written in \(path): \(error)"))
        }
    }
}

extension LogDivergence {
    fileprivate var json: JSONObject {
        [
            "source": .string(source), "common": .integer(common.rawValue),
            "end": .integer(end.rawValue),
            "rows": .array(
                rows.map { row in
                    .object([
                        "position": .integer(row.position.rawValue),
                        "remembered": json(row.remembered), "found": json(row.found),
                    ])
                }
            ),
            "missing": .array(missing.map { .string($0.command.description) }),
            "forgotten": forgotten.map { .integer($0.rawValue) } ?? .null,
        ]
    }

    private func json(_ event: RecordedEvent?) -> JSONValue {
        event.map { .object(EventAnswer($0).json) } ?? .null
    }

    fileprivate var blocks: [Report.Block] {
        let heading = Report.Block.line(legible(source))
        guard !rows.isEmpty else {
            let all = "the log has all of it, up to event \(common)"
            return [heading, gap ?? .check(passed: true, all)]
        }
        let table = Table(
            ["EVENT", "WAS ACKNOWLEDGED", "THE LOG HAS"],
            rows.map { [$0.position.description, tell($0.remembered), tell($0.found)] }
        )
        let line =
            missing.isEmpty
            ? "no command is missing: all were given again"
            : "\(missing.count) acknowledged commands are missing: "
                + missing.map(\.command.description).joined(separator: ", ")
        return [heading, gap ?? .line("Both have event \(common); then they part.")]
            + table.blocks() + [.check(passed: missing.isEmpty, line)]
    }

    /// What nobody can show, since the process remembers none of it.
    private var gap: Report.Block? {
        forgotten.map { known in
            let finding =
                end < known
                ? "the log ends at event \(end), and the process knew event \(known)"
                : "event \(known) of the log is not the one that the process knew"
            return .check(
                passed: false,
                "\(finding): events were lost that it does not remember, so nothing here shows them"
            )
        }
    }

    private func tell(_ event: RecordedEvent?) -> String {
        guard let event else { return "nothing" }
        return "\(event.recordedAt.rfc3339) \(excerpt(EventAnswer(event).sentence))"
    }

    /// The changes that were proposed and lost, as they were proposed; based on what both have.
    fileprivate var proposals: [(ChangeID, (app: AppSlug, form: ProposalForm))] {
        missing.compactMap { command in
            var proposed: (id: ChangeID, app: AppSlug, title: Title)?
            var operations: [Operation] = []
            var schedule: Schedule?
            for event in command.events {
                guard case .change(let id) = event.stream else { continue }
                switch event.event {
                case .change(.changeProposed(let app, let title, _)):
                    proposed = (id, app, title)
                case .change(.operationsAdded(let added)): operations += added
                case .change(.changeScheduled(let given)): schedule = given
                default: break
                }
            }
            guard let proposed, let first = command.events.first else { return nil }
            let form = ProposalForm(
                title: proposed.title,
                reason: first.origin.reason,
                base: common,
                operations: operations,
                schedule: schedule
            )
            return (proposed.id, (proposed.app, form))
        }
    }
}
