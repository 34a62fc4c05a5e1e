import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What an end takes back, and what it leaves.
@Suite struct EndingTests {
    private let noon = testNow.advanced(by: .seconds(3600))
    private let evening = testNow.advanced(by: .seconds(7200))
    private let reason = "3.1 loses bookings"

    /// Harbour with a change that was applied until a time, and what was before it.
    private func boxed(
        _ given: Given,
        _ id: Int64,
        _ operations: [PlimsollDomain.Operation],
        until end: Instant
    ) throws -> (Given, EndChange) {
        let proposed = given.when(try proposal(operations, on: given, until: end))
        let applied = proposed.when(proposed.approve(change(id)))
        let before = try #require(given.world.app(harbour)).documents
        let past = PastState(position: proposed.world.position, documents: before)
        return (applied, EndChange(change: change(id), past: past))
    }

    private func proposal(
        _ operations: [PlimsollDomain.Operation],
        on given: Given,
        until end: Instant
    ) throws -> ProposeChange {
        ProposeChange(
            app: harbour,
            title: try Title(validating: "For a while"),
            reason: nil,
            base: given.world.position,
            operations: operations,
            schedule: Schedule(at: nil, until: end, timeZone: .utc),
            by: alice
        )
    }

    private func minimum(_ version: String) throws -> [PlimsollDomain.Operation] {
        try raise(to: version, base: .start).operations
    }

    private func block(below version: String) throws -> BlockVersion {
        BlockVersion(
            app: harbour,
            platform: .ios,
            below: dotted(version),
            title: try Title(validating: "Block"),
            incident: nil,
            owner: nil,
            reason: try Reason(validating: reason),
            by: rita,
            hash: testHash
        )
    }

    private func threshold(_ given: Given) -> Threshold? {
        given.world.app(harbour)?.document(.ios)[.minimumApp]
    }

    @Test func `texts that came with a change stay for a minimum that was raised since`() throws {
        let given = try Given.harbourApp().at(testNow)
        let (applied, end) = try boxed(given, 1, try minimum("3.0.0"), until: noon)
        let ended = applied.when(try block(below: "4.0")).at(noon).when(end)
        #expect(threshold(ended)?.value == dotted("4.0"))
        #expect(threshold(ended)?.descriptions == [tag("en"): try text("Update to 3.0.0.")])
        let plain = applied.at(noon).when(end)
        #expect(threshold(plain)?.isEmpty == true)
    }

    private func rollBack(
        to past: PastState,
        platforms: [Platform]? = nil,
        fields: [Field]? = nil
    ) throws -> RollBack {
        RollBack(
            app: harbour,
            platforms: platforms,
            fields: fields,
            request: .event(past.position),
            past: past,
            reason: try Reason(validating: reason),
            by: rita
        )
    }

    @Test func `what a rollback takes back in part still ends at its time`() throws {
        let given = try Given.harbourApp().at(testNow)
        let words = try text("Update.")
        let android = [
            Operation(.android, .minimumApp, .setValue(code(300))),
            Operation(.android, .minimumApp, .setText(.description, tag("en"), words)),
        ]
        let (applied, end) = try boxed(given, 1, try minimum("3.0.0") + android, until: noon)
        let value = Field(.ios, .minimumApp, .value)
        let part = Field(.ios, .minimumApp, .text(.description, tag("en")))
        let parts = [
            try rollBack(to: end.past, platforms: [.ios]),
            try rollBack(to: end.past, fields: [value, part]),
        ]
        for rollback in parts {
            let back = applied.when(rollback)
            #expect(threshold(back)?.isEmpty == true)
            #expect(back.world.endingChange(change(1)) != nil)
            let ended = back.at(noon).when(end)
            #expect(ended.world.app(harbour)?.documents == given.world.app(harbour)?.documents)
        }
        let whole = applied.when(try rollBack(to: end.past, platforms: [.ios, .android]))
        #expect(whole.world.endingChange(change(1)) == nil)
        whole.at(noon).when(end, refusedBy: .nothingChanges)
    }
}
