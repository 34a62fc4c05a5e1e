import FoundationEssentials
package import PlimsollDomain
package import Testing

/// A world in which something has happened, and what a command does to it.
package struct Given {
    package private(set) var world = World()
    package private(set) var events: [RecordedEvent] = []
    private var revisions: [StreamName: Int] = [:]
    private var now: Instant?

    package init() {}

    /// What happens from now on is decided and recorded at this time; without it, commands are
    /// decided at ``testNow``, and each event is recorded at a time of its own.
    package func at(_ now: Instant) -> Given {
        var next = self
        next.now = now
        return next
    }

    /// Somebody acts, and all that follows is recorded.
    package func when(_ actor: PrincipalID = .system, _ events: (StreamName, Event)...) -> Given {
        var next = self
        let command = CommandID(UUID())
        for (stream, event) in events { next.record(event, on: stream, by: actor, command) }
        return next
    }

    /// The command is accepted, and its events are recorded.
    package func when(
        _ command: some Command,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Given {
        var next = self
        do throws(Refusal) {
            let id = CommandID(UUID())
            for event in try command.decide(in: world, at: now ?? testNow).events {
                next.record(event.event, on: event.stream, by: command.by, id)
            }
        } catch {
            Issue.record("refused: \(error.objections)", sourceLocation: sourceLocation)
        }
        return next
    }

    /// The command is accepted with exactly these events.
    package func when(
        _ command: some Command,
        then events: [Event],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: Never.self, sourceLocation: sourceLocation) {
            let decision = try command.decide(in: world, at: now ?? testNow)
            #expect(decision.events.map(\.event) == events, sourceLocation: sourceLocation)
        }
    }

    /// The command is refused, with exactly these objections.
    package func when(
        _ command: some Command,
        refusedBy objections: Objection...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do throws(Refusal) {
            let decision = try command.decide(in: world, at: now ?? testNow)
            Issue.record("accepted: \(decision.events)", sourceLocation: sourceLocation)
        } catch {
            #expect(error.objections == objections, sourceLocation: sourceLocation)
        }
    }

    private mutating func record(
        _ event: Event,
        on stream: StreamName,
        by actor: PrincipalID,
        _ command: CommandID
    ) {
        revisions[stream, default: 0] += 1
        let position = world.position.advanced(by: 1)
        let recorded = RecordedEvent(
            position: position,
            id: UUID(),
            stream: stream,
            revision: Revision(revisions[stream, default: 0]),
            recordedAt: now ?? Instant(millisecondsSince1970: position.rawValue * 1000),
            command: command,
            origin: Origin(actor: actor, authentication: .service, correlation: UUID()),
            event: event
        )
        world.evolve(recorded)
        events.append(recorded)
    }
}
