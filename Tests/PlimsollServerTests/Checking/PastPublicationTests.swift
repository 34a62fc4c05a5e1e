import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

@Suite(.scratchDatabase, .timeLimit(.minutes(2)))
struct PastPublicationTests {
    /// Fills a database that knows which version it has.
    private func withLog(_ body: (SignedLog) async throws -> Void) async throws {
        try await StoreSchema.prepare(ScratchDatabase.current.connection)
        try await SignedLog.with(body)
    }

    private func position(_ number: Int) -> Position { Position(number) }

    /// What is written of the state at the event, in a folder of its own.
    private func write(
        _ log: SignedLog,
        at event: Int,
        _ app: AppSlug? = nil
    ) async throws -> (outcome: PastPublication.Outcome, document: Document) {
        let folder = log.data / "past-\(event)"
        let place = try #require(InspectionPlace(folder.string, environment: [:]))
        let outcome = try await PastPublication(log.database).write(
            app,
            at: position(event),
            to: place
        )
        let bytes = try (ExportFolder(folder).current(of: outcome.app) / "availability-ios")
            .read(sizeMaximum: 1 << 20)
        return (outcome, try AvailabilityDocument(parsing: bytes, platform: .ios).document)
    }

    @Test func `every event has the state after the append that it belongs to`() async throws {
        try await withLog { log in
            let registered = try await write(log, at: 4)
            for event in [1, 5, 12] {
                let past = try await write(log, at: event)
                #expect(past.document == registered.document, "at event \(event)")
                #expect(past.outcome.sequence == registered.outcome.sequence)
            }
            let applied = try await write(log, at: 16)
            #expect(applied.document[.minimumApp].value == dotted("3.2.0"))
            #expect(applied.outcome.sequence > registered.outcome.sequence)
            for event in 13...15 {
                let past = try await write(log, at: event)
                #expect(past.outcome == applied.outcome, "at event \(event)")
            }
            let later = try await write(log, at: 19, harbour)
            #expect(later.outcome.sequence == applied.outcome.sequence)
            #expect(later.outcome.event == position(19))
            let back = try await write(log, at: 21)
            let value = registered.document[.minimumApp].value
            #expect(back.document[.minimumApp].value == value)
            // What was published under a number is what stood at the event with that number.
            #expect(back.outcome.sequence == SnapshotSequence(orderedBy: position(20)))
            #expect(try await write(log, at: 20).outcome == back.outcome)
        }
    }

    @Test func `what has not happened, or not yet been published, is said`() async throws {
        try await withLog { log in
            let quay = slug("quay")
            let cases: [(Int, AppSlug?, PastPublicationFailure)] = [
                (22, nil, .notYet(position(22), newest: position(21))),
                (0, nil, .appNotNamed([])),
                (0, harbour, .notPublished(harbour, position(0))),
                (21, quay, .notPublished(quay, position(21))),
            ]
            for (event, app, failure) in cases {
                await #expect(throws: failure) { try await write(log, at: event, app) }
            }
        }
    }

    @Test func `a folder that has something is left alone`() async throws {
        try await withLog { log in
            let place = try #require(InspectionPlace(log.folder.root.string, environment: [:]))
            let before = try log.folder.root.entries()
            let failure = await #expect(throws: PastPublicationFailure.self) {
                try await PastPublication(log.database).write(nil, at: position(21), to: place)
            }
            guard case .notWritten = failure else {
                Issue.record("it fails for another reason: \(String(describing: failure))")
                return
            }
            #expect(try log.folder.root.entries() == before)
        }
    }
}
