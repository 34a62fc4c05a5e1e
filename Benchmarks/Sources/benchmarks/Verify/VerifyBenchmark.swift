import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollService

/// The whole log looked at as `plimsoll verify log` does it, against `sha256sum` of the same
/// bytes in a file that the system has in memory.
struct VerifyBenchmark {
    let options: Options

    func run() async throws {
        let options = options
        // The log of `replay` serves here too.
        let folder = options.folder / "replay"
        let (count, bytes, score, effort) = try await ScratchServer.with(in: folder) { server in
            try await Filling(server: server, folder: folder, events: options.events).run()
            let log = EventLog(SessionPool(ConnectionString(server.connection)))
            let file = options.folder / "entries"
            _ = try? file.removeFile()
            let bytes = try await Self.write(log, to: file)
            var score = Score("verify log", against: "sha256sum", target: .atLeast(0.4))
            var effort = Score("verify log", against: "sha256sum", target: .none)
            var count = try await Self.verify(log)
            for _ in 1...options.rounds {
                let verifying = try await Lap.measure { count = try await Self.verify(log) }
                let hashing = try await Lap.measure {
                    _ = try await Tool.output("sha256sum", [file.string])
                }
                let megabytes = Double(bytes) / 1_000_000
                score.note(
                    megabytes / verifying.duration,
                    against: megabytes / hashing.duration
                )
                effort.note(
                    verifying.processorTime / Double(count) * 1_000_000,
                    against: hashing.processorTime / Double(count) * 1_000_000
                )
            }
            try file.removeFile()
            return (count, bytes, score, effort)
        }
        print("  \(count) events, \(bytes) bytes, \(options.rounds) rounds")
        Table(unit: "MB/s", scores: [score]).show()
        Table(unit: "µs of processor an event", scores: [effort]).show()
    }

    private static func verify(_ log: EventLog) async throws -> Int {
        let found = try await log.verify { sizes in
            EntryVerifier(
                deciding: DecisionAudit { ChangeDigest(of: $0) },
                rootsOf: sizes
            )
        }
        guard case .sound(let entries) = found else {
            throw Failure(sentence: "the log of the benchmark is not sound: \(found)")
        }
        return entries.frontier.size
    }

    /// Writes the entries one after another; answers how many bytes they are.
    private static func write(_ log: EventLog, to path: Path) async throws -> Int {
        let file = try GrowingFile(path)
        let size = try await log.backUp(into: 0) { size, line in
            guard case .entry(let entry) = line else { return }
            try file.append(entry)
            size += entry.count
        }
        try file.finish()
        return size
    }
}
