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
}
