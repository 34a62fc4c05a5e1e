import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
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
        case .sound(let events, let root, let authenticated):
            let json: JSONObject = [
                "verified": true, "events": .integer(Int64(events)), "root": .string(root),
                "checkpoints": .array(found.outside.map { .object($0.json) }),
                "givenUp": .array(found.givenUp.map { .object($0.json) }),
                "authenticated": .object(authenticated.json),
            ]
            let line = Report.Block.check(passed: true, "\(events) events, root \(root)")
            let blocks = [line, authenticated.block] + found.outside.blocks
            output.show(Report(json, blocks + found.givenUp.map(\.block)))
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
                    let check = BackupCheck(absolutePath(offline), outside: outside)
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
            throw Failure(
                .failed,
                legible(failure.description),
                detail: offline == nil
                    ? "The database has to run; plimsoll serve starts a private one." : nil,
                next: "plimsoll doctor"
            )
        }
    }
}

extension LogCheck.Authenticated {
    fileprivate var json: JSONObject {
        var json: JSONObject = ["computed": .bool(isComputed)]
        json["since"] = since.map { .integer($0.rawValue) }
        return json
    }

    fileprivate var block: Report.Block {
        guard let since else {
            return .line("   no entry has an authenticator: the service never began to make them")
        }
        let before = since.rawValue > 1 ? "; those before need not have one" : ""
        guard isComputed else {
            return .line(
                "   authenticators from event \(since) on were not computed: the entry keys are not"
                    + " here"
            )
        }
        return .check(
            passed: true,
            "the service wrote every event from \(since) on, by their authenticators" + before
        )
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

/// `plimsoll verify snapshot`: whether what is published is what was decided.
struct VerifySnapshotCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Check a published snapshot, and that the log has what it is made of.",
        discussion: """
            It needs public files and keys that you trust, and nothing else: signatures, digests, \
            the log's newest checkpoint, that the snapshot's event is under it, and that it \
            extends the checkpoint that the manifest names. With --replay and a token of an \
            auditor it also reads the whole record from the service: every event has to have been \
            permitted when it happened, and the events up to the snapshot's have to make exactly \
            these bytes.

            Examples:
              plimsoll verify snapshot /var/lib/plimsoll/export/current/harbour \\
                --key keys.json --log-key log.key
              plimsoll verify snapshot http://127.0.0.1:8081/distribution/harbour \\
                --key keys.json --log-key log.key
            """
    )

    @Argument(help: "A folder of the export, or an address under which its files are.")
    var place: String
    @Option(help: ArgumentHelp("The keys to trust: a keys.json, or a PEM.", valueName: "file"))
    var key: String
    @Option(
        help: ArgumentHelp("The log's verifier key, in a file or as text.", valueName: "key")
    )
    var logKey: String
    @Option(
        help: ArgumentHelp(
            "Where the log is published; beside the snapshot without it.",
            valueName: "folder or address"
        )
    )
    var log: String?
    @Option(help: "The app that it has to be of.")
    var app: AppSlug?
    @Flag(help: "Also make it anew from the record; needs the role auditor.")
    var replay = false
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let logKey = try logVerifierKey(logKey)
        let finding = try await Transport.with { transport in
            let snapshot = PublicPlace(place, transport)
            let log = PublicPlace(log ?? snapshot.log, transport)
            let check = SnapshotCheck(
                snapshot: snapshot.read,
                log: log.read,
                keys: try await keys(signing: snapshot),
                logKeys: [logKey],
                app: app
            )
            do {
                let finding = try await check.run()
                if replay {
                    let record = PublicPlace(
                        try service.address().url("/v1/log"),
                        transport,
                        token: try service.token()
                    )
                    try await SnapshotReplay(entries: record.read).run(finding)
                }
                return finding
            } catch let doubt as SnapshotDoubt {
                let json: JSONObject = [
                    "verified": false, "place": .string(doubt.place),
                    "flaw": .string(doubt.sentence),
                ]
                output.show(Report(json, []))
                throw Failure(
                    .verificationFailed,
                    "The snapshot does not fit at \(legible(doubt.place)).",
                    detail: legible(doubt.sentence)
                )
            }
        }
        output.show(report(finding))
        return .done
    }

    /// A PEM has no id: it is taken for every key that has signed.
    private func keys(signing snapshot: PublicPlace) async throws -> TrustedKeys {
        let bytes = try contents(of: key)
        guard let publicKey = PublicKey(pem: bytes) else {
            do {
                return TrustedKeys(try PublishedKeys(parsing: bytes))
            } catch {
                throw Failure(
                    .failed,
                    "\(key) is neither a P-256 public key in PEM nor a keys.json.",
                    next: "plimsoll keys show"
                )
            }
        }
        let lines = try await snapshot.read(Manifest.signaturesFileName) ?? []
        let signatures = ManifestSignatures(parsing: lines)?.signatures ?? []
        return TrustedKeys(
            signatures.prefix(1).map { TrustedKeys.Key(id: $0.keyID, publicKey: publicKey) }
        )
    }

    private func report(_ finding: SnapshotCheck.Finding) -> Report {
        let (manifest, root) = (finding.manifest, finding.checkpoint.root)
        var json: JSONObject = [
            "verified": true, "app": .string(manifest.app.text),
            "sequence": .integer(manifest.sequence.rawValue),
            "position": .integer(manifest.issue.position.rawValue), "replayed": .bool(replay),
            "checkpoint": [
                "origin": .string(finding.checkpoint.origin.text),
                "size": .integer(Int64(root.size)), "root": .string("\(root.hash)"),
            ],
        ]
        json["basis"] = manifest.basis.map { .object($0.json) }
        var blocks: [Report.Block] = [
            .check(
                passed: true,
                "\(manifest.app), sequence \(manifest.sequence): \(manifest.files.count) files,"
                    + " signed as the manifest says"
            ),
            .check(
                passed: true,
                "event \(manifest.issue.position) is under the checkpoint over \(root.size) events"
            ),
        ]
        if let earlier = manifest.checkpoint {
            let line = "which extends the one over \(earlier.size) events that the manifest names"
            blocks.append(.check(passed: true, line))
        } else {
            blocks.append(.line("   the manifest names no earlier checkpoint"))
        }
        blocks += manifest.basis?.blocks ?? []
        if replay {
            let line = "the record makes exactly these bytes, and all of it was permitted"
            blocks.append(.check(passed: true, line))
        }
        return Report(json, blocks)
    }
}

extension SnapshotBasis {
    /// Who decided, as the manifest says: only a replay proves it.
    fileprivate var blocks: [Report.Block] {
        var lines = changes.map { change in
            let approvers = change.approvals.map(\.by.text)
            let by = approvers.isEmpty ? "nobody" : approvers.joined(separator: ", ")
            return "rests on change \(change.id), event \(change.position), approved by \(by)"
        }
        lines += rollbacks.map { rollback in
            "rests on the rollback to event \(rollback.target), event \(rollback.position)"
        }
        lines += ends.map { "rests on the end of change \($0.id), event \($0.position)" }
        if let policy {
            let rules = policy == .start ? "the built-in policy" : "the policy of event \(policy)"
            lines.append("decided under \(rules)")
        }
        if let settings { lines.append("written with the settings of event \(settings)") }
        return lines.map { .line("   \($0)") }
    }
}
