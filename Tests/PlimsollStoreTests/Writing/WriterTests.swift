import FoundationEssentials
import Metrics
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct WriterTests {
    @Test func `an answered command stands in the log, and in the state`() async throws {
        try await withWriter { writer, log in
            let receipt = try await writer.perform(CommandRequest(try registration()))
            #expect(receipt.span == span(1, 3))
            #expect(receipt.freshness == .written)
            #expect(try await log.events(after: .start) == receipt.events)
            #expect(receipt.logState.app(harbour) != nil)
            #expect(writer.logState == receipt.logState)
            #expect(writer.logState.position == Position(3))
        }
    }

    @Test func `where nothing may be written the log is read, and commands say why`() async throws {
        try await withWriter { writer, log in
            _ = try await writer.perform(CommandRequest(try registration()))
            let prohibition = Prohibition(.logBehind, "An older database was restored.")
            writer.forbid(because: prohibition)
            let error = await refusal { try await writer.perform(CommandRequest(registration())) }
            #expect(error == .readOnly(prohibition))
            #expect(try await log.head().position == Position(3))
            #expect(writer.isOpen)
        }
    }

    @Test func `a refusal changes nothing`() async throws {
        try await withWriter { writer, log in
            _ = try await writer.perform(CommandRequest(try registration()))
            let error = await refusal { try await writer.perform(CommandRequest(registration())) }
            #expect(error == .refused(Refusal(.appExists(harbour))))
            #expect(try await log.head().position == Position(3))
        }
    }

    @Test func `a repeated command gets its first answer, even if it could not be done again`()
        async throws
    {
        try await withWriter { writer, log in
            let identity = CommandIdentity.named("once")
            let request = CommandRequest(try registration(), identity: identity) { _ in [7, 7] }
            let first = try await writer.perform(request)
            _ = try await writer.perform(CommandRequest(failure()))
            let second = try await writer.perform(request)
            #expect(second.freshness == .repeated)
            #expect(second.span == first.span)
            #expect(second.events == first.events)
            #expect(second.outcome == [7, 7])
            #expect(try await log.head().position == Position(4))
            let other = CommandRequest(
                failure(),
                identity: CommandIdentity(id: identity.id, requestDigest: [1])
            )
            #expect(await refusal { try await writer.perform(other) } == .mismatch)
        }
    }

    @Test func `the same command at the same time is done once`() async throws {
        try await withWriter { writer, log in
            let identity = CommandIdentity.named("once")
            let request = CommandRequest(failure(), identity: identity)
            let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
                for _ in 0..<32 { group.addTask { try await writer.perform(request) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(receipts.filter { $0.freshness == .written }.count == 1)
            #expect(receipts.allSatisfy { $0.span == span(1, 1) })
            #expect(try await log.head().position == Position(1))
        }
    }

    @Test func `many are repeated at once, among others that are new`() async throws {
        try await withWriter { writer, log in
            let old = (0..<64).map {
                CommandRequest(failure("Old \($0)"), identity: .named("old \($0)"))
            }
            var first: [Receipt] = []
            for request in old { first.append(try await writer.perform(request)) }
            let again = try await withThrowingTaskGroup(of: (Int, Receipt).self) { group in
                for (number, request) in old.enumerated().reversed() {
                    group.addTask { (number, try await writer.perform(request)) }
                    if number.isMultiple(of: 8) {
                        let new = CommandRequest(failure("New \(number)"))
                        group.addTask { (64 + number, try await writer.perform(new)) }
                        let identity = CommandIdentity(id: request.identity.id, requestDigest: [1])
                        let other = CommandRequest(failure("Other"), identity: identity)
                        group.addTask {
                            let error = await refusal { try await writer.perform(other) }
                            #expect(error == .mismatch)
                            return (number, try await writer.perform(request))
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (number, receipt) in again where number < 64 {
                #expect(receipt.freshness == .repeated)
                #expect(receipt.span == first[number].span)
                #expect(receipt.events == first[number].events)
            }
            #expect(again.filter { $0.1.freshness == .written }.count == 8)
            #expect(try await log.head().position == Position(72))
        }
    }

    @Test func `an event that is too large is refused by itself`() async throws {
        try await withWriter { writer, log in
            let huge = CommandRequest(failure(String(repeating: "x", count: 70_000)))
            async let small = writer.perform(CommandRequest(failure()))
            let error = await refusal { try await writer.perform(huge) }
            guard case .unwritable(.tooLarge) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            _ = try await small
            #expect(try await log.head().position == Position(1))
        }
    }

    @Test func `what could not be read again is not written, and others are`() async throws {
        try await withWriter { writer, log in
            let principal = PrincipalID(UUID())
            let token = TokenRecord(
                id: TokenID(UUID()),
                principal: principal,
                secret: try #require(SecretDigest(hex: String(repeating: "a", count: 64))),
                // In the year 10000, which no clock of the log can write.
                expiresAt: Instant(millisecondsSince1970: 253_402_300_800_000)
            )
            let command = IssueToken(
                token: token,
                grants: [RoleGrant(.viewer, in: .all)],
                by: .system
            )
            let error = await refusal { try await writer.perform(CommandRequest(command)) }
            guard case .unwritable = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await log.head().position == .start)
            #expect(writer.logState.access.principal(principal) == nil)
            _ = try await writer.perform(CommandRequest(failure()))
            #expect(try await log.events(after: .start).count == 1)
        }
    }

    @Test func `a clock that steps back a little is held, one that steps far is recorded`()
        async throws
    {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            let clock = TestClock(standingAt: .now)
            try await withWriter(clock: clock) { writer, _ in
                let first = try await writer.perform(CommandRequest(failure()))
                clock.step(.seconds(-3))
                let second = try await writer.perform(CommandRequest(failure()))
                #expect(second.recordedAt == first.recordedAt)
                clock.step(.seconds(-3600))
                let third = try await writer.perform(CommandRequest(failure()))
                #expect(third.recordedAt < first.recordedAt.advanced(by: .seconds(-1800)))
                let fourth = try await writer.perform(CommandRequest(failure()))
                #expect(fourth.recordedAt >= third.recordedAt)
                #expect(fourth.recordedAt < first.recordedAt)
            }
        }
        #expect(notebook["plimsoll.log.clock.stepped_back"] == 1)
    }

    @Test func `a dry run answers as the real thing would and writes nothing`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) { try await runDry() }
        #expect(notebook["plimsoll.log.commands"] == 1)
    }

    private func runDry() async throws {
        try await withWriter { writer, log in
            let request = CommandRequest(try registration())
            let dryRun = try writer.dryRun(request)
            #expect(dryRun.freshness == .dryRun)
            #expect(dryRun.logState.app(harbour) != nil)
            #expect(try await log.head().position == .start)
            let real = try await writer.perform(request)
            #expect(real.events.map(\.event) == dryRun.events.map(\.event))
            #expect(real.span == dryRun.span)
            #expect(throws: WriteError.self) { try writer.dryRun(request) }
        }
    }

    @Test func `what others append is folded when somebody rings, and told`() async throws {
        try await withWriter { writer, _ in
            var positions = writer.growth().makeAsyncIterator()
            #expect(await positions.next() == .start)
            try await withLog { other, _ in
                var build = CommandBuilder()
                build.time = .now
                _ = try await other.append([try build.command(on: .app(harbour), .app(harbour))])
            }
            writer.ring(Position(2))
            #expect(await positions.next(after: .start) == Position(2))
            let receipt = try await writer.perform(CommandRequest(failure()))
            #expect(receipt.position == Position(3))
            #expect(await positions.next(after: Position(2)) == Position(3))
        }
    }

    @Test func `what others appended just before is folded first`() async throws {
        try await withWriter { writer, log in
            var build = CommandBuilder()
            for _ in 1...3 {
                build.time = .now
                _ = try await log.append([try build.command(on: .keys, .keys)])
                let receipt = try await writer.perform(CommandRequest(failure()))
                #expect(receipt.events.map(\.position) == [receipt.position])
                #expect(receipt.logState.revision(of: .keys) == Revision(receipt.revisionOfKeys))
                #expect(receipt.events == (try await log.events(in: receipt.span)))
            }
            #expect(try await readSoundLog(log).count == 9)
        }
    }

    @Test func `a stale refusal is decided again`() async throws {
        try await withWriter { writer, _ in
            try await withWriter { other, _ in
                _ = try await other.perform(CommandRequest(try registration()))
            }
            let receipt = try await writer.perform(CommandRequest(OrderRenewal(app: harbour)))
            #expect(receipt.position == Position(4))
        }
    }

    @Test func `a stale refusal is decided again, though others of its group were appended`()
        async throws
    {
        try await withWriter { writer, _ in
            try await withWriter { other, _ in
                _ = try await other.perform(CommandRequest(try registration()))
            }
            let results = await writer.perform([
                CommandRequest(OrderRenewal(app: harbour)), CommandRequest(failure()),
            ])
            // Where the writer heard of the app by itself, nothing was stale, and the order stays.
            let positions = try results.map { try $0.get().position }
            #expect(Set(positions) == [Position(4), Position(5)])
        }
    }

    @Test func `more than can wait are turned away, and the rest is done`() async throws {
        let writer = Writer(log: EventLog(try await openServiceSession()), logger: .silent)
        let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<(Writer.waitingMaximum + 10) {
                group.addTask {
                    await refusal { try await writer.perform(CommandRequest(failure())) }
                        == .overloaded
                }
            }
            var overloaded = 0
            while overloaded < 10, try await group.next() == true { overloaded += 1 }
            return try await withThrowingTaskGroup { running in
                running.addTask { try await writer.run() }
                for try await isOverloaded in group where isOverloaded { overloaded += 1 }
                running.cancelAll()
                return overloaded
            }
        }
        #expect(refused == 10)
        #expect(writer.logState.position == Position(Writer.waitingMaximum))
    }

    @Test func `a writer that has stopped takes nothing`() async throws {
        let stopped = try await withWriter { writer, _ in writer }
        #expect(await refusal { try await stopped.perform(CommandRequest(failure())) } == .stopped)
        #expect(!stopped.isOpen)
        #expect(await refusal { try await stopped.whenOpen() } == .stopped)
        var positions = stopped.growth().makeAsyncIterator()
        #expect(await positions.next() == .start)
        #expect(await positions.next() == nil)
    }

    @Test func `of a group that is too long its end is turned away`() async throws {
        try await withWriter { writer, log in
            let requests = (0..<Writer.waitingMaximum + 2).map { _ in CommandRequest(failure()) }
            let outcomes = await writer.perform(requests).map { $0.map(\.position.rawValue) }
            let taken = (1...Writer.waitingMaximum).map { Result<_, WriteError>.success(Int64($0)) }
            #expect(outcomes == taken + [.failure(.overloaded), .failure(.overloaded)])
            let end = try await log.head().position
            #expect(end.rawValue == Int64(Writer.waitingMaximum))
        }
    }

    @Test func `a command that the database refuses takes no other down with it`() async throws {
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.script(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RAISE EXCEPTION 'not this one'; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON log.event FOR EACH ROW
                WHEN (NEW.stream = 'export/quay') EXECUTE FUNCTION refuse()
            """
        )
        await session.close()
        try await withWriter { writer, log in
            let commands = [failure(), failure(of: slug("quay")), failure()]
            let results = await writer.perform(commands.map { CommandRequest($0) })
            #expect(results.map { try? $0.get().position } == [Position(1), nil, Position(2)])
            guard case .failure(.storeRefuses(let cause)) = results[1] else {
                Issue.record("it is refused otherwise: \(results[1])")
                return
            }
            #expect(cause.contains("SQLSTATE P0001"))
            let end = try await log.head().position
            #expect(end == Position(2))
        }
    }

    // Goal: nobody waits for what comes by no waiting. Method: whether a command that the rules refuse was
    // written before cannot be read.
    @Test func `what the database refuses beside an append is no outage`() async throws {
        try await withWriter { writer, _ in
            _ = try await writer.perform(CommandRequest(try registration()))
            let session = try await Session.open(ScratchDatabase.current.connection)
            try await session.script("REVOKE SELECT ON log.command FROM plimsoll_service")
            await session.close()
            let commands: [any Command] = [failure(), try registration()]
            let results = await writer.perform(commands.map { CommandRequest($0) })
            #expect(try results[0].get().position == Position(4))
            guard case .failure(.storeRefuses(let cause)) = results[1] else {
                Issue.record("it is refused otherwise: \(results[1])")
                return
            }
            #expect(cause.contains("42501"))
        }
    }

    @Test func `a log with a hole is read no further, and not written`() async throws {
        try await withWriter { writer, _ in
            for _ in 1...3 { _ = try await writer.perform(CommandRequest(failure())) }
        }
        let session = try await Session.open(ScratchDatabase.current.connection)
        try await session.script(
            """
            ALTER TABLE log.event DISABLE TRIGGER event_refuse_change;
            DELETE FROM log.event WHERE position = 2
            """
        )
        try await withWriter { writer, _ in
            #expect(writer.logState.position == Position(1))
            #expect(writer.prohibition?.cause == .logDamaged)
        }
        let log = EventLog(session)
        await #expect(throws: LogError.hole(at: Position(1), found: Position(2))) {
            try await session.script(
                """
                DELETE FROM log.event;
                INSERT INTO log.event (position, revision, recorded_at, event_id, command_id, shape,
                    stream, type, entry)
                VALUES (2, 1, now(), gen_random_uuid(), gen_random_uuid(), 1, 's', 'T', 'x')
                """
            )
            _ = try await log.events(after: .start)
        }
        await session.close()
    }
}

extension Receipt {
    /// Two events on the stream come before each of the test's own.
    fileprivate var revisionOfKeys: Int { Int(position.rawValue) / 3 * 2 }
}

/// What a command comes to that is not done.
func refusal(_ body: () async throws -> some Any) async -> WriteError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? WriteError
    }
}

extension AsyncStream<Position>.Iterator {
    /// Each look at the log that finds nothing new tells the same position again.
    fileprivate mutating func next(
        after last: Position,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Position? {
        var position = await next(isolation: isolation)
        while position == last { position = await next(isolation: isolation) }
        return position
    }
}
