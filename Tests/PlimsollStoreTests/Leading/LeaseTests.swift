import Testing

@testable import PlimsollStore

/// What an instance may believe of its lease, moment by moment.
@Suite struct LeaseTests {
    private let start = ContinuousClock.now
    private let terms = LeaseTerms()

    private func epoch(_ number: Int64) throws -> Epoch {
        try #require(Epoch(rawValue: number))
    }

    @Test func `nobody leads before it is granted`() {
        #expect(Lease(terms).epoch(at: start) == nil)
    }

    @Test func `a leader stops before the lease is over in the database`() throws {
        var lease = Lease(terms)
        lease.granted(try epoch(1), askedAt: start)
        let end = start + terms.length - terms.margin
        #expect(try lease.epoch(at: start) == epoch(1))
        #expect(try lease.epoch(at: end - .milliseconds(1)) == epoch(1))
        #expect(lease.epoch(at: end) == nil)
        #expect(lease.epoch(at: start + .seconds(3600)) == nil)
    }

    @Test func `a lease counts from when it was asked for, however late the answer comes`() throws {
        var lease = Lease(terms)
        lease.granted(try epoch(1), askedAt: start - terms.length)
        #expect(lease.epoch(at: start) == nil)
    }

    @Test func `each grant prolongs it, and an older one shortens nothing`() throws {
        var lease = Lease(terms)
        lease.granted(try epoch(1), askedAt: start + terms.renewal)
        lease.granted(try epoch(1), askedAt: start)
        #expect(try lease.epoch(at: start + .milliseconds(2500)) == epoch(1))
    }

    @Test func `who took it over leads in another epoch`() throws {
        var lease = Lease(terms)
        lease.granted(try epoch(1), askedAt: start)
        lease.granted(try epoch(3), askedAt: start)
        #expect(try lease.epoch(at: start) == epoch(3))
    }

    @Test func `a refusal ends it at once`() throws {
        var lease = Lease(terms)
        lease.granted(try epoch(1), askedAt: start)
        lease.ended()
        #expect(lease.state == .following)
        #expect(lease.epoch(at: start) == nil)
    }

    @Test func `another instance publishes within five seconds`() {
        // One look of another instance, and two seconds for the publication itself.
        #expect(terms.length + .milliseconds(500) <= .seconds(4))
        // A leader has time to ask twice before it stops.
        #expect(terms.renewal + terms.patience < terms.length - terms.margin)
    }

    @Test func `an epoch is never negative`() {
        #expect(Epoch(rawValue: -1) == nil)
        #expect(Epoch(rawValue: 0) == Epoch.none)
    }
}
