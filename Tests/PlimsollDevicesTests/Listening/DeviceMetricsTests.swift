import Metrics
import PlimsollEdge
import PlimsollTestSupport
import Testing

@testable import PlimsollDevices

/// "Why did it not update" is answered by a number.
@Suite(.timeLimit(.minutes(5))) struct DeviceMetricsTests {
    private let notebook = MetricsNotebook()

    private func answered(_ question: String, _ outcome: String, _ reason: String) -> Double? {
        let dimensions = "question=\(question) outcome=\(outcome) reason=\(reason)"
        return notebook["plimsoll.devices.answered \(dimensions)"]
    }

    // Method: an app that is offered, one whose system is too old for it, one that is up to date, and
    // one that is not sold here, in one batch each.
    @Test func `every app is counted by what was answered of it, and why`() async throws {
        try await withMetricsFactory(notebook) {
            try await RunningResponder.with { running in
                let ours = "10737747186"
                _ = await running.answer(.restore, asking([(ours, "878123456789"), ("7", "1")]))
                _ = await running.answer(.restore, asking([(ours, "5")], system: "9.3"))
                _ = await running.answer(.updates, asking([(ours, "5"), ("7", "1"), ("8", "1")]))
                _ = await running.answer(.updates, asking([(ours, "878123456789")]))
                _ = await running.answer(.updates, asking([(ours, "5")], system: "9.3"))
                _ = await running.answer(.updates, "{")
            }
        }
        #expect(answered("restore", "offered", "none") == 1)
        #expect(answered("restore", "failed", "unlisted") == 1)
        #expect(answered("restore", "failed", "notOffered") == 1)
        #expect(answered("updates", "offered", "none") == 1)
        #expect(answered("updates", "failed", "unlisted") == 2)
        #expect(answered("updates", "current", "systemTooOld") == 1)
        #expect(answered("updates", "current", "none") == 1)
        #expect(notebook["plimsoll.devices.refused question=updates reason=malformed"] == 1)
    }

    @Test func `who may not ask is counted apart, and no app with them`() async throws {
        try await withMetricsFactory(notebook) {
            try await RunningResponder.with(.missing) { running in
                _ = await running.answer(.restore, asking())
            }
        }
        #expect(notebook["plimsoll.devices.refused question=restore reason=noBearer"] == 1)
        #expect(answered("restore", "offered", "none") ?? 0 == 0)
    }
}
