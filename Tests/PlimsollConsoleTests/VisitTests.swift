import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What pages are made with.
@Suite struct VisitTests {
    // Goal: the changes as of today are not refused as those of a time that is still to come, where
    // the machine's clock is a little ahead of the database's.
    @Test func `the time on a page is the one that the service decides by`() async throws {
        _ = try await shown { visit in
            #expect(visit.now == testNow)
            return Page("refused", "Refused", ["who": nil])
        }
    }
}
