import PlimsollDomain
import PlimsollTestSupport
import Testing

extension DecisionAuditTests {
    /// A proposal as a service recorded it that knew nothing of twin languages.
    private mutating func recordTwins(by person: Person) throws {
        let operations = try ["en", "he", "iw"].map { language in
            Operation(
                .ios,
                .minimumApp,
                .setText(.description, tag(language), try text("Update, in \(language)."))
            )
        }
        let title = try Title(validating: "Texts")
        let proposed = ChangeEvent.changeProposed(
            app: harbour,
            title: title,
            base: logState.position
        )
        let stream = StreamName.change(logState.nextChange)
        record(
            [(stream, .change(proposed)), (stream, .change(.operationsAdded(operations)))],
            person.origin
        )
    }

    @Test mutating func `twins that an older service let through are no sign of tampering`() throws
    {
        try recordTwins(by: alice)
        let approval = try approval(of: change(1), seen: hash(of: change(1)), by: bob.principal)
        let events = try approval.decide(in: logState.deciding(by: .original), at: now).events
        record(events.map { ($0.stream, $0.event) }, bob.origin)
        #expect(doubt() == nil)
        #expect(logState.app(harbour)?.document(.ios).languageTwins.count == 1)
    }

    @Test mutating func `who might not propose twins is named all the same`() throws {
        try recordTwins(by: bob)
        #expect(doubt()?.reason == .refused(Refusal(.roleMissing(.proposer, .app(harbour)))))
    }
}
