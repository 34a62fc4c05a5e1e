/// Something somebody wants done, decided on the state as it is.
///
/// Deciding is pure: identifiers and randomness come in with the command, and the time is the one
/// that its events are recorded with. So whatever depends on the time can be decided again.
package protocol Command: Sendable {
    /// Who wants it.
    var by: PrincipalID { get }
    /// Why, in their own words; it is recorded with every event the command leads to.
    var reason: Reason? { get }

    /// The events that make it so, recorded now, or everything that stands in its way.
    func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision
}

extension Command {
    package var reason: Reason? { nil }
}

/// What a command leads to.
package struct Decision: Equatable, Sendable {
    /// The events, in the order in which they are to stand in the log.
    package private(set) var events: [StreamEvent] = []
    /// The streams whose state was relied on; none of them may have moved.
    package private(set) var reads: Set<StreamName>

    package init(relyingOn reads: Set<StreamName>) {
        self.reads = reads
    }

    mutating func append(_ event: Event, to stream: StreamName) {
        precondition(event.belongs(in: stream), "an event stands only in a stream of its own kind")
        reads.insert(stream)
        events.append(StreamEvent(stream: stream, event: event))
    }
}

/// An event and the stream it goes to.
package struct StreamEvent: Equatable, Sendable {
    package let stream: StreamName
    package let event: Event
}

extension LogState {
    /// The app, or the refusal that says there is none.
    func existingApp(_ slug: AppSlug) throws(Refusal) -> App {
        guard let app = app(slug) else { throw Refusal(.appUnknown(slug)) }
        return app
    }

    /// Refuses unless the principal has the role there.
    func require(_ role: Role, of principal: PrincipalID, in scope: Scope) throws(Refusal) {
        guard access.permits(principal, role, in: scope) else {
            throw Refusal(.roleMissing(role, scope))
        }
    }

    /// The change while it can still be decided, or the refusal that says why it cannot.
    ///
    /// To somebody who may not see its app a change does not exist: numbers follow one another, and
    /// a refusal would tell the app's name.
    func undecidedChange(_ id: ChangeID, by principal: PrincipalID) throws(Refusal) -> Change {
        guard let app = app(ofChange: id), access.permits(principal, .viewer, in: .app(app)) else {
            throw Refusal(.changeUnknown(id))
        }
        if let change = openChange(id) { return change }
        if let state = endOfChange(id) { throw Refusal(.changeClosed(id, state)) }
        throw Refusal(.changeUnknown(id))
    }
}
