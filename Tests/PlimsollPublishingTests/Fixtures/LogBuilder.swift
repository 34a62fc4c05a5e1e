import PlimsollTestSupport
import Foundation
import PlimsollDomain
import PlimsollPublishing

/// A log in the memory of a test: records events as the service does, and folds them.
struct LogBuilder {
    private(set) var logState = LogState()
    private(set) var orders = PublicationOrders()
    private(set) var events: [RecordedEvent] = []
    var now = Instant(millisecondsSince1970: 1_795_000_000_000)

    /// The ends of the appends so far.
    private(set) var appends: [Position] = []

    @discardableResult
    mutating func append(_ events: [(StreamName, Event)]) -> [RecordedEvent] {
        let command = CommandID(UUID())
        now = now.advanced(by: .seconds(60))
        let recorded = events.map { stream, event in
            record(event, in: stream, command)
        }
        appends.append(logState.position)
        return recorded
    }

    private mutating func record(
        _ event: Event,
        in stream: StreamName,
        _ command: CommandID
    ) -> RecordedEvent {
        let recorded = RecordedEvent(
            position: logState.position.advanced(by: 1),
            id: UUID(),
            stream: stream,
            revision: logState.revision(of: stream).next,
            recordedAt: now,
            command: command,
            origin: Origin(actor: .system, authentication: .service, correlation: command.uuid),
            event: event
        )
        logState.evolve(recorded)
        orders.evolve(recorded)
        self.events.append(recorded)
        return recorded
    }
}

extension LogBuilder {
    /// Registers an app on iOS and Android with the key; the first one is the default.
    mutating func register(_ key: KeyRecord, profile: DocumentProfile = .complete) throws {
        var events: [(StreamName, Event)] = [
            (.app(key.app), .app(.appRegistered(try settings(profile: profile))))
        ]
        if logState.defaultApp == nil {
            events.append((.service, .service(.defaultAppChosen(key.app))))
        }
        append(
            events + [
                (.keys, .key(.keyAdded(key))),
                (.keys, .key(.keyActivated(key.id, app: key.app))),
            ]
        )
    }

    /// Appends what an approved change of minimum app versions does.
    @discardableResult
    mutating func apply(
        _ values: (Platform, VersionValue)...,
        to app: AppSlug = harbour
    ) -> [RecordedEvent] {
        append(
            values.map { (.app(app), .app(.thresholdSet($0, .minimumApp, $1))) }
                + [(.change(.first), .change(.changeApplied(app: app, digest: sampleDigest())))]
        )
    }

    /// Appends a rollback of one platform, which names its destination first.
    @discardableResult
    mutating func rollBack(
        _ platform: Platform,
        to value: VersionValue,
        of app: AppSlug = harbour
    ) -> [RecordedEvent] {
        let record = RollbackRecord(target: .start, request: .event(.start), platforms: [platform])
        return append([
            (.app(app), .app(.rolledBack(record))),
            (.app(app), .app(.thresholdSet(platform, .minimumApp, value))),
        ])
    }

    /// Appends what brings an app's key on in its life.
    @discardableResult
    mutating func turn(_ key: KeyEvent) -> [RecordedEvent] {
        append([(.keys, .key(key))])
    }

    /// Adds a key and has it sign.
    mutating func activate(_ key: KeyRecord) {
        turn(.keyAdded(key))
        turn(.keyActivated(key.id, app: key.app))
    }

    @discardableResult
    mutating func renew(_ app: AppSlug = harbour) -> [RecordedEvent] {
        append([(.app(app), .app(.renewalOrdered))])
    }

    func edition(of app: AppSlug = harbour) -> Edition? {
        Edition(of: app, in: logState, by: orders)
    }
}
