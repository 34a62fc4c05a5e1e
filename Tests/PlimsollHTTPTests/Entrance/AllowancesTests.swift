import Foundation
import HTTPTypes
import PlimsollDomain
import Testing

@testable import PlimsollHTTP

@Suite struct AllowancesTests {
    private let alice = PrincipalID(UUID())
    private let bob = PrincipalID(UUID())
    private let start = ContinuousClock.now

    private func allowances(underWay: Int = 2, perMinute: Int = 60) -> Allowances {
        var limits = Allowances.Limits()
        (limits.underWay, limits.perMinute) = (underWay, perMinute)
        return Allowances(limits)
    }

    @Test func `so many may be under way, and each principal has their own`() throws {
        let allowances = allowances()
        for _ in 1...2 { try allowances.begin(alice, .usual, at: start) }
        let reached = #expect(throws: LimitReached.self) {
            try allowances.begin(alice, .usual, at: start)
        }
        #expect(reached?.limit == .underWay(2))
        try allowances.begin(alice, .emergency, at: start)
        try allowances.begin(bob, .usual, at: start)
        allowances.end(alice, .usual)
        try allowances.begin(alice, .usual, at: start)
    }

    @Test func `what was used up in a minute comes back by the second`() throws {
        let allowances = allowances()
        for _ in 1...60 {
            try allowances.begin(alice, .usual, at: start)
            allowances.end(alice, .usual)
        }
        let reached = try #require(
            #expect(throws: LimitReached.self) { try allowances.begin(alice, .usual, at: start) }
        )
        #expect(reached.limit == .perMinute(60))
        #expect(reached.fields[.retryAfter] == "1")
        #expect(reached.fields[.knownName("RateLimit-Policy")] == "\"minute\";q=60;w=60")
        #expect(reached.fields[.knownName("RateLimit")] == "\"minute\";r=0;t=1")
        let later = start.advanced(by: .seconds(reached.retryAfter))
        try allowances.begin(alice, .usual, at: later)
        allowances.end(alice, .usual)
        #expect(throws: LimitReached.self) { try allowances.begin(alice, .usual, at: later) }
    }
}
