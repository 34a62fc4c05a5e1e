import Foundation
import Logging
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// A server that takes itself for the database after another one was promoted in its place.
@Suite(.timeLimit(.minutes(5)))
struct ReplacedServerTests {
    // The negative control is whoever knows nothing of the other server.
    @Test func `a server that was replaced is refused, and nothing is taken for lost`() async throws
    {
        try await ScratchDatabaseServer.with { server in
            try await server.keepCopy()
            let memory = LogMemory(logger: Logger(label: "test"))
            try await greet(memory, server)
            try await server.stop()
            try Data().write(to: URL(filePath: "\(server.folder)/data/standby.signal"))
            try await server.start()
            // Whoever stayed with a standby would stay there though another server leads.
            let refusal = await #expect(throws: PostgresError.self) {
                try await greet(memory, server)
            }
            #expect(refusal?.kind == .connectFailed)
            #expect(refusal?.note?.contains("standby") == true)
            try await server.promote()
            try await greet(memory, server)

            try await server.goBack()
            let error = await #expect(throws: PostgresError.self) {
                try await greet(memory, server)
            }
            #expect(error?.kind == .connectFailed)
            #expect(error?.note?.contains("timeline 1, and the database with 2") == true)
            #expect(memory.loss == nil)
            try await greet(LogMemory(logger: Logger(label: "test")), server)
        }
    }

    // A cluster manager that gives the woken primary its place back: what the other acknowledged is gone.
    @Test func `where a standby confirms it, an older server is the database, and lacks events`()
        async throws
    {
        let settings = ["synchronous_standby_names=standby"]
        try await ScratchDatabaseServer.with(settings: settings) { server in
            try await server.keepCopy()
            let memory = LogMemory(logger: Logger(label: "test"))
            try await server.stop()
            try Data().write(to: URL(filePath: "\(server.folder)/data/standby.signal"))
            try await server.start()
            try await server.promote()
            try await greet(memory, server)
            let tip = LogTip(position: Position(7), leaf: .leaf([7]))
            memory.add([], upTo: tip)

            try await server.goBack()
            // As the writer's session, which never has the server cancel a commit; and once more at
            // once, when nobody is asked.
            for _ in 1...2 {
                let error = await #expect(throws: PostgresError.self) {
                    try await greet(memory, server, cancelGrace: nil)
                }
                #expect(error?.kind == .connectFailed)
            }
            #expect(memory.loss == nil)
            try await server.withStandby(named: "standby") {
                try await poll(until: .seconds(60)) {
                    (try? await greet(memory, server)) != nil
                }
            }
            #expect(memory.loss?.cause == .logBehind)
        }
    }

    // A process that slept as long as the primary has not met the server that was promoted, and knows of
    // it by what another one has published alone.
    @Test func `what was published is lost where nobody waits for a standby, or one confirms`()
        async throws
    {
        let loss = Prohibition(.logBehind, "it ends before what was published")
        let settings = ["synchronous_standby_names=standby"]
        try await ScratchDatabaseServer.with(settings: settings) { server in
            let memory = LogMemory(logger: Logger(label: "test"))
            for _ in 1...2 {
                let error = await #expect(throws: PostgresError.self) {
                    try await lose(loss, memory, server)
                }
                #expect(error?.kind == .connectFailed)
            }
            #expect(memory.loss == nil)
            try await server.withStandby(named: "standby") {
                try await poll(until: .seconds(60)) {
                    (try? await lose(loss, memory, server)) != nil
                }
            }
            #expect(memory.loss == loss)
        }
        try await ScratchDatabaseServer.with { server in
            let memory = LogMemory(logger: Logger(label: "test"))
            try await lose(loss, memory, server)
            #expect(memory.loss == loss)
        }
    }

    private func lose(
        _ loss: Prohibition,
        _ memory: LogMemory,
        _ server: ScratchDatabaseServer
    ) async throws {
        try await Session.with(server.connection) { try await memory.lose(loss, on: $0) }
    }

    @Test(arguments: [
        (ServerTimeline(system: 7, number: 1), true),
        (ServerTimeline(system: 7, number: 2), false),
        (ServerTimeline(system: 7, number: 3), false),
        // Another database altogether, which somebody restored.
        (ServerTimeline(system: 8, number: 1), false),
    ])
    func `an older timeline of the same system was replaced`(
        server: ServerTimeline,
        isReplaced: Bool
    ) {
        #expect(server.isReplaced(by: ServerTimeline(system: 7, number: 2)) == isReplaced)
    }

    private func greet(
        _ memory: LogMemory,
        _ server: ScratchDatabaseServer,
        cancelGrace: Duration? = .seconds(5)
    ) async throws {
        var settings = SessionSettings()
        settings.cancelGrace = cancelGrace
        let session = try await Session.open(
            server.connection,
            settings: settings,
            greeting: memory.greet
        )
        await session.close()
    }
}
