import Foundation
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollClient

@Suite(.timeLimit(.minutes(5))) struct StoreTests {
    /// The verdict with a store that has this version, and how often it was asked.
    private func ask(
        _ store: String?,
        app: String = "3.1.0"
    ) async throws -> (verdict: Verdict, times: Int) {
        try await Harbour.with(app: app) { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let asked = Mutex(0)
            let times = { @Sendable in asked.withLock { $0 } }
            let lookUp = { @Sendable () async -> Version? in
                asked.withLock { $0 += 1 }
                return store.flatMap { Version($0) }
            }
            let client = try harbour.client { $0.storeVersion = lookUp }
            return (await client.refresh().decision.verdict, times())
        }
    }

    @Test func `a store with a version that may run is offered`() async throws {
        #expect(try await ask("3.2.0") == (.appTooOldUpdateAvailable, 1))
        #expect(try await ask("3.1.9") == (.appTooOld, 1))
        #expect(try await ask(nil) == (.appTooOld, 1))
    }

    @Test func `the store is left alone where it makes no difference`() async throws {
        #expect(try await ask("9", app: "3.2.0") == (.available, 0))
    }

    @Test func `a store that never answers is not waited for`() async throws {
        try await Harbour.with { harbour in
            try harbour.documentFolder.keep(harbour.kept())
            let client = try harbour.client {
                $0.timeLimit = 0.2
                $0.storeVersion = {
                    try? await Task.sleep(nanoseconds: 3_600_000_000_000)
                    return Version("9")
                }
            }
            #expect(await client.refresh().decision.verdict == .appTooOld)
        }
    }
}
