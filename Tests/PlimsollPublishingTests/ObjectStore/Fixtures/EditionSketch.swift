import Foundation
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

/// What a log orders in which nothing but the registration of harbour has happened.
enum EditionSketch {
    static func inspection(at event: Int) throws -> Inspection {
        var (logState, orders) = (LogState(), PublicationOrders())
        let (command, key) = (CommandID(UUID()), KeyID(UUID()))
        let record = KeyRecord(id: key, app: harbour, publicKey: [1])
        let events: [(StreamName, Event)] = [
            (.app(harbour), .app(.appRegistered(try settings()))),
            (.keys, .key(.keyAdded(record))),
            (.keys, .key(.keyActivated(key, app: harbour))),
        ]
        for (stream, event) in events {
            let recorded = RecordedEvent(
                position: logState.position.advanced(by: 1),
                id: UUID(),
                stream: stream,
                revision: logState.revision(of: stream).next,
                recordedAt: testNow,
                command: command,
                origin: Origin(
                    actor: .system,
                    authentication: .service,
                    correlation: command.uuid
                ),
                event: event
            )
            logState.evolve(recorded)
            orders.evolve(recorded)
        }
        let edition = try #require(Edition(of: harbour, in: logState, by: orders))
        return Inspection(edition, at: Position(event))
    }
}
