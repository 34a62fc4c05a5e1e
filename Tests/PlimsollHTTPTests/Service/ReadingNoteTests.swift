import HTTPTypes
import Logging
import Metrics
import PlimsollDomain
import PlimsollLog
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollHTTP

/// Who reads the record is written to the service's log, whichever way they read it.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ReadingNoteTests {
    @Test func `every read of the record is counted, and noted with who and what`() async throws {
        let (notes, notebook) = (Notes(), MetricsNotebook())
        try await withMetricsFactory(notebook) {
            try await read(notes)
        }
        #expect(notebook["plimsoll.audit.reads form=application/json"] == 4)
        #expect(notebook["plimsoll.audit.reads form=text/plain"] == 1)
        #expect(notebook["plimsoll.audit.reads form=application/octet-stream"] == 1)
    }

    private func read(_ notes: Notes) async throws {
        try await ServiceFixture.with(logger: notes.logger) { service in
            let size = try await service.sign().checkpoint.root.size
            let document = "/v1/apps/harbour/documents/ios"
            for path in [
                "/v1/events?limit=1", "/v1/events/1", "/v1/events/1/proof",
                "\(document)/blame", "\(document)/history?field=ios.minimumApp.value",
                "/v1/log/tile/entries/000.p/\(size)",
            ] {
                let answer = try await service.send(.get, path, as: .auditor)
                #expect(answer.status == .ok, "\(path)")
                let note = try #require(notes.takeLast(), "\(path)")
                #expect("\(note["path"] ?? "")" == path.split(separator: "?")[0])
                #expect(note["principal"] != nil)
            }
            for path in ["/v1/log/tile/0/000.p/\(size)", "/v1/apps", document] {
                _ = try await service.send(.get, path, as: .auditor)
                #expect(notes.takeLast() == nil, "\(path)")
            }
        }
    }
}

/// Keeps what was noted of reads.
private final class Notes: Sendable {
    private let kept = Mutex<[Logger.Metadata]>([])

    var logger: Logger { Logger(label: "test") { _ in Handler(notes: self) } }

    func takeLast() -> Logger.Metadata? { kept.withLock { $0.popLast() } }

    private struct Handler: LogHandler {
        let notes: Notes
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard "\(event.message)" == "The record was read" else { return }
            notes.kept.withLock { $0.append(event.metadata ?? [:]) }
        }
    }
}
