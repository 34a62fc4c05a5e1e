import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    private func count(by person: Person) -> ReplaceVersionShares {
        let row = VersionShares.Row(app: dotted("14.0"), system: nil, devices: 10)
        let shares = VersionShares(rows: [row])
        return ReplaceVersionShares(
            of: harbour,
            on: .ios,
            with: shares,
            reason: try? Reason(validating: "Because."),
            by: person.principal
        )
    }

    /// The approval of somebody who counted devices since, with the events that it leads to.
    private mutating func approveAfterCounting(counted: [Platform: Position]) throws {
        let carol = Person()
        try admit(carol, [.approver, .proposer])
        try propose("15.0")
        try perform(count(by: carol), carol.origin)
        let (digest, change) = (try hash(of: .first), try #require(logState.openChange(.first)))
        var append: [(StreamName, Event)] = [
            (
                .change(.first),
                .change(.changeApproved(digest: digest, comment: nil, counted: counted))
            )
        ]
        append += change.operations.map { (.app(harbour), .app(AppEvent($0))) }
        append.append((.change(.first), .change(.changeApplied(app: harbour, digest: digest))))
        record(append, carol.origin)
    }

    @Test mutating func `an approval of before anybody looked who counted devices is permitted`()
        throws
    {
        try approveAfterCounting(counted: [:])
        #expect(doubt() == nil)
    }

    @Test mutating func `one that says by which counts it was given is held to the rule of then`()
        throws
    {
        let position = logState.position
        try approveAfterCounting(counted: [.ios: position.advanced(by: 7)])
        #expect(doubt() != nil)
        let place = try #require(logState.app(harbour)?.counts[.ios]?.position)
        let fresh = try DecisionAuditTests()
        var other = fresh
        try other.approveAfterCounting(counted: [.ios: place])
        #expect(other.doubt()?.reason == .refused(Refusal(.contributed(.first))))
    }

    @Test mutating func `an approval by the counts of its time follows`() throws {
        try perform(count(by: alice), alice.origin)
        try propose("15.0")
        try approve(.first, by: bob)
        #expect(logState.endOfChange(.first) == .applied)
        #expect(doubt() == nil)
    }
}
