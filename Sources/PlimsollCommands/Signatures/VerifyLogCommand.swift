import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollServer

/// `plimsoll verify log`: whether the record is whole.
struct VerifyLogCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Recompute the whole log, and name the first event that does not fit.",
        discussion: """
            It reads the database itself, on the machine where that is: the one that \
            PLIMSOLL_DATABASE_URL names, else the private one of the data directory. What lies \
            published in the data directory has to agree with it, and so do the checkpoints that \
            you kept elsewhere. Every event has to be one that its actor was permitted to bring \
            about then. With --offline it reads a backup instead, and needs no database. It writes \
            nothing; the service may run meanwhile. Keep the root it shows: the same number of \
            events has the same root for ever.

            For example: plimsoll verify log --data /var/lib/plimsoll
            """
    )

    @OptionGroup var place: DatabaseOptions
    @OptionGroup var outside: OutsideOptions
    @Option(
        help: ArgumentHelp("A backup that is read instead of a database.", valueName: "file")
    )
    var offline: String?
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let found = try await found()
        switch found.finding {
        case .sound(let events, let root, let particulars):
            var json: JSONObject = [
                "verified": .bool(particulars.flaw == nil), "events": .integer(Int64(events)),
                "root": .string(root),
                "checkpoints": .array(found.outside.map { .object($0.json) }),
                "givenUp": .array(found.givenUp.map { .object($0.json) }),
                "authenticated": .object(particulars.json),
                "approvals": [
                    "given": .integer(Int64(particulars.approvals)),
                    "signed": .integer(Int64(particulars.signed)),
                ],
            ]
            json["strayCommands"] = .array(
                particulars.strayCommands.map { .string("\($0)") }
            )
            json["strayCheckpoints"] = .array(
                particulars.strayCheckpoints.map { .integer(Int64($0)) }
            )
            json["names"] = particulars.names.map { .object($0.json) }
            let line = Report.Block.check(passed: true, "\(events) events, root \(root)")
            let blocks =
                [line, particulars.block] + particulars.approvalBlocks + found.outside.blocks
            let beside = particulars.strayBlocks + (particulars.names?.blocks ?? [])
            output.show(Report(json, blocks + found.givenUp.map(\.block) + beside))
            if let flaw = particulars.flaw { throw flaw }
            return .done
        case .broken(let position, let flaw):
            // Where events are missing, what stands before them can be looked at.
            let before = max(1, position.rawValue - 1)
            let json: JSONObject = [
                "verified": false, "position": .integer(position.rawValue), "flaw": .string(flaw),
            ]
            output.show(Report(json, []))
            throw Failure(
                .verificationFailed,
                "The log does not fit at event \(position).",
                detail: "\(flaw) Do not repair rows by hand.",
                next: offline == nil
                    ? "plimsoll history --since \(before) --until \(position)" : nil
            )
        }
    }

    private struct Found {
        let finding: LogCheck.Finding
        /// What the log was held against, and what it was not.
        let outside: [OutsideCheckpoint]
        let givenUp: [CheckpointOverride]
    }

    private func found() async throws -> Found {
        do {
            let hasPublished = offline == nil && place.folder != nil
            return try await outside.withOutside(checkingPublished: hasPublished) { outside, key in
                if let offline {
                    let check = BackupCheck(
                        absolutePath(offline),
                        data: place.folder,
                        outside: outside,
                        key: key
                    )
                    return Found(finding: try await check.run(), outside: outside, givenUp: [])
                }
                let database = try place.database(for: "plimsoll verify log")
                let check = LogCheck(database, data: place.folder, outside: outside, key: key)
                let checkpoints = try check.checkpoints()
                return Found(
                    finding: try await check.run(against: checkpoints),
                    outside: checkpoints,
                    givenUp: try check.renunciations()
                )
            }
        } catch let failure as LogCheckFailure {
            guard offline == nil else {
                throw Failure(.failed, legible(failure.description), next: "plimsoll doctor")
            }
            throw Failure.ofDatabase(failure.description, next: "plimsoll doctor")
        }
    }
}

extension LogCheck.Particulars {
    /// What is wrong beside a log that is whole.
    fileprivate var flaw: Failure? {
        if let altered = names?.altered, !altered.isEmpty {
            return Failure(
                .verificationFailed,
                "The log is whole, and the names of \(altered.count) people are not those that it"
                    + " says.",
                detail: "They are not shown. Find out who can write to the database, and put the"
                    + " names back from the file .names of a backup."
            )
        }
        if !strayCommands.isEmpty {
            return Failure(
                .verificationFailed,
                "The log is whole, and beside it stand records of commands that no event came of.",
                detail:
                    "The service makes none. Such a command is refused when it comes, and nothing"
                    + " else follows of it. Find out who can write to the database."
            )
        }
        guard !strayCheckpoints.isEmpty else { return nil }
        return Failure(
            .verificationFailed,
            "The log is whole, and beside it stand records of checkpoints that are not as its key"
                + " signed them.",
            detail:
                "The service makes none, and no event is accused by them. Find out who can write to"
                + " the database."
        )
    }

    fileprivate var strayBlocks: [Report.Block] {
        strayCommands.map {
            .check(passed: false, "the record of the command \($0) is of no event that there is")
        }
            + strayCheckpoints.map {
                .check(
                    passed: false,
                    "the record of the checkpoint over \($0) events is not as the log's key signed it"
                )
            }
    }

    fileprivate var json: JSONObject {
        var json: JSONObject = ["computed": .bool(isComputed)]
        json["since"] = since.map { .integer($0.rawValue) }
        json["obstacle"] = obstacle.map { .string($0) }
        return json
    }

    fileprivate var approvalBlocks: [Report.Block] {
        guard signed > 0 else { return [] }
        return [
            .check(
                passed: true,
                "persons signed \(signed) of \(approvals) approvals with their keys"
            )
        ]
    }

    fileprivate var block: Report.Block {
        guard let since else {
            return .line("   no entry has an authenticator: the service never began to make them")
        }
        let before = since.rawValue > 1 ? "; those before need not have one" : ""
        guard isComputed else {
            return .line(
                "   authenticators from event \(since) on were not all computed: "
                    + (obstacle.map { legible($0) } ?? "the entry keys are not here")
            )
        }
        return .check(
            passed: true,
            "the service wrote every event from \(since) on, by their authenticators" + before
        )
    }
}

extension NameFindings {
    fileprivate var json: JSONObject {
        var json: JSONObject = [
            "verified": .integer(Int64(verified)), "uncommitted": .integer(Int64(uncommitted)),
            "altered": .array(altered.map { .string($0.text) }),
            "missing": .array(missing.map { .string($0.text) }),
        ]
        json["since"] = committedSince.map { .integer($0.rawValue) }
        return json
    }

    fileprivate var blocks: [Report.Block] {
        var blocks: [Report.Block] = []
        if verified > 0 {
            blocks.append(.check(passed: true, "\(verified) names are those that the log says"))
        }
        blocks += altered.map {
            .check(passed: false, "the name of \($0.text) is not the one that the log says")
        }
        blocks += missing.map {
            .check(passed: false, "the name of \($0.text) is gone, and was not erased")
        }
        if uncommitted > 0 {
            let since = committedSince.map { ", which it does from event \($0) on" } ?? ""
            blocks.append(
                .line(
                    "   of \(uncommitted) names the log does not say whether they are right" + since
                )
            )
        }
        return blocks
    }
}

extension OutsideCheckpoint {
    fileprivate var json: JSONObject {
        [
            "source": .string(source), "size": .integer(Int64(size)), "key": .string(key.text),
            "keyFoundBeside": .bool(isKeyFound),
        ]
    }

    fileprivate var sentence: String {
        let whose =
            isKeyFound
            ? "the key found beside it; --log-key names the one that you trust"
            : "the key that you gave"
        return "the checkpoint over \(size) events in \(legible(source)), checked with \(whose)"
    }
}

extension [OutsideCheckpoint] {
    fileprivate var blocks: [Report.Block] {
        if isEmpty {
            let warning =
                "held against no checkpoint: a whole history that was rewritten would not show"
            return [.line("   \(warning)")]
        }
        return map { .check(passed: true, $0.sentence) }
    }
}

extension CheckpointOverride {
    fileprivate var json: JSONObject {
        [
            "size": .integer(Int64(root.size)), "root": .string("\(root.hash)"),
            "kept": .integer(Int64(kept)),
        ]
    }

    fileprivate var block: Report.Block {
        let what = lost.map { "events \($0.lowerBound)…\($0.upperBound)" } ?? "other events"
        return .line(
            "   \(what) of a checkpoint over \(root.size) were given up; what was published of them is"
                + " left out"
        )
    }
}
