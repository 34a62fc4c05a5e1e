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
    /// What is kept beside the command, for whoever repeats it.
    package let outcome: @Sendable (Decision) -> [UInt8]

    package init(
        _ command: any Command,
        identity: CommandIdentity = .once(),
        authentication: Authentication = .service,
        requestID: String? = nil,
        correlation: UUID = .random(),
        causation: UUID? = nil,
        outcome: @escaping @Sendable (Decision) -> [UInt8] = { _ in [] }
    ) {
        self.command = command
        self.identity = identity
        self.authentication = authentication
        self.requestID = requestID
        self.correlation = correlation
        self.causation = causation
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
        /// Only tried: the events are what they would have been.
        case rehearsed
    }

    package let span: LogSpan
    package let events: [RecordedEvent]
    package let outcome: [UInt8]
    package let recordedAt: Instant
    package let freshness: Freshness
    /// The world just after the command, or as it is now where it was repeated.
    package let world: World

    /// The last position of the append.
    package var position: Position { span.last }
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
    /// Too many commands wait already.
    case overloaded
    /// The database is away or refuses; whether the command was written is not known. Repeating
    /// it under the same id is safe.
    case storeAway
    /// Nothing is written until an operator decides; the sentence says why.
    case readOnly(Prohibition)
    /// The writer has stopped.
    case stopped
}
