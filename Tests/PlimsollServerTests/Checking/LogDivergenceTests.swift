import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// What a process has left behind, held against a log that lost it.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(2)))
struct LogDivergenceTests {
    @Test func `where no process was ever left with more, there is nothing to show`() async throws {
        try await SignedLog.with { log in
            let found = try await divergences(of: log)
            #expect(found.isEmpty)
        }
    }

    @Test func `a log that has all of it parts from nobody`() async throws {
        try await SignedLog.with { log in
            try await log.remember(after: 5)
            let found = try #require(try await divergences(of: log).first)
            #expect(found.common == Position(SignedLog.count))
            #expect(found.rows.isEmpty)
            #expect(found.missing.isEmpty)
        }
    }

    @Test func `what was lost is shown beside what came in its place`() async throws {
        try await SignedLog.with { log in
            try await log.remember(after: 5)
            try await log.lose(after: 10)
            let behind = try #require(try await divergences(of: log).first)
            #expect(behind.common == Position(10))
            #expect(behind.rows.map(\.position) == (11...21).map { Position($0) })
            #expect(behind.rows.allSatisfy { $0.remembered != nil && $0.found == nil })
            #expect(behind.missing.flatMap(\.events).map(\.position) == behind.rows.map(\.position))

            try await log.admitSomebody()
            let forked = try #require(try await divergences(of: log).first)
            #expect(forked.common == Position(10))
            #expect(forked.rows.first?.found != nil)
            #expect(forked.missing.count == behind.missing.count)
        }
    }

    // Goal: where all that is lost was read and never appended, nobody says that nothing is lost.
    // Method: a process knows the last event and remembers none; the log ends before it, and then has
    // others there.
    @Test func `what no process remembers is lost all the same`() async throws {
        try await SignedLog.with { log in
            try await log.remember(after: 21)
            let whole = try #require(try await divergences(of: log).first)
            #expect(whole.common == Position(21))
            #expect(!whole.isLoss && whole.rows.isEmpty)

            try await log.lose(after: 20)
            let behind = try #require(try await divergences(of: log).first)
            #expect(behind.forgotten == Position(21))
            #expect(behind.end == Position(20) && behind.common == Position(20))
            #expect(behind.isLoss && behind.rows.isEmpty && behind.missing.isEmpty)

            try await log.admitSomebody()
            let forked = try #require(try await divergences(of: log).first)
            #expect(forked.end > Position(21))
            #expect(forked.forgotten == Position(21))
            #expect(forked.isLoss && forked.rows.isEmpty)
        }
    }

    @Test func `what was appended later is no news to whoever remembers nothing`() async throws {
        try await SignedLog.with { log in
            try await log.remember(after: 21)
            try await log.admitSomebody()
            let found = try #require(try await divergences(of: log).first)
            #expect(!found.isLoss && found.rows.isEmpty)
            #expect(found.common == Position(21))
        }
    }

    @Test func `a log that ends before all that is remembered lacks more than that`() async throws {
        try await SignedLog.with { log in
            try await log.remember(after: 15)
            try await log.lose(after: 10)
            let found = try #require(try await divergences(of: log).first)
            #expect(found.common == Position(10))
            #expect(found.forgotten == Position(15))
            #expect(found.rows.map(\.position) == (16...21).map { Position($0) })
        }
    }

    @Test func `a file of a program that did not write what it knew is read`() async throws {
        try await SignedLog.with { log in
            let file = try await log.remember(after: 19)
            let lines = try file.read(sizeMaximum: 1 << 20).split(separator: UInt8(ascii: "\n"))
            for kept in [lines.dropFirst(), lines.dropFirst(lines.count)] {
                let bytes = Array(kept.joined(separator: [UInt8(ascii: "\n")]))
                try file.writeDurably(bytes, permissions: .ownerOnly)
                let remembered = try #require(try RememberedLog.all(in: log.data).first)
                #expect(remembered.tip == nil)
                #expect(remembered.entries.count == kept.count)
                let found = try #require(try await divergences(of: log).first)
                #expect(!found.isLoss && found.rows.isEmpty)
            }
        }
    }

    @Test func `two processes that know the same are both told`() async throws {
        try await SignedLog.with { log in
            try await log.remember(after: 5)
            try await log.remember(after: 8)
            try await log.lose(after: 10)
            let found = try await divergences(of: log)
            #expect(found.map(\.common) == [Position(10), Position(10)])
        }
    }

    // A process may be killed while it writes, though the file appears whole or not at all.
    @Test(arguments: ["", "\n", "12", "12 ", "x {}", "-1 {}", "99999999999999999999 {}"])
    func `a line that is no entry is left out`(line: String) async throws {
        try await SignedLog.with { log in
            let file = try await log.remember(after: 19)
            let bytes = try file.read(sizeMaximum: 1 << 20)
            try file.writeDurably(bytes + Array(line.utf8), permissions: .ownerOnly)
            let found = try RememberedLog.all(in: log.data)
            #expect(found.first?.entries.map(\.position) == [Position(20), Position(21)])
        }
    }

    @Test func `nobody but its owner reads what was remembered`() async throws {
        try await SignedLog.with { log in
            let file = try await log.remember(after: 19)
            #expect(try file.status()?.permissions == .ownerOnly)
        }
    }

    // Where a file stands no folder can be made, as none can on a full disk.
    @Test func `what a disk did not take at once is written when it does`() async throws {
        try await withFolder { data in
            let (lines, folder) = (LogLines(), data / RememberedLog.folderName)
            try folder.writeDurably([])
            let memory = LogMemory(logger: lines.logger)
            memory.lose(Prohibition(.logBehind, "The last events were lost."))
            let recorder = LossRecorder(memory: memory, data: data, logger: lines.logger)
            try await withThrowingTaskGroup { group in
                defer { group.cancelAll() }
                group.addTask { try await recorder.run() }
                try await eventually { lines.text.contains("kept nowhere but in memory") }
                try folder.removeFile()
                try await eventually { try RememberedLog.all(in: data).count == 1 }
            }
        }
    }

    private func divergences(of log: SignedLog) async throws -> [LogDivergence] {
        try await LogDivergenceCheck(log.database, data: log.data.string).run()
    }
}

extension SignedLog {
    /// Leaves what a process knows that has the log in memory from behind a position.
    @discardableResult
    fileprivate func remember(after position: Int) async throws -> Path {
        let session = try await Session.open(connection)
        let entries = try await Checkpoints(EventLog(session)).entries(after: 0, limit: 1000)
        await session.close()
        let known = entries.enumerated().map { index, bytes in
            LogEntry(position: Position(1 + index), bytes: bytes)
        }
        return try RememberedLog.write(
            Array(known.dropFirst(position)),
            upTo: try #require(known.last).tip,
            in: data
        )
    }

    fileprivate func admitSomebody() async throws {
        try await withWriter { writer in
            let grants = [RoleGrant(.viewer, in: .all)]
            let admission = AdmitPrincipal(PrincipalID(UUID()), grants: grants, by: .system)
            _ = try await writer.perform(CommandRequest(admission))
        }
    }

    fileprivate func lose(after position: Int) async throws {
        try await tamper(
            """
            DELETE FROM log.event WHERE position > \(position);
            DELETE FROM log.command WHERE last_position > \(position);
            """
        )
    }
}
