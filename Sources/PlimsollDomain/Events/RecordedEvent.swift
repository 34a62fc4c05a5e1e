package import Foundation

/// An event with its place in the log and all that was recorded about it.
package struct RecordedEvent: Equatable, Sendable {
    /// Where it stands; authenticated by the tree, not repeated in the hashed bytes.
    package let position: Position
    package let id: UUID
    package let stream: StreamName
    package let revision: Revision
    package let recordedAt: Instant
    package let command: CommandID
    package let origin: Origin
    package let event: Event

    package init(
        position: Position,
        id: UUID,
        stream: StreamName,
        revision: Revision,
        recordedAt: Instant,
        command: CommandID,
        origin: Origin,
        event: Event
    ) {
        self.position = position
        self.id = id
        self.stream = stream
        self.revision = revision
        self.recordedAt = recordedAt
        self.command = command
        self.origin = origin
        self.event = event
    }
}

/// The id of a command; the events of one append share it.
package struct CommandID: Hashable, Sendable {
    package let uuid: UUID

    package init(_ uuid: UUID) { self.uuid = uuid }
}

extension CommandID: CustomStringConvertible {
    package var description: String { uuid.text }
}

/// Who acted, how that is known, in answer to what, and why.
package struct Origin: Equatable, Sendable {
    package let actor: PrincipalID
    package let authentication: Authentication
    /// The id of the request that asked for it, as in the service's log.
    package let request: String?
    /// Shared by all events of one action.
    package let correlation: UUID
    /// The event that led to this one.
    package let causation: UUID?
    package let reason: Reason?

    package init(
        actor: PrincipalID,
        authentication: Authentication,
        request: String? = nil,
        correlation: UUID,
        causation: UUID? = nil,
        reason: Reason? = nil
    ) {
        self.actor = actor
        self.authentication = authentication
        self.request = request
        self.correlation = correlation
        self.causation = causation
        self.reason = reason
    }
}

/// How the actor is known.
package enum Authentication: Equatable, Sendable {
    case token(TokenID)
    /// The service acted by itself.
    case service
}
