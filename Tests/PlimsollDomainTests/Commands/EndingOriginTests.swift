import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Whose it is what an end finds: what went and came back is still what was decided once.
@Suite struct EndingOriginTests {
    private let value = Field(.ios, .minimumApp, .value)

    @Test func `what a rollback brought back from before a change is not the change's`() throws {
        let approved = try Given.settled().raised(1, to: "3.0.0")
        let given = try approved.raised(2, to: "1.0")
        let (applied, end) = try given.boxed(3, try minimum("3.0.0"), until: noon)
        let back = try applied.raised(4, to: "5.0")
            .when(try rollBack(to: approved.present, fields: [value]))
        #expect(back.minimum?.value == dotted("3.0.0"))
        #expect(back.at(noon).when(end).minimum?.value == dotted("3.0.0"))
    }

    @Test func `what an inner end brings back was decided by whoever decided it`() throws {
        let given = try Given.settled()
        let (applied, end) = try given.boxed(1, try minimum("3.0.0"), until: evening)
        let decided = try applied.raised(2, to: "5.0").raised(3, to: "3.0.0")
        let (inner, innerEnd) = try decided.boxed(4, try minimum("6.0"), until: noon)
        let ended = inner.at(noon).when(innerEnd).at(evening).when(end)
        #expect(ended.minimum?.value == dotted("3.0.0"))
    }

    @Test func `what a second rollback brings back of a change ends at its time`() throws {
        let given = try Given.settled()
        let (applied, end) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let undone = applied.when(try rollBack(to: given.present))
        #expect(undone.logState.endingChange(change(1)) == nil)
        let back = undone.when(try rollBack(to: applied.present))
        #expect(back.logState.endingChange(change(1))?.until == noon)
        #expect(back.logState.appointments.map(\.change) == [change(1)])
        #expect(back.at(noon).when(end).minimum?.isEmpty == true)
        let again = back.when(try rollBack(to: given.present))
        #expect(again.logState.endingChange(change(1)) == nil)
        let part = again.when(try rollBack(to: applied.present, fields: [value]))
        #expect(part.at(noon).when(end).minimum?.isEmpty == true)
    }

    @Test func `what is brought back after its time stays`() throws {
        let given = try Given.settled()
        let (applied, end) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let undone = applied.when(try rollBack(to: given.present))
        let late = undone.at(evening).when(try rollBack(to: applied.present))
        late.when(end, refusedBy: .nothingChanges)
        let inTime = undone.at(noon).when(try rollBack(to: applied.present))
        #expect(inTime.logState.endingChange(change(1)) == nil)
        let ended = applied.at(noon).when(end).when(try rollBack(to: applied.present))
        #expect(ended.minimum?.value == dotted("3.0.0"))
        #expect(ended.logState.appointments == [])
    }

    @Test func `a text that an end brings along still belongs to whoever held it`() throws {
        let given = try Given.settled().raised(1, to: "3.0.0")
        let without = [Operation(.ios, .minimumApp, .clearValue)]
        let (cleared, end) = try given.boxed(2, without, until: noon)
        let words = try text("Please update.")
        let says = try cleared.proposal(
            [Operation(.ios, .minimumApp, .setText(.description, tag("en"), words))]
        )
        let said = cleared.when(says)
        let silence = [Operation(.ios, .minimumApp, .removeText(.description, tag("en")))]
        let (silent, laterEnd) = try said.when(said.approve(change(3)))
            .boxed(4, silence, until: evening)
        let ended = silent.at(noon).when(end)
        #expect(ended.minimum?.value == dotted("3.0.0"))
        #expect(ended.minimum?.descriptions == [tag("en"): try text("Update to 3.0.0.")])
        #expect(ended.at(evening).when(laterEnd).minimum?.descriptions == [tag("en"): words])
    }
}
