import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    @Test mutating func `a revision that wrote over what others wrote follows`() throws {
        try propose("15.0")
        try propose("16.0")
        try approve(ChangeID.first.next, by: bob)
        let fields = [
            Field(.ios, .minimumApp, .value),
            Field(.ios, .minimumApp, .text(.description, tag("en"))),
        ]
        let revision = ReviseChange(
            change: .first,
            seen: try hash(of: .first),
            title: nil,
            base: .start,
            operations: try raise(to: "17.0", base: .start).operations,
            resolve: Dictionary(uniqueKeysWithValues: fields.map { ($0, .mine) }),
            reason: alice.origin.reason,
            by: alice.principal,
            hash: testHash
        )
        try perform(revision, alice.origin)
        #expect(doubt() == nil)
    }

    // Goal: the record of a revert says what was taken back of which change, and nothing more.
    @Test mutating func `a revert that kept a field follows, and one that goes further does not`()
        throws
    {
        try propose("15.0")
        try approve(.first, by: bob)
        let before = try present()
        try propose("16.0")
        try approve(ChangeID.first.next, by: bob)
        let words = Field(.ios, .minimumApp, .text(.description, tag("en")))
        let revert = RevertChange(
            ChangeID.first.next,
            of: harbour,
            before: before,
            after: try present(),
            keep: [words],
            reason: bob.origin.reason,
            by: bob.principal
        )
        try perform(revert, bob.origin)
        #expect(doubt() == nil)
        let record = RollbackRecord(
            target: before.position,
            request: .revert(ChangeID.first.next),
            platforms: [.ios],
            fields: [words, Field(.ios, .minimumApp, .value), Field(.ios, .minimumOS, .value)]
        )
        self.record(
            [
                (.app(harbour), .app(.rolledBack(record))),
                (.app(harbour), .app(.thresholdSet(.ios, .minimumOS, dotted("12")))),
            ],
            bob.origin
        )
        #expect(doubt()?.reason == .another)
    }

    private func present() throws -> PastState {
        PastState(
            position: world.position,
            documents: try #require(world.app(harbour)).documents
        )
    }
}
