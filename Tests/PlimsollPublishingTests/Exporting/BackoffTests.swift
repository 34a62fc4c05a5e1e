@testable import PlimsollPublishing
import Testing

@Suite struct BackoffTests {
    @Test func `waiting doubles up to the maximum`() {
        var backoff = Backoff()
        let delays = (0..<8).map { _ in backoff.fail(chance: 1) }
        #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    @Test func `chance takes away at most half`() {
        var backoff = Backoff()
        #expect(backoff.fail(chance: 0) == .milliseconds(500))
        #expect(backoff.fail(chance: 0) == .seconds(1))
    }

    @Test func `a success begins anew`() {
        var backoff = Backoff()
        for _ in 1...100 { _ = backoff.fail() }
        backoff.succeed()
        #expect(backoff.fail(chance: 1) == .seconds(1))
    }
}
