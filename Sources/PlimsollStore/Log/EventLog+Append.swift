import FoundationEssentials
package import PlimsollDomain
package import PlimsollPostgres

extension EventLog {
    /// How long an append may wait for others and for the disk.
    package static let appendTimeout = Duration.seconds(10)

    /// Appends commands in their order, in one transaction, and answers each.
    ///
    /// The first that cannot be appended ends the group. When the connection is lost on the way,
    /// nobody knows what became of it: ask with ``commands(_:)``.
    package func append(_ group: [LogCommand]) async throws(PostgresError) -> [AppendAnswer] {
        try await append(group, knowing: nil, .inLine).answers
    }

    /// The same for whoever knows the log up to an event.
    ///
    /// The database refuses where it does not have that event. A caller that was overtaken is told
    /// what is new, and has a moment in which nobody else appends.
    ///
    /// Each statement is a transaction of its own. The database holds the append lock for no longer
    /// than that takes, whatever becomes of this process meanwhile.
    func append(
        _ group: [LogCommand],
        knowing known: LogTip?,
        _ place: AppendPlace
    ) async throws(PostgresError) -> AppendReply {
        guard !group.isEmpty else { return AppendReply(answers: []) }
        if place == .inLine, let plain = PlainGroup(group),
            let answers = try await append(plain, on: known)
        {
            return AppendReply(answers: answers)
        }
        let statement = Statement(appending: group, knowing: known)
        let rows = try await database.query(statement, timeout: Self.appendTimeout)
        let reply = try AppendReply(rows)
        guard reply.answers.count == group.count else {
            throw PostgresError(.decoding, "instance.append_group answers every command")
        }
        return reply
    }

    /// Gives back the moment in which nobody else appends.
    func passTurn() async throws(PostgresError) {
        try await database.query("SELECT instance.pass_turn()")
    }

    /// Answers `nil`, and has written nothing, where the log is not as the group takes it to be, or
    /// somebody else is to append next.
    private func append(
        _ plain: PlainGroup,
        on known: LogTip?
    ) async throws(PostgresError) -> [AppendAnswer]? {
        let statement = plain.statement(on: known)
        let row = try await database.first(statement, timeout: Self.appendTimeout)
        guard let head: Int64 = try row?.value(at: 0) else { return nil }
        return try plain.answers(after: head)
    }

    /// What the log knows of some commands: with the digest of the request each came with.
    package func commands(
        _ ids: [CommandID]
    ) async throws(LogError) -> [CommandID: (requestDigest: [UInt8], command: KnownCommand)] {
        let statement: Statement = """
            SELECT command_id, request_digest, first_position, last_position, outcome, recorded_at
            FROM log.command WHERE command_id = ANY(\(ids.map(\.uuid)))
            """
        return try await reading { () async throws(PostgresError) in
            var known: [CommandID: (requestDigest: [UInt8], command: KnownCommand)] = [:]
            for row in try await database.query(statement) {
                var reader = RowReader(row: row)
                let id = CommandID(try reader.next())
                let digest: [UInt8] = try reader.next()
                let first: Int64? = try reader.next()
                let last: Int64 = try reader.next()
                known[id] = (
                    digest,
                    KnownCommand(
                        span: try LogSpan(first: first, last: last),
                        outcome: try reader.next(),
                        recordedAt: Instant(try reader.next(Timestamp.self))
                    )
                )
            }
            return known
        }
    }
}

extension Statement {
    fileprivate init(appending group: [LogCommand], knowing known: LogTip?) {
        let expectations = group.enumerated().flatMap { index, command in
            command.expectations.map { (command: Int32(index + 1), $0.stream, $0.revision) }
        }
        let events = group.flatMap(\.events)
        self = """
            SELECT * FROM instance.append_group(
                \(known.place), \(known.leaf as [UInt8]?),
                \(group.map(\.identity.id.uuid)), \(group.map(\.identity.requestDigest)),
                \(group.map(\.outcome)), \(group.map { Timestamp($0.recordedAt) }), \(group.ends),
                \(expectations.map(\.command)), \(expectations.map(\.1.text)),
                \(expectations.map(\.2.rawValue)), \(events.map(\.recorded.stream.text)),
                \(events.map(\.recorded.revision.rawValue)),
                \(events.map(\.type.rawValue)),
                \(events.map(\.shape)), \(events.map(\.recorded.id)),
                \(events.map(\.entry)),
                \(group.leases), \(group.epochs)
            )
            """
    }
}

extension [LogCommand] {
    /// How many events there are up to the end of each.
    fileprivate var ends: [Int32] {
        var end: Int32 = 0
        return map { command in
            end += Int32(command.events.count)
            return end
        }
    }
}

extension AppendAnswer {
    init(_ row: Row) throws(PostgresError) {
        var reader = RowReader(row: row)
        _ = try reader.next(Int32.self)
        let status = try reader.next(String.self)
        let first: Int64? = try reader.next()
        let last: Int64? = try reader.next()
        let outcome: [UInt8]? = try reader.next()
        let stream: String? = try reader.next()
        let revision: Int64? = try reader.next()
        let recordedAt: Timestamp? = try reader.next()
        switch (status, last, outcome, stream.flatMap(StreamName.init), revision, recordedAt) {
        case ("appended", let last?, _, _, _, _):
            self = .appended(try LogSpan(first: first, last: last))
        case ("duplicate", let last?, let outcome?, _, _, let recordedAt?):
            self = .duplicate(
                KnownCommand(
                    span: try LogSpan(first: first, last: last),
                    outcome: outcome,
                    recordedAt: Instant(recordedAt)
                )
            )
        case ("mismatch", _, _, _, _, _): self = .mismatch
        case ("conflict", _, _, let stream?, let revision?, _):
            self = .conflict(stream, Revision(rawValue: revision) ?? .none)
        case ("clockBehind", _, _, _, _, let recordedAt?):
            self = .clockBehind(Instant(recordedAt))
        case ("undecided", _, _, _, _, _): self = .undecided
        default: throw PostgresError(.decoding, "instance.append_group answered an unknown status")
        }
    }
}

extension LogSpan {
    fileprivate init(first: Int64?, last: Int64) throws(PostgresError) {
        self.init(first: try first.map(Position.init(row:)), last: try Position(row: last))
    }
}

/// Commands that can be appended in the short way: of one time, each with events and an id of its
/// own, each relying on what those before it lead to, and none from a leader.
///
/// So what is left to ask the database is how every stream stands before the first of them.
struct PlainGroup {
    private let commands: [LogCommand]
    /// The streams that were relied on before the group changed them.
    private let reads: [StreamExpectation]

    /// Fails for what only `log.append` can answer.
    init?(_ group: [LogCommand]) {
        var ids: Set<CommandID> = []
        var claims = StreamClaims()
        for command in group {
            guard command.recordedAt == group[0].recordedAt, !command.events.isEmpty,
                ids.insert(command.identity.id).inserted, claims.hold(for: command),
                command.fence == nil
            else { return nil }
        }
        commands = group
        reads = claims.reads
    }

    /// One call; it answers the position before the group, or `NULL`.
    func statement(on known: LogTip?) -> Statement {
        commands.count == 1 && commands[0].events.count == 1 && reads.count <= 1
            ? Statement(appending: commands[0], relyingOn: reads.first, on: known)
            : Statement(appending: commands, relyingOn: reads, on: known)
    }

    func answers(after head: Int64) throws(PostgresError) -> [AppendAnswer] {
        var last = try Position(row: head)
        var answers: [AppendAnswer] = []
        for command in commands {
            let first = last.advanced(by: 1)
            last = last.advanced(by: command.events.count)
            answers.append(.appended(LogSpan(first: first, last: last)))
        }
        return answers
    }
}

/// What the commands of a group say about streams, one after the other.
private struct StreamClaims {
    private var reached: [StreamName: Revision] = [:]
    private var read: [StreamName: Revision] = [:]

    /// Those of streams that nobody wrote; where somebody did, the events say how it stood.
    var reads: [StreamExpectation] {
        read.map { StreamExpectation($0.key, at: $0.value) }.sorted {
            $0.stream.text < $1.stream.text
        }
    }

    /// Answers whether each claim begins where the one before it left the stream.
    mutating func hold(for command: LogCommand) -> Bool {
        for claim in command.expectations {
            guard let known = reached[claim.stream] else {
                reached[claim.stream] = claim.revision
                read[claim.stream] = claim.revision
                continue
            }
            if known != claim.revision { return false }
        }
        for event in command.events.map(\.recorded) {
            if let known = reached[event.stream], known.next != event.revision { return false }
            reached[event.stream] = event.revision
            read[event.stream] = nil
        }
        return true
    }
}

extension Statement {
    fileprivate init(
        appending command: LogCommand,
        relyingOn read: StreamExpectation?,
        on known: LogTip?
    ) {
        let event = command.events[0]
        self = """
            SELECT instance.append_one(
                \(command.identity.id.uuid), \(command.identity.requestDigest), \(command.outcome),
                \(Timestamp(command.recordedAt)), \(read?.stream.text as String?),
                \(read?.revision.rawValue as Int64?), \(event.recorded.stream.text),
                \(event.recorded.revision.rawValue), \(event.type.rawValue),
                \(event.shape), \(event.recorded.id), \(event.entry),
                \(known.place), \(known.leaf as [UInt8]?)
            )
            """
    }

    fileprivate init(
        appending group: [LogCommand],
        relyingOn reads: [StreamExpectation],
        on known: LogTip?
    ) {
        let events = group.flatMap(\.events)
        let owners = group.enumerated().flatMap { index, command in
            command.events.map { _ in Int32(index + 1) }
        }
        self = """
            SELECT instance.append_plain(
                \(group.map(\.identity.id.uuid)), \(group.map(\.identity.requestDigest)),
                \(group.map(\.outcome)), \(Timestamp(group[0].recordedAt)), \(group.ends),
                \(reads.map(\.stream.text)), \(reads.map(\.revision.rawValue)), \(owners),
                \(events.map(\.recorded.stream.text)), \(events.map(\.recorded.revision.rawValue)),
                \(events.map(\.type.rawValue)),
                \(events.map(\.shape)), \(events.map(\.recorded.id)),
                \(events.map(\.entry)),
                \(known.place), \(known.leaf as [UInt8]?)
            )
            """
    }
}

/// What became of one command of a group.
package enum AppendAnswer: Equatable, Sendable {
    /// It stands in the log, durably.
    case appended(LogSpan)
    /// It had been appended before; nothing was written.
    case duplicate(KnownCommand)
    /// Its id is known with another request digest.
    case mismatch
    /// The stream has another revision than the command expected; nothing was written.
    case conflict(StreamName, Revision)
    /// Its time lies before the last recorded one, which is given; nothing was written.
    case clockBehind(Instant)
    /// A command before it was not appended, so what it was decided on did not come true.
    case undecided
}

/// The positions of one append.
package struct LogSpan: Equatable, Sendable {
    /// `nil` for a command without events.
    package let first: Position?
    /// For a command without events, where the log stood.
    package let last: Position

    package var count: Int {
        first.map { Int(last.rawValue - $0.rawValue) + 1 } ?? 0
    }
}

/// A command as the log remembers it.
package struct KnownCommand: Equatable, Sendable {
    package let span: LogSpan
    package let outcome: [UInt8]
    package let recordedAt: Instant
}

/// A decided command on its way into the log: its events, and what they were decided on.
package struct LogCommand: Sendable {
    package let identity: CommandIdentity
    /// What a repetition of the command is answered with.
    package let outcome: [UInt8]
    package let recordedAt: Instant
    /// The streams that were relied on, each with the revision it had after the commands before
    /// this one in the group.
    package let expectations: [StreamExpectation]
    package let events: [NewEvent]
    /// What a leader is known by who writes it.
    package let fence: Fence?

    package init(
        identity: CommandIdentity,
        outcome: [UInt8],
        recordedAt: Instant,
        expectations: [StreamExpectation],
        events: [NewEvent],
        fence: Fence? = nil
    ) {
        self.identity = identity
        self.outcome = outcome
        self.recordedAt = recordedAt
        self.expectations = expectations
        self.events = events
        self.fence = fence
    }
}

/// What a command takes for granted about a stream.
package struct StreamExpectation: Equatable, Sendable {
    package let stream: StreamName
    package let revision: Revision

    package init(_ stream: StreamName, at revision: Revision) {
        self.stream = stream
        self.revision = revision
    }
}

/// An event with the bytes that it will be kept as.
package struct NewEvent: Sendable {
    /// Its position is what it will be if nobody else appends meanwhile.
    package let recorded: RecordedEvent
    let type: EventType
    let shape: Int32
    package let entry: [UInt8]

    /// Refuses an event that would not be read again as it was written: one in the log would stop
    /// every start there will ever be.
    package init(
        _ recorded: RecordedEvent,
        with key: EntryKey? = nil,
        readAgainBy decoder: inout EventDecoder
    ) throws(EntryError) {
        self.recorded = recorded
        let told = recorded.event.told
        (type, shape) = (told.type, Int32(told.shape))
        entry = try EventCodec.encode(recorded, with: key)
        guard try decoder.decode(entry.span, at: recorded.position) == recorded else {
            throw .unfaithful(type)
        }
    }
}
