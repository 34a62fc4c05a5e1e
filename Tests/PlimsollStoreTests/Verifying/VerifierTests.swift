import Metrics
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollStore

/// What an operator is woken by when nobody looks at the log any more.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct VerifierTests {
    private struct HeldUp: Error {}

    // Method: the first look is held up in the middle; another verifier begins when it may look again.
    @Test func `a look that cannot be made is told, and the next one that can`() async throws {
        let (notebook, failing) = (MetricsNotebook(), "plimsoll.verifier.failing")
        try await IntegrityFixture.with { fixture in
            let isHeldUp = Mutex(true)
            let check = fixture.check { _, _ in
                if isHeldUp.withLock({ $0 }) { throw HeldUp() }
            }
            let verifier = Verifier(check, logger: fixture.lines.logger) {}
            try await withMetricsFactory(notebook) {
                try await beside(verifier) {
                    try await eventually { notebook[failing] == 1 }
                    #expect(fixture.progress.view.lastRound == nil)
                    #expect(fixture.lines.text.contains("the verifier is held up"))
                }
                isHeldUp.withLock { $0 = false }
                try await beside(verifier) {
                    try await eventually { notebook[failing] == 0 }
                    #expect(fixture.progress.view.lastRound != nil)
                }
            }
        }
    }

    private func beside(
        _ verifier: Verifier,
        _ body: () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask(name: "verifier") { try await verifier.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }
}
