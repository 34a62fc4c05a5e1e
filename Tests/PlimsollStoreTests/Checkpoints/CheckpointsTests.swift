import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct CheckpointsTests {
    @Test func `what was added is the newest, and says what it grows from`() async throws {
        try await withLog { log, _ in
            let checkpoints = Checkpoints(log)
            #expect(try await checkpoints.newest() == nil)
            try await append(5, to: log)
            for size in [2, 5] {
                let added = try await checkpoint(over: size, of: checkpoints)
                #expect(try await checkpoints.add(added) == added)
            }
            let newest = try #require(try await checkpoints.newest())
            #expect(try await newest == checkpoint(over: 5, of: checkpoints))
            #expect(try await checkpoints.checkpoint(size: 2)?.root.size == 2)
            #expect(try await checkpoints.checkpoint(size: 3) == nil)
        }
    }

    @Test func `the leaves are those that the database computes, page by page`() async throws {
        try await withLog { log, session in
            try await append(5, to: log)
            let rows = try await session.query("SELECT leaf_hash FROM log.event ORDER BY position")
            let stored = try rows.map { try $0.value(at: 0, as: [UInt8].self) }
            let checkpoints = Checkpoints(log)
            let first = try await checkpoints.leaves(after: 0, limit: 3)
            let rest = try await checkpoints.leaves(after: 3, limit: 3)
            #expect((first + rest).map(\.bytes) == stored)
            #expect(rest.count == 2)
            #expect(try await checkpoints.leaves(after: 5).isEmpty)
        }
    }

    @Test func `an event whose stored hash was changed is hashed anew`() async throws {
        try await withLog { log, _ in
            try await append(3, to: log)
            let before = try await Checkpoints(log).leaves(after: 0)
            try await tamper("UPDATE log.event SET entry = entry || ' ' WHERE position = 2")
            let after = try await Checkpoints(log).leaves(after: 0)
            #expect(before[0] == after[0])
            #expect(before[1] != after[1])
            try await tamper("DELETE FROM log.event WHERE position = 2")
            await #expect(throws: LogError.hole(at: Position(2), found: Position(3))) {
                try await Checkpoints(log).leaves(after: 0)
            }
        }
    }

    @Test func `a size beyond the log is refused`() async throws {
        try await withLog { log, _ in
            let checkpoints = Checkpoints(log)
            try await append(2, to: log)
            var frontier = try await checkpoint(over: 2, of: checkpoints).frontier
            frontier.append(entry: [1])
            let beyond = StoredCheckpoint(frontier: frontier, note: Array("note\n".utf8))
            try await refused("23514") { () async throws(LogError) in
                try await checkpoints.add(beyond)
            }
            #expect(try await checkpoints.newest() == nil)
        }
    }

    @Test func `a second root for a size is refused, a second note gives way`() async throws {
        try await withLog { log, _ in
            let checkpoints = Checkpoints(log)
            try await append(2, to: log)
            let first = try await checkpoint(over: 2, of: checkpoints)
            _ = try await checkpoints.add(first)
            let again = StoredCheckpoint(frontier: first.frontier, note: Array("other\n".utf8))
            #expect(try await checkpoints.add(again) == first)
            var other = MerkleFrontier()
            for entry in [[1], [2]] as [[UInt8]] { other.append(entry: entry) }
            let forked = StoredCheckpoint(frontier: other, note: first.note)
            try await refused("23505") { () async throws(LogError) in
                try await checkpoints.add(forked)
            }
            #expect(try await checkpoints.newest() == first)
        }
    }

    @Test func `two that add at once agree on one note`() async throws {
        try await withLog { log, _ in
            try await append(3, to: log)
            let frontier = try await checkpoint(over: 3, of: Checkpoints(log)).frontier
            let notes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for index in 1...4 {
                    group.addTask {
                        let session = try await openServiceSession()
                        let stored = try await Checkpoints(EventLog(session)).add(
                            StoredCheckpoint(frontier: frontier, note: Array("\(index)\n".utf8))
                        )
                        await session.close()
                        return stored.note
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(notes.count == 1)
        }
    }

    @Test func `a record whose root is not that of its frontier is not believed`() async throws {
        try await withLog { log, _ in
            let checkpoints = Checkpoints(log)
            try await append(3, to: log)
            let sound = try await checkpoint(over: 1, of: checkpoints)
            _ = try await checkpoints.add(sound)
            for size in [2, 3] {
                _ = try await checkpoints.add(checkpoint(over: size, of: checkpoints))
            }
            try await tamper("UPDATE log.checkpoint SET root = sha256(root) WHERE size = 2")
            try await tamper("UPDATE log.checkpoint SET frontier = '' WHERE size = 3")
            #expect(try await checkpoints.newest() == sound)
            #expect(try await checkpoints.checkpoint(size: 2) == nil)
        }
    }

    // Goal: however many records somebody adds above it, the newest that the key signed is found.
    @Test func `a record that the log's key has not signed is passed over`() async throws {
        try await withLog { log, session in
            let checkpoints = Checkpoints(log)
            try await append(20, to: log)
            let signer = try logSigner()
            let frontier = try await checkpoint(over: 2, of: checkpoints).frontier
            let signed = StoredCheckpoint(
                frontier: frontier,
                note: try signer.sign(frontier.root).bytes
            )
            _ = try await checkpoints.add(signed)
            let stranger = try logSigner()
            for size in 3...20 {
                let frontier = try await checkpoint(over: size, of: checkpoints).frontier
                let note = try stranger.sign(frontier.root).bytes
                _ = try await checkpoints.add(StoredCheckpoint(frontier: frontier, note: note))
            }
            #expect(try await checkpoints.newest()?.root.size == 20)
            let key = signer.verifierKey
            #expect(try await checkpoints.newest(signedBy: key) == signed)
            #expect(try await checkpoints.newest(upTo: 1, signedBy: key) == nil)
            // A record that is written out ends with the same one.
            let models = ReadModels(log: log, database: session, progress: Progress())
            let (query, end) = (EventQuery(), Position(20))
            let known = models.record(query, upTo: end, atMost: nil, signedBy: key)
            #expect(try await known.checkpoint().map { Array($0.utf8) } == signed.note)
            let unknown = models.record(query, upTo: end, atMost: nil, signedBy: nil)
            #expect(try await unknown.checkpoint().map { Array($0.utf8) } != signed.note)
        }
    }

    private func append(_ count: Int, to log: EventLog) async throws {
        var builder = CommandBuilder()
        let commands = try (1...count).map { _ in try builder.command(on: .service) }
        #expect(try await log.append(commands).count == count)
    }

    private func checkpoint(
        over size: Int,
        of checkpoints: Checkpoints
    ) async throws -> StoredCheckpoint {
        var frontier = MerkleFrontier()
        for leaf in try await checkpoints.leaves(after: 0, limit: size) {
            frontier.append(leaf: leaf)
        }
        return StoredCheckpoint(frontier: frontier, note: Array("\(size)\n".utf8))
    }

    /// Does what only a superuser can, who has switched the triggers off.
    private func tamper(_ statement: Statement) async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.execute("ALTER TABLE log.event DISABLE TRIGGER ALL")
        try await session.execute("ALTER TABLE log.checkpoint DISABLE TRIGGER ALL")
        #expect(try await session.execute(statement) == 1)
        await session.close()
    }

    private func refused(
        _ sqlState: SQLState,
        _ body: () async throws(LogError) -> StoredCheckpoint
    ) async throws {
        do throws(LogError) {
            _ = try await body()
            Issue.record("it was accepted")
        } catch {
            guard case .database(let cause) = error else { throw error }
            #expect(cause.sqlState == sqlState)
        }
    }
}
