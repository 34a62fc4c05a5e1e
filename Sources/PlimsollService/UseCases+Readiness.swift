package import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// Waits for the read models to come as far as the log; `false` if they take too long.
    package func hasCaughtUp() async -> Bool {
        await readModels.progress.wait(
            for: writer.logState.position,
            patience: readModels.patience
        )
    }

    /// How far this instance knows the record.
    package var position: Position { writer.logState.position }

    /// Waits, not for long, until this instance knows the record as far as that, and lists show it.
    package func reaches(_ position: Position) async -> Bool {
        let start = ContinuousClock.now
        guard await knows(position) else { return false }
        let rest = reachPatience - (ContinuousClock.now - start)
        return await readModels.progress.wait(for: position, patience: rest)
    }

    /// The same, whatever lists show.
    func knows(_ position: Position) async -> Bool {
        if writer.logState.position < position {
            writer.ring(position)
            await writer.wait(for: position, patience: reachPatience)
        }
        return writer.logState.position >= position
    }

    /// The last event that this instance knows, and how long ago a look at the log has agreed with
    /// that; `nil` before the first.
    package var logCheck: (head: Position, age: Duration)? {
        writer.isOpen ? (writer.memory.tip.position, writer.silence) : nil
    }

    /// Whether something may be done because of the time alone; `nil` before the log was read.
    package var isClockTrusted: Bool? { writer.isOpen ? trustsClock() : nil }

    /// How long ago all of the log and the read models was looked at; `nil` before the first time.
    package var verificationAge: Duration? {
        verifier.view.lastRound.map { ContinuousClock.now - $0.begun - $0.took }
    }

    /// For how long something on a schedule has been due and is not done; `nil` before the log was read.
    package var lateness: Duration? {
        guard let agenda = try? agenda() else { return nil }
        let (now, due) = (clock(), agenda.due.first?.at)
        let late = due.map { now.millisecondsSince1970 - $0.millisecondsSince1970 } ?? 0
        return .milliseconds(max(0, late))
    }

    /// Why nothing may be written until an operator decides.
    package var prohibition: Prohibition? { writer.prohibition }

    /// Whether writes can be made and read models are up to date; says what is missing.
    ///
    /// Nobody is asked for it: what this instance has seen last says, and what passes in seconds is
    /// no reason to take a service out of its load balancer.
    package var readiness: Readiness {
        guard writer.isOpen else {
            return .notReady([
                "The log has not been read yet: the database is away, starts, or refuses the service."
            ])
        }
        if let prohibition { return .readsOnly(prohibition) }
        let isSilent = writer.silence > databasePatience
        if writer.isUnconfirmed, !isSilent {
            return .notReady([
                "The database answers and does not confirm what is written, as without its standby."
            ])
        }
        if isSilent || writer.isAway {
            return .notReady(["The database does not answer, or takes no writes."])
        }
        let (position, progress) = (writer.logState.position, readModels.progress)
        guard progress.isCurrent(with: position) else {
            return .notReady(["The read models stand at \(progress.position) of \(position)."])
        }
        return .ready
    }
}

/// How long somebody waits who has written at another instance.
let reachPatience = Duration.seconds(2)

/// How long a database may keep silent: it may be busy, or be started again.
private let databasePatience = Duration.seconds(5)

/// Whether the service does its work.
package enum Readiness: Equatable, Sendable {
    case ready
    /// What is there is answered, and nothing is written.
    case readsOnly(Prohibition)
    /// What is missing, as sentences.
    case notReady([String])
}

/// Works out answers that take long, one after the other.
///
/// However many ask, they keep one processor busy at most, and whoever has to act at once finds
/// another.
package actor ExpensiveReads {
    package init() {}

    /// The answer; whoever asks waits for those who asked before.
    package func answer<Value: Sendable>(
        _ work: @Sendable () throws -> Value
    ) rethrows -> Value {
        try work()
    }
}

/// Follows the record as it grows, each event once and in order, for as long as whoever follows
/// may read it.
package struct RecordFollowing: Sendable {
    private let useCases: UseCases
    private let caller: Caller
    private let query: EventQuery
    /// Everything up to here has been told, or was not asked for.
    package private(set) var position: Position

    init(_ query: EventQuery, after position: Position, for caller: Caller, _ useCases: UseCases) {
        self.query = query
        self.position = position
        self.caller = caller
        self.useCases = useCases
    }

    /// What came next; empty where nothing did for a while.
    ///
    /// Throws as soon as the caller has lost the right to read on.
    package mutating func next(patience: Duration) async throws(UseCaseError) -> [AuditedEvent] {
        let growth = try await useCases.read {
            try await useCases.readModels.growth(query, after: position, patience: patience)
        }
        try useCases.requireReader(of: query.apps, caller)
        position = growth.reached
        return growth.events
    }
}

extension UseCases {
    /// Follows the record behind a position, or from now on; waits, not for long, where another
    /// instance has told of a position that this one has not heard of.
    package func follow(
        _ query: EventQuery,
        after position: Position?,
        for caller: Caller
    ) async throws(UseCaseError) -> RecordFollowing {
        try requireReader(of: query.apps, caller)
        let isKnown = if let position { await knows(position) } else { true }
        let head = try logState().position
        if let position, !isKnown { throw UseCaseError(.eventUnknown(position, head: head)) }
        return RecordFollowing(query, after: position ?? head, for: caller, self)
    }

    /// Refuses unless the caller may read the record, with a token that still lives.
    package func requireReader(of apps: [AppSlug], _ caller: Caller) throws(UseCaseError) {
        let logState = try logState()
        try requireAuditor(of: apps, caller, logState)
        guard case .token(let id) = caller.authentication else { return }
        guard logState.access.livingToken(id, at: clock()) != nil else {
            throw UseCaseError(.tokenUnknown(id))
        }
    }
}
