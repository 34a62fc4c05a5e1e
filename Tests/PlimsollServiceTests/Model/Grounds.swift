import FoundationEssentials
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

/// Decides in memory, and writes the log as it would be written.
struct MemoryGround: Ground {
    private(set) var logState = LogState()
    private(set) var now: Instant
    private(set) var entries: [[UInt8]] = []

    init(start: Instant) { now = start }

    mutating func perform(_ command: any Command) throws -> [RecordedEvent]? {
        let decision: Decision
        do throws(Refusal) {
            decision = try command.decide(in: logState, at: now)
        } catch {
            return nil
        }
        let id = CommandID(UUID())
        let origin = Origin(
            actor: command.by,
            authentication: .service,
            correlation: id.uuid,
            reason: command.reason
        )
        return try decision.events.map { event in
            let recorded = RecordedEvent(
                position: logState.position.advanced(by: 1),
                id: UUID(),
                stream: event.stream,
                revision: logState.revision(of: event.stream).next,
                recordedAt: now,
                command: id,
                origin: origin,
                event: event.event
            )
            entries.append(try EventCodec.encode(recorded))
            logState.evolve(recorded)
            return recorded
        }
    }

    mutating func advance(by milliseconds: Int64) {
        now = now.advanced(by: .milliseconds(milliseconds))
    }

    /// Goes on with what was kept of the state, which has to be what the whole log comes to.
    mutating func restart() throws {
        let kept: LogState = try PlainForm.value(of: PlainForm.bytes(of: logState))
        var folded = LogState()
        for event in try recordedEvents() { folded.evolve(event) }
        #expect(kept == folded, "kept at event \(kept.position)")
        logState = kept
    }

    func recordedEvents() throws -> [RecordedEvent] {
        var decoder = EventDecoder()
        return try entries.enumerated().map { index, entry in
            try decoder.decode(entry.span, at: Position(index + 1))
        }
    }
}

/// Decides where everything is decided, and writes to PostgreSQL; a restart is a second service on
/// the same database.
struct WriterGround: Ground {
    let house: House
    private(set) var logState: LogState

    init(_ house: House) {
        self.house = house
        logState = house.writer.logState
    }

    mutating func perform(_ command: any Command) async throws -> [RecordedEvent]? {
        do throws(WriteError) {
            let receipt = try await house.writer.perform(CommandRequest(command))
            logState = receipt.logState
            return receipt.events
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    mutating func advance(by milliseconds: Int64) {
        house.clock.advance(by: .milliseconds(milliseconds))
    }

    mutating func restart() async throws {
        var rebuilt: LogState?
        try await House.with(.untouched, clock: house.clock) { rebuilt = $0.writer.logState }
        if let rebuilt { logState = rebuilt }
    }
}
