import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Which applied changes rollbacks have taken back, and which another has brought back.
@Suite struct UndoingTests {
    private func raised(_ given: Given, _ number: Int64, to version: String) throws -> Given {
        let proposed = given.when(try raise(to: version, base: given.logState.position))
        return proposed.when(proposed.approve(change(number)))
    }

    /// The changes that count as undone, by the position of what undid each.
    private func undone(_ given: Given, at position: Position? = nil) -> [Int64: Position] {
        var undone: [Int64: Position] = [:]
        for number in Int64(1)...3 {
            let app = given.logState.app(harbour)
            undone[number] = app?.undoing(of: change(number), at: position)?.position
        }
        return undone
    }

    @Test func `a rollback is remembered by what it undid, until another brings it back`() throws {
        let first = try raised(try Given.harbourApp(), 1, to: "3.0.0")
        let second = try raised(first, 2, to: "3.1.0")
        let third = try raised(second, 3, to: "3.2.0")
        #expect(undone(third) == [:])
        let back = third.when(try rollBack(to: first.present))
        let night = third.logState.position.advanced(by: 1)
        #expect(undone(back) == [2: night, 3: night])
        let undoing = try #require(back.logState.app(harbour)?.undoing(of: change(2)))
        #expect(undoing.actor == rita)
        let restored = back.when(try rollBack(to: second.present))
        #expect(undone(restored) == [3: night])
        let whole = restored.when(try rollBack(to: third.present))
        #expect(undone(whole) == [:])
        let again = whole.when(try rollBack(to: back.present))
        let later = whole.logState.position.advanced(by: 1)
        #expect(undone(again) == [2: later, 3: later])
        for (given, expected) in [
            (third, [:]), (back, [2: night, 3: night]), (restored, [3: night]), (whole, [:]),
            (again, [2: later, 3: later]),
        ] as [(Given, [Int64: Position])] {
            #expect(undone(again, at: given.logState.position) == expected)
        }
    }

    // Goal: nobody takes back what others did without counting them, whatever part of it they name.
    @Test func `changes of others count also where only fields or a platform go back`() throws {
        let first = try raised(try Given.harbourApp(), 1, to: "3.0.0")
        let second = try raised(first, 2, to: "3.1.0")
        let value = Field(.ios, .minimumApp, .value)
        let app = try #require(second.logState.app(harbour))
        func others(
            than principal: PrincipalID,
            _ platforms: [Platform],
            _ fields: [Field]?,
            _ request: RollbackTarget? = nil
        ) -> [ChangeID] {
            let target = first.present.position
            let record = RollbackRecord(
                target: target,
                request: request ?? .event(target),
                platforms: platforms,
                fields: fields
            )
            return app.changes(ofOthersThan: principal, undoneBy: record)
        }
        #expect(others(than: rita, [.ios], [value]) == [change(2)])
        #expect(others(than: rita, [.ios], nil) == [change(2)])
        #expect(others(than: alice, [.ios], [value]) == [])
        #expect(others(than: rita, [.ios], [value], .beforeChange(change(2))) == [])
        #expect(others(than: rita, [.ios], [Field(.ios, .minimumOS, .value)]) == [])
        #expect(others(than: rita, [.android], nil) == [])
    }

    @Test func `what had undone a change is still told of then, after its own end`() throws {
        let given = try Given.settled()
        let (boxed, end) = try given.boxed(1, try minimum("3.0.0"), until: noon)
        let back = boxed.when(try rollBack(to: given.present))
        let night = boxed.logState.position.advanced(by: 1)
        let restored = back.when(try rollBack(to: boxed.present))
        let ended = restored.at(noon).when(end)
        #expect(ended.logState.endingChange(change(1)) == nil)
        #expect(undone(ended, at: back.logState.position) == [1: night])
        #expect(undone(ended, at: restored.logState.position) == [:])
        #expect(undone(ended) == [:])
        let record = RollbackRecord(
            target: given.logState.position,
            request: .event(given.logState.position),
            platforms: [.android, .ios]
        )
        #expect(ended.logState.changesUndone(by: record, of: harbour) == [])
    }

    @Test func `what goes back in part is not undone`() throws {
        let first = try raised(try Given.harbourApp(), 1, to: "3.0.0")
        let second = try raised(first, 2, to: "3.1.0")
        let value = Field(.ios, .minimumApp, .value)
        #expect(undone(second.when(try rollBack(to: first.present, fields: [value]))) == [:])
        let ios = second.when(try rollBack(to: first.present, platforms: [.ios]))
        #expect(undone(ios) == [2: second.logState.position.advanced(by: 1)])
    }

    @Test func `a rollback names what an earlier one had undone and the last one brought back`()
        throws
    {
        let first = try raised(try Given.harbourApp(), 1, to: "3.0.0")
        let second = try raised(first, 2, to: "3.1.0")
        let back = second.when(try rollBack(to: first.present))
        let restored = back.when(try rollBack(to: second.present))
        let record = RollbackRecord(
            target: back.logState.position,
            request: .event(back.logState.position),
            platforms: [.android, .ios]
        )
        #expect(restored.logState.changesUndone(by: record, of: harbour) == [change(2)])
        #expect(back.logState.changesUndone(by: record, of: harbour) == [])
    }
}
