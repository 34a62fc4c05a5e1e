import Foundation
import Logging
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem

/// The verifier at its usual pace beside a service that has nothing else to do: what it takes of a
/// processor, with what PostgreSQL takes for it, and how long a row stays altered.
struct VerifierBenchmark {
    let options: Options

    func run() async throws {
        let options = options
        let folder = options.folder / "verifier-\(options.events)"
        try await ScratchServer.with(in: folder) { server in
            let keys = EntryKeyFolder(folder / EntryKeyFolder.name)
            let authentication = EntryAuthentication(keysIn: keys)
            try authentication.prepare()
            try await Filling(
                server: server,
                folder: folder,
                events: options.events,
                authentication: authentication
            ).run()
            try await server.withPool { pool in
                _ = try await Rebuild(log: EventLog(pool), pool: pool).run()
            }
            try await WorkingWriter.with(on: server, authentication: authentication) { working in
                try await measure(working)
            }
        }
    }

    private func measure(_ working: WorkingWriter) async throws {
        let progress = VerifierProgress()
        var check = IntegrityCheck(
            log: working.log,
            pool: working.pool,
            memory: working.writer.memory,
            progress: progress,
            logger: Logger(label: "verifier") { _ in SwiftLogNoOpLogHandler() },
            pause: Verifier.pace(Verifier.rateUsual)
        )
        let idle = try await share(working.pool) { try await Task.sleep(for: .seconds(20)) }
        let first = try await share(working.pool) { try await check.round() }
        var later: [Double] = []
        var found: [Double] = []
        var took: [Double] = []
        for _ in 1...options.rounds {
            later.append(try await share(working.pool) { try await check.round() })
            took.append((progress.view.lastRound?.took ?? .zero) / .seconds(1))
            found.append(try await seconds(working, check, progress))
        }
        print("  \(working.writer.logState.position) events, \(options.rounds) rounds")
        print("  share of a processor, PostgreSQL's with it, without a verifier: \(percent(idle))")
        print("  in the first round: \(percent(first))")
        print("  in later ones: \(later.map(percent)), each \(took.map(told)) s")
        print("  until an altered row is right again: \(found.map(told)) s")
    }

    private func percent(_ share: Double) -> String { told(share * 100) + " %" }

    private func told(_ number: Double) -> String { String(format: "%.2f", number) }

    /// Alters a row somewhere while a check goes round and round.
    private func seconds(
        _ working: WorkingWriter,
        _ check: IntegrityCheck,
        _ progress: VerifierProgress
    ) async throws -> Double {
        try await withThrowingTaskGroup { group in
            group.addTask {
                var check = check
                while !Task.isCancelled { try await check.round() }
            }
            defer { group.cancelAll() }
            try await Task.sleep(for: .seconds(Double.random(in: 1...30)))
            let last = working.writer.logState.position.rawValue
            let mended = progress.view.mended
            try await working.pool.execute(
                """
                UPDATE projection.event SET actor = 'somebody-else'
                WHERE position = \(Int64.random(in: 1...last))
                """
            )
            let start = ContinuousClock.now
            while progress.view.mended == mended { try await Task.sleep(for: .milliseconds(20)) }
            return (.now - start) / .seconds(1)
        }
    }

    /// How much of one processor this process and its PostgreSQL have used while the body ran.
    private func share(
        _ pool: SessionPool,
        _ body: () async throws -> Void
    ) async throws -> Double {
        let before = try await used(pool)
        let start = ContinuousClock.now
        try await body()
        return try await (used(pool) - before) / ((.now - start) / .seconds(1))
    }

    private func used(_ pool: SessionPool) async throws -> Double {
        let own = try ProcessorTime().own
        let rows = try await pool.query("SELECT pid FROM pg_stat_activity")
        let pids = try rows.map { try $0.value(at: 0, as: Int32.self) }
        let postmaster = try ProcessorTime(of: parent(of: known(pids.last, "a session")))
        return try pids.reduce(own + postmaster.own + postmaster.ended) { sum, pid in
            try sum + ProcessorTime(of: pid).own
        }
    }
}
