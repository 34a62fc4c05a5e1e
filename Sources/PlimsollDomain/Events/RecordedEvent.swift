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
package struct CommandID: Codable, Hashable, Sendable {
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

/// What stood where an event puts something else, and is no field of a document.
package enum Predecessor: Equatable, Sendable {
    case settings(AppSettings)
    /// What was in force before the event, and what is behind it: an app that gives up a policy of
    /// its own follows the default.
    case policy(Policy, then: Policy)
    case release(Release)
    case shares(VersionShares)
    case freeze(Freeze)
    case defaultApp(AppSlug)
}

extension LogState {
    /// What an event will put an end to, by what is known just before it.
    package func predecessor(of recorded: RecordedEvent) -> Predecessor? {
        guard let replacement = recorded.event.told.replacement else { return nil }
        let slug: AppSlug? = if case .app(let slug) = recorded.stream { slug } else { nil }
        let app = slug.flatMap { self.app($0) }
        let scope = slug.map(Scope.app) ?? .all
        switch replacement {
        case .settings: return app.map { .settings($0.settings) }
        case .policy(let own):
            return app.map {
                .policy(policy(of: $0.slug).policy, then: own ?? defaultPolicyInForce.policy)
            }
        case .defaultPolicy(let policy): return .policy(defaultPolicyInForce.policy, then: policy)
        case .release(let platform, let version, _):
            return app?.releases.release(version, on: platform).map(Predecessor.release)
        case .shares(let platform, _): return app?.shares[platform].map(Predecessor.shares)
        case .freezeEnd: return freezes(of: scope).unplanned.map(Predecessor.freeze)
        case .freezePlanEnd(let id):
            return freezes(of: scope).plan(id).map { .freeze(Freeze($0)) }
        case .defaultApp: return defaultApp.map(Predecessor.defaultApp)
        case .freezeStart: return nil
        }
    }
}

/// What was published: position, digests and keys.
package struct PublicationRecord: Codable, Equatable, Sendable {
    package let sequence: SnapshotSequence
    package let position: Position
    /// SHA-256 of the manifest: 64 lower-case hexadecimal digits.
    package let manifestDigest: String
    package let keys: [KeyID]

    package init(
        sequence: SnapshotSequence,
        position: Position,
        manifestDigest: String,
        keys: [KeyID]
    ) {
        self.sequence = sequence
        self.position = position
        self.manifestDigest = manifestDigest
        self.keys = keys
    }
}

/// That it was published, of which app and when.
package struct PublishedSnapshot: Equatable, Sendable {
    package let app: AppSlug
    package let record: PublicationRecord
    package let publishedAt: Instant

    package init(app: AppSlug, record: PublicationRecord, publishedAt: Instant) {
        self.app = app
        self.record = record
        self.publishedAt = publishedAt
    }
}
