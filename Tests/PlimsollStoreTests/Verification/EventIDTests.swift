import FoundationEssentials
import PlimsollDomain
import PlimsollLog
import PlimsollStore
import PlimsollTestSupport
import Testing

/// The ids of events, which a database would refuse if they came twice.
struct EventIDTests {
    private let id = UUID(version7: EventSamples.instant("2026-11-21T08:00:00.000Z"))

    private func verified(_ ids: UUID...) throws -> EntryVerifier {
        var verifier = EntryVerifier()
        for (index, id) in ids.enumerated() {
            let event = RecordedEvent(
                position: Position(index + 1),
                id: id,
                stream: .service,
                revision: Revision(index + 1),
                recordedAt: EventSamples.instant("2026-11-21T08:00:00.000Z"),
                command: CommandID(UUID()),
                origin: Origin(actor: .system, authentication: .service, correlation: UUID()),
                event: .service(.defaultAppChosen(harbour))
            )
            try verifier.take(try EventCodec.encode(event))
        }
        return verifier
    }

    @Test func `ids of version 7 that differ are sound`() throws {
        let other = UUID(version7: EventSamples.instant("2026-11-21T08:00:00.000Z"))
        #expect(try verified(id, other).frontier.size == 2)
    }

    @Test func `an id that comes again is named where it comes again`() throws {
        let other = UUID(version7: EventSamples.instant("2026-11-21T08:00:00.000Z"))
        let found = #expect(throws: LogFlawFound.self) { try verified(id, other, id) }
        #expect(found == LogFlawFound(Position(3), .idRepeated(id.text)))
    }

    @Test(arguments: [
        "00000000-0000-0000-0000-000000000000", "0193e0a2-7c00-4abc-8def-0123456789ab",
        "0193e0a2-7c00-7abc-cdef-0123456789ab", "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ])
    func `an id of another version is named`(_ text: String) throws {
        let bad = try #require(UUID(uuidString: text))
        let found = #expect(throws: LogFlawFound.self) { try verified(id, bad) }
        #expect(found == LogFlawFound(Position(2), .idForm(bad.text)))
    }
}
