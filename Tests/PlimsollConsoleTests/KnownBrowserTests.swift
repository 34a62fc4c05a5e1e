import HTTPTypes
import PlimsollDomain
import PlimsollTestSupport
import Synchronization
import Testing

@testable import PlimsollConsole

/// Whose places a crowd of strangers does not take.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct KnownBrowserTests {
    private final class Known: Sendable {
        private let all = Mutex<[PrincipalID]>([])

        var principals: [PrincipalID] { all.withLock(\.self) }

        func add(_ principal: PrincipalID) { all.withLock { $0.append(principal) } }
    }

    @Test func `the connection of a browser is its owner's while that is signed in`()
        async throws
    {
        let known = Known()
        try await ConsoleFixture.with(knowing: { known.add($0) }) { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            #expect(try await console.stranger().page("/").text.contains("_token"))
            #expect(known.principals.isEmpty)
            #expect(try await rita.page("/").status == .ok)
            #expect(known.principals == [rita.principal])
        }
    }
}
