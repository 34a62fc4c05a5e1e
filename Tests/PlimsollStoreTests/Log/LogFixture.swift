import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// A database with all tables, copied for each test.
let logTemplate = ScratchTemplate("log", scripts: StoreSchema.migrations.map(\.sql))

/// The log of the running test, as the service works on it.
@discardableResult
func withLog<Answer>(
    _ body: (EventLog, Session) async throws -> Answer
) async throws -> Answer {
    try await Session.with(
        ScratchDatabase.current.connection,
        settings: .service
    ) { try await body(EventLog($0), $0) }
}

/// A session in the role of the service.
func openServiceSession() async throws -> Session {
    try await Session.open(ScratchDatabase.current.connection, settings: .service)
}

/// A key of a log, each time another one.
func logSigner() throws -> LogSigner {
    try LogSigner(SignerKey(name: try #require(KeyName("log.example.com")), kind: .note))
}

/// Records a checkpoint over no matter which events, as whoever has the service's login can.
func recordStrayCheckpoint(over size: Int) async throws {
    let session = try await openServiceSession()
    _ = try await session.query(
        """
        SELECT log.add_checkpoint(\(Int64(size)), \([UInt8](repeating: 0, count: 32)), '', 'x')
        """
    )
    await session.close()
}

/// Builds commands whose events carry right revisions on their own.
struct CommandBuilder {
    private var revisions: [StreamName: Int] = [:]
    var time = EventSamples.instant("2026-11-21T08:00:00.000Z")

    /// A command that relies on the streams it writes to, as they are after the ones before.
    mutating func command(
        on streams: StreamName...,
        id: CommandID = CommandID(UUID()),
        digest: [UInt8] = [1],
        outcome: [UInt8] = [2],
        reads: [StreamExpectation] = []
    ) throws -> LogCommand {
        var expectations = reads
        for stream in Set(streams) {
            expectations.append(
                StreamExpectation(stream, at: Revision(revisions[stream, default: 0]))
            )
        }
        let events = try streams.map { try event(on: $0, by: id) }
        return LogCommand(
            identity: CommandIdentity(id: id, requestDigest: digest),
            outcome: outcome,
            recordedAt: time,
            expectations: expectations,
            events: events
        )
    }

    mutating func event(on stream: StreamName, by command: CommandID) throws -> NewEvent {
        revisions[stream, default: 0] += 1
        var decoder = EventDecoder()
        return try NewEvent(
            RecordedEvent(
                position: Position(1),
                id: UUID(version7: time),
                stream: stream,
                revision: Revision(revisions[stream, default: 0]),
                recordedAt: time,
                command: command,
                origin: Origin(actor: .system, authentication: .service, correlation: UUID()),
                event: stream.anyEvent
            ),
            readAgainBy: &decoder
        )
    }

    /// Goes back to what the log really has.
    mutating func reset(_ stream: StreamName, to revision: Int) {
        revisions[stream] = revision
    }
}

extension StreamName {
    /// Some event that may stand in the stream.
    fileprivate var anyEvent: Event {
        switch self {
        case .access: .access(.principalAdded(alice))
        case .app: .app(.renewalOrdered)
        case .change: .change(.changeWithdrawn)
        case .export:
            .export(
                .publicationFailed(sequence: SnapshotSequence(orderedBy: Position(1)), cause: "x")
            )
        case .keys: .key(.keyActivated(KeyID(UUID()), app: harbour))
        case .service: .service(.defaultAppChosen(harbour))
        case .webhooks: .webhook(.webhookEnabled(WebhookID(UUID())))
        }
    }
}

func span(_ first: Int?, _ last: Int) -> LogSpan {
    LogSpan(first: first.map { Position($0) }, last: Position(last))
}
