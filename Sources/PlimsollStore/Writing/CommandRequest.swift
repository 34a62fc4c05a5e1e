package import FoundationEssentials
package import PlimsollDomain

/// A command, who asks for it in which way, and what its repetition is answered with.
package struct CommandRequest: Sendable {
    package let command: any Command
    package let identity: CommandIdentity
    package let authentication: Authentication
    /// The id of the request, as in the service's log.
    package let requestID: String?
    /// Shared by all events of one action.
    package let correlation: UUID
    /// The event that led to the command.
    package let causation: UUID?
    /// What a leader is known by who asks: once there is a later one, nothing is written.
    package let fence: Fence?
    /// What is kept beside the command, for whoever repeats it.
    package let outcome: @Sendable (Decision) -> [UInt8]

    package init(
        _ command: any Command,
        identity: CommandIdentity = .once(),
        authentication: Authentication = .service,
        requestID: String? = nil,
        correlation: UUID = .random(),
        causation: UUID? = nil,
        fence: Fence? = nil,
        outcome: @escaping @Sendable (Decision) -> [UInt8] = { _ in [] }
    ) {
        self.command = command
        self.identity = identity
        self.authentication = authentication
        self.requestID = requestID
        self.correlation = correlation
        self.causation = causation
        self.fence = fence
        self.outcome = outcome
    }

    var origin: Origin {
        Origin(
            actor: command.by,
            authentication: authentication,
            request: requestID,
            correlation: correlation,
            causation: causation,
            reason: command.reason
        )
    }
}

/// What a command came to.
package struct Receipt: Sendable {
    /// Whether it was written just now.
    package enum Freshness: Equatable, Sendable {
        case written
        /// The same command was written before; this is what it came to then.
        case repeated
        /// Of a dry run: the events are what they would have been.
        case dryRun
    }

    package let span: LogSpan
    package let events: [RecordedEvent]
    package let outcome: [UInt8]
    package let recordedAt: Instant
    package let freshness: Freshness
    /// The state just after the command, or as it is now where it was repeated.
    package let logState: LogState

    /// The last position of the append.
    package var position: Position { span.last }

    /// Whether others have appended since, as before an answer that is given again.
    package var isOvertaken: Bool { logState.position > span.last }

    /// The same with the state just after the command.
    package func leaving(_ logState: LogState) -> Receipt {
        Receipt(
            span: span,
            events: events,
            outcome: outcome,
            recordedAt: recordedAt,
            freshness: freshness,
            logState: logState
        )
    }
}

/// Why a command came to nothing.
package enum WriteError: Error, Equatable, Sendable {
    /// The rules stand against it.
    case refused(Refusal)
    /// The token that it came with was revoked, or expired, while it was on its way.
    case tokenDead
    /// The same command id came before with another request.
    case mismatch
    /// One of its events is too large for an entry.
    case unwritable(EntryError)
    /// Others changed what it relies on, again and again.
    case contended
    /// It came from a leader, and another one leads by now.
    case superseded
    /// Too many commands wait already.
    case overloaded
    /// The database is away, or did not take the command for now, such as with a full disk; whether it
    /// was written is not known. Repeating it under the same id is safe.
    case storeAway
    /// The database refuses what no wait mends, such as for want of a privilege; the sentence is for the
    /// operator's log. A repetition is answered so even where the first command was written.
    case storeRefuses(String)
    /// Nothing is written until an operator decides; the sentence says why.
    case readOnly(Prohibition)
    /// The writer has stopped.
    case stopped
}

/// A run of commands, each decided on the state as those before it will leave it.
struct Draft {
    /// What was decided about a command.
    enum Verdict {
        /// With the state that it leads to, if nobody else appends meanwhile.
        case accepted(LogCommand, LogState)
        case refused(WriteError)
    }

    private(set) var verdicts: [(job: Job, verdict: Verdict)] = []
    private var logState: LogState
    private let recordedAt: Instant
    private let sizeMaximum: Int
    private var size = 0

    init(on logState: LogState, recordedAt: Instant, sizeMaximum: Int) {
        self.logState = logState
        self.recordedAt = recordedAt
        self.sizeMaximum = sizeMaximum
    }

    /// The accepted commands, in order.
    var commands: [LogCommand] {
        verdicts.compactMap { _, verdict in
            guard case .accepted(let command, _) = verdict else { return nil }
            return command
        }
    }

    /// Decides commands until the group is full.
    mutating func decide(_ jobs: [Job], writtenBy writer: inout EntryWriter) {
        for job in jobs {
            guard size < sizeMaximum else { break }
            verdicts.append((job, decide(job.request, &writer)))
        }
    }

    private mutating func decide(
        _ request: CommandRequest,
        _ writer: inout EntryWriter
    ) -> Verdict {
        do throws(WriteError) {
            let (command, logState) = try request.draft(
                in: logState,
                recordedAt: recordedAt,
                &writer
            )
            self.logState = logState
            size += command.events.reduce(0) { $0 + $1.entry.count }
            return .accepted(command, logState)
        } catch {
            return .refused(error)
        }
    }
}

extension CommandRequest {
    /// Decides the command as of the time that its events are recorded with, and writes them out;
    /// answers the state they lead to.
    func draft(
        in logState: LogState,
        recordedAt: Instant,
        _ writer: inout EntryWriter
    ) throws(WriteError) -> (LogCommand, LogState) {
        guard isAuthentic(in: logState, at: recordedAt) else { throw .tokenDead }
        let decision = try decide(in: logState, at: recordedAt)
        let reads = isFromOutside ? decision.reads.union([.access]) : decision.reads
        let expectations = reads.map { StreamExpectation($0, at: logState.revision(of: $0)) }
        var logState = logState
        var events: [NewEvent] = []
        let origin = origin
        for event in decision.events {
            let recorded = RecordedEvent(
                position: logState.position.advanced(by: 1),
                id: UUID(version7: recordedAt),
                stream: event.stream,
                revision: logState.revision(of: event.stream).next,
                recordedAt: recordedAt,
                command: identity.id,
                origin: origin,
                event: event.event
            )
            events.append(try writer.write(recorded, after: logState.entryKeys))
            logState.evolve(recorded)
        }
        let command = LogCommand(
            identity: identity,
            outcome: outcome(decision),
            recordedAt: recordedAt,
            expectations: expectations.sorted { $0.stream.text < $1.stream.text },
            events: events,
            fence: fence
        )
        return (command, logState)
    }

    /// The same for one command alone.
    func draft(
        in logState: LogState,
        _ authentication: EntryAuthentication? = nil,
        recordedAt: Instant
    ) throws(WriteError) -> (LogCommand, LogState) {
        var writer = EntryWriter(authentication)
        return try draft(in: logState, recordedAt: recordedAt, &writer)
    }

    private var isFromOutside: Bool { authentication != .service }

    /// A token was looked at when the request began, and a body may take its time to follow: what
    /// counts is that it lives when the command is decided.
    private func isAuthentic(in logState: LogState, at now: Instant) -> Bool {
        guard case .token(let id) = authentication else { return true }
        return logState.access.livingToken(id, at: now) != nil
    }

    private func decide(in logState: LogState, at now: Instant) throws(WriteError) -> Decision {
        do throws(Refusal) {
            return try command.decide(in: logState, at: now)
        } catch {
            throw .refused(error)
        }
    }
}

extension UUID {
    /// A UUID of version 7 (RFC 9562, 5.7): milliseconds, then random bits.
    package init(version7 instant: Instant) {
        let milliseconds = UInt64(max(0, instant.millisecondsSince1970))
        self.init(
            high: milliseconds << 16 | 0x7000 | UInt64.random(in: 0...0xFFF),
            low: 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF)
        )
    }
}

extension Instant {
    /// The time as this machine has it.
    package static var now: Instant { Instant(Date.now) }
}
