import ArgumentParser
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollServer

/// `plimsoll verify snapshot`: whether what is published is what was decided.
struct VerifySnapshotCommand: CommonCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot",
        abstract: "Check a published snapshot, and that the log has what it is made of.",
        discussion: """
            It needs public files and keys that you trust, and nothing else: signatures, digests, \
            the log's newest checkpoint, that the snapshot's event is under it, and that it \
            extends the checkpoint that the manifest names. The proof beside the manifest has to \
            show that the log recorded exactly this manifest; it follows within seconds of the \
            publication. With --quorum so many of the witnesses have to have seen that, and with \
            --persons so many people have to have signed all that the documents say. With \
            --replay and a token of an auditor it also reads the whole record from the service: \
            every event has to have been permitted when it happened, and the events up to the \
            snapshot's have to make exactly these bytes.

            Examples:
              plimsoll verify snapshot /var/lib/plimsoll/export/current/harbour \\
                --key keys.json --log-key log.key
              plimsoll verify snapshot http://127.0.0.1:8081/distribution/harbour \\
                --key keys.json --log-key log.key
              plimsoll verify snapshot https://config.example.com/distribution/harbour \\
                --key keys.json --log-key log.key --witness-key witness.key --quorum 1
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
    @OptionGroup var witnesses: WitnessOptions
    @OptionGroup var persons: PersonsOption
    @Flag(help: "Take a snapshot that has no proof, as one of before there were any.")
    var acceptUnproven = false
    @Option(help: "The app that it has to be of; the one that the place names without it.")
    var app: AppSlug?
    @Flag(help: "Also make it anew from the record; needs the role auditor.")
    var replay = false
    @OptionGroup var common: CommonOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let trust = try witnesses.trust(with: logVerifierKey(logKey))
        let (finding, reworded) = try await Transport.with { transport in
            let snapshot = PublishedLocation(place, transport)
            let log = PublishedLocation(log ?? snapshot.log, transport)
            var check = SnapshotCheck(
                snapshot: snapshot.read,
                log: log.read,
                keys: try await trustedKeys(in: key, signing: snapshot),
                trust: trust,
                app: app ?? snapshot.app
            )
            check.acceptsUnproven = acceptUnproven
            do {
                let finding = try await check.run()
                var reworded: [FileName] = []
                if replay {
                    let record = PublishedLocation(
                        try service.address().url("/v1/log"),
                        transport,
                        token: try service.token()
                    )
                    reworded = try await SnapshotReplay(entries: record.read).run(finding)
                }
                try persons.check(finding)
                return (finding, reworded)
            } catch let mismatch as SnapshotMismatch {
                let json: JSONObject = [
                    "verified": false, "place": .string(mismatch.place),
                    "flaw": .string(mismatch.sentence),
                ]
                output.show(Report(json, []))
                throw Failure(mismatch)
            }
        }
        output.show(report(finding, reworded.map(\.text).joined(separator: ", ")))
        return .done
    }

    private func report(_ finding: SnapshotCheck.Finding, _ reworded: String) -> Report {
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
        json["proof"] = finding.recordJSON(of: witnesses.witnessKey.count)
        var blocks: [Report.Block] = [
            .check(
                passed: true,
                "\(manifest.app), sequence \(manifest.sequence): \(manifest.files.count) files,"
                    + " signed as the manifest says"
            )
        ]
        blocks += finding.proofBlocks(of: witnesses.witnessKey.count)
        blocks += [
            .check(
                passed: true,
                "event \(manifest.issue.position) is under the checkpoint over \(root.size) events"
            )
        ]
        if let earlier = manifest.checkpoint {
            let line = "which extends the one over \(earlier.size) events that the manifest names"
            blocks.append(.check(passed: true, line))
        } else {
            blocks.append(.line("   the manifest names no earlier checkpoint"))
        }
        if replay {
            let but = reworded.isEmpty ? "" : " but for \(reworded)"
            let line = "the record makes exactly these bytes\(but), and all of it was permitted"
            blocks.append(.check(passed: true, line))
            if !reworded.isEmpty {
                json["unproven"] = [.string("what \(reworded) says")]
                blocks.append(.unchecked("what \(reworded) says, in words of an earlier program"))
            }
        } else {
            blocks.append(.line("said by the service, and not proven by this:"))
            blocks.append(.line("   \(manifest.issue.claim)"))
        }
        json["expired"] = .bool(manifest.issue.isExpired(at: .now))
        blocks += manifest.issue.blocksIfExpired + (manifest.basis?.blocks ?? [])
        return Report(json, blocks)
    }
}

extension SnapshotIssue {
    fileprivate var claim: String { "issued at \(issuedAt), good until \(expiresAt)" }
}

extension SnapshotCheck.Finding {
    /// Where the log has it, of so many witnesses that were asked for; null where that was not shown.
    func recordJSON(of witnesses: Int) -> JSONValue {
        guard let record else { return .null }
        return [
            "decisions": signedFields.json,
            "position": .integer(record.position.rawValue), "size": .integer(Int64(record.size)),
            "recordedAt": .string(record.recordedAt.rfc3339),
            "cosignatures": .integer(Int64(record.cosignatures)),
            "witnesses": .integer(Int64(witnesses)),
        ]
    }

    /// What the log has of it; a line says so where nothing was shown.
    func proofBlocks(of witnesses: Int) -> [Report.Block] {
        guard let record else {
            return [.unchecked("whether the log recorded this manifest; it has no proof")]
        }
        let seen = ", cosigned by \(record.cosignatures) of \(witnesses) witnesses"
        return [
            .check(
                passed: true,
                "the log recorded exactly this manifest, as event \(record.position)"
            ),
            .check(
                passed: true,
                "event \(record.position) is under the checkpoint over \(record.size) events"
                    + (witnesses == 0 ? "" : seen)
            ),
        ] + signedFields.blocks
    }
}

extension Failure {
    init(_ mismatch: SnapshotMismatch) {
        self.init(
            .verificationFailed,
            "The snapshot does not fit at \(legible(mismatch.place)).",
            detail: legible(mismatch.sentence)
        )
    }
}

/// Whose cosignatures are looked for, and how many are demanded.
struct WitnessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The verifier key of a witness, in a file or as text; may be repeated.",
            valueName: "key"
        )
    )
    var witnessKey: [String] = []
    @Option(help: "How many of the witnesses have to have cosigned.")
    var quorum: Int?

    func validate() throws {
        guard let quorum else { return }
        guard quorum > 0, quorum <= witnessKey.count else {
            throw ValidationError(
                "--quorum needs a number from 1 to that of the witnesses, and --witness-key gives"
                    + " \(witnessKey.count)."
            )
        }
    }

    /// Whom to believe of a log that has the key.
    func trust(with logKey: VerifierKey) throws -> LogTrust {
        let witnesses = try witnessKey.map(witnessVerifierKey)
        let distinct = Set(witnesses.map(\.publicKey)).count
        guard distinct == witnesses.count else {
            throw Failure(
                .usage,
                "--witness-key gives \(witnesses.count) keys, of which only \(distinct) differ."
            )
        }
        return LogTrust(
            logKeys: [logKey],
            witnesses: witnesses,
            witnessesNeeded: quorum ?? 0
        )
    }
}

/// Reads the key of a witness; one of a log is none.
func witnessVerifierKey(_ text: String) throws -> VerifierKey {
    let key = try verifierKey(text)
    guard key.kind == .cosignature else {
        throw Failure(.failed, "\(text) is the key of a log, and a witness's is needed.")
    }
    return key
}

/// A PEM has no id: of all that have signed it is the key whose signature it confirms.
func trustedKeys(in path: String, signing snapshot: PublishedLocation) async throws -> TrustedKeys {
    let bytes = try contents(of: path)
    guard let publicKey = PublicKey(pem: bytes) else {
        do {
            return TrustedKeys(try PublishedKeys(parsing: bytes))
        } catch {
            throw Failure(
                .failed,
                "\(path) is neither a P-256 public key in PEM nor a keys.json.",
                next: "plimsoll keys show"
            )
        }
    }
    let lines = try await snapshot.read(Manifest.signaturesFileName) ?? []
    let signatures = ManifestSignatures(parsing: lines)?.signatures ?? []
    let digest = Manifest.digest(try await snapshot.read(Manifest.fileName) ?? [])
    let own = signatures.first { publicKey.accepts($0, over: digest) } ?? signatures.first
    return TrustedKeys(
        [own].compactMap(\.self).map { TrustedKeys.Key(id: $0.keyID, publicKey: publicKey) }
    )
}

extension SnapshotBasis {
    /// Who decided, as the manifest says: only a replay proves it.
    fileprivate var blocks: [Report.Block] {
        var lines = changes.map { change in
            let approvers = change.approvers.map(\.text)
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
