import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct ScheduleTests {
    private let start = testNow.advanced(by: .seconds(3600))
    private let end = testNow.advanced(by: .seconds(7200))

    /// A proposal with a schedule, on a harbour with 3.0.0.
    private func scheduled(until end: Instant? = nil) throws -> Given {
        let plain = try Given.harbourApp().at(testNow)
        let first = plain.when(try raise(to: "3.0.0", base: plain.logState.position))
        let given = first.when(first.approve(change(1)))
        return given.when(
            try raise(to: "3.2.0", base: given.logState.position, at: start, until: end)
        )
    }

    private func minimum(_ given: Given) -> VersionValue? {
        given.logState.app(harbour)?.document(.ios)[.minimumApp].value
    }

    private let apply = ApplyDueChange(change: change(2), hash: testHash)

    @Test func `with its last approval a scheduled change waits for its time`() throws {
        let given = try scheduled()
        let approved = given.when(given.approve(change(2)))
        #expect(minimum(approved) == dotted("3.0.0"))
        #expect(try approved.approvalStatus(change(2)).state == .scheduled)
        #expect(approved.logState.appointments.map(\.at) == [start])
        approved.when(apply, refusedBy: .nothingChanges)
        let applied = approved.at(start).when(apply)
        #expect(minimum(applied) == dotted("3.2.0"))
        #expect(applied.logState.endOfChange(change(2)) == .applied)
    }

    @Test func `another time is another change to approve`() throws {
        let given = try scheduled()
        let approved = given.when(given.approve(change(2)))
        let moved = approved.when(
            ScheduleChange(
                change: change(2),
                seen: approved.digest(change(2)),
                schedule: Schedule(at: end, until: nil, timeZone: .utc),
                by: alice,
                hash: testHash
            )
        )
        #expect(try moved.approvalStatus(change(2)).state == .proposed)
        moved.at(end).when(apply, then: [.change(.changeSuspended(.approvals))])
    }

    @Test(arguments: [
        (0, SuspensionCause?.none), (900, nil), (901, .missed),
    ]) func `what came due while nothing ran is applied within its grace`(
        late: Int,
        cause: SuspensionCause?
    ) throws {
        let given = try scheduled()
        let approved = given.when(given.approve(change(2)))
        let after = approved.at(start.advanced(by: .seconds(late))).when(apply)
        #expect(after.logState.openChange(change(2))?.suspension == cause)
        #expect(minimum(after) == dotted(cause == nil ? "3.2.0" : "3.0.0"))
    }

    // Goal: a policy that makes up for nothing that was missed keeps no schedule from coming into
    // force, and what earlier builds suspended under one is no reason to doubt a log.
    @Test(arguments: [
        (0, SuspensionCause?.none), (5, nil), (6, .missed),
    ]) func `without a grace nothing was missed that is recorded within seconds`(
        late: Int,
        cause: SuspensionCause?
    ) throws {
        let given = try scheduled()
        let policy = Policy(rules: Policy.builtIn.rules, graceSeconds: 0)
        let approved = given.when(given.approve(change(2)))
            .when(root, (.app(harbour), .app(.policyChanged(policy))))
        let time = start.advanced(by: .seconds(late))
        let after = approved.at(time).when(apply)
        #expect(after.logState.openChange(change(2))?.suspension == cause)
        let former = approved.logState.deciding(by: .ignoringSystems)
        let decided = try apply.decide(in: former, at: time).events.map(\.event)
        #expect((decided == [.change(.changeSuspended(.missed))]) == (late > 0))
    }

    @Test func `an app without a freeze of its own is told whose freeze holds`() throws {
        let given = try Given.harbourApp().at(testNow)
        let end = EndFreeze(of: .app(harbour), reason: nil, by: rita)
        given.when(end, refusedBy: .nothingChanges)
        let start = StartFreeze(of: .all, reason: try Reason(validating: "Yule"), by: rita)
        let frozen = given.when(start)
        let freeze = try #require(frozen.logState.freezes(of: .all).unplanned)
        frozen.when(end, refusedBy: .frozenElsewhere(freeze))
        let own = StartFreeze(of: .app(harbour), reason: try Reason(validating: "Yule"), by: rita)
        frozen.when(own).when(end, then: [.app(.freeze(.ended))])
        #expect(Objection.frozenElsewhere(freeze).detail.contains(rita.text))
        #expect(Objection.frozenElsewhere(freeze).remedy.contains("all apps"))
    }

    @Test func `a freeze suspends what comes due, and it can be applied by hand afterwards`() throws
    {
        let given = try scheduled()
        let reason = try Reason(validating: "Christmas")
        let frozen = given.when(given.approve(change(2)))
            .when(StartFreeze(of: .all, reason: reason, by: rita))
            .at(start).when(apply)
        #expect(frozen.logState.openChange(change(2))?.suspension == .freeze)
        let byHand = ApplyChange(
            change: change(2),
            seen: frozen.digest(change(2)),
            by: alice,
            hash: testHash
        )
        let freeze = try #require(frozen.logState.freeze(of: harbour, at: testNow))
        frozen.at(end).when(byHand, refusedBy: .frozen(freeze))
        let thawed = frozen.when(EndFreeze(of: .all, reason: nil, by: rita))
        #expect(minimum(thawed.at(end).when(byHand)) == dotted("3.2.0"))
    }

    @Test func `a conflict suspends what comes due`() throws {
        let given = try scheduled()
        let moved = given.when(given.approve(change(2))).when(
            root,
            (.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("3.1.0"))))
        )
        moved.at(start).when(apply, then: [.change(.changeSuspended(.conflict))])
    }

    @Test func `a rollback suspends schedules in the same breath`() throws {
        let given = try scheduled()
        let approved = given.when(given.approve(change(2)))
        var document = Document(platform: .ios)
        document[.minimumApp].value = dotted("2.0")
        let past = PastState(position: .start, documents: [.ios: document])
        let back = approved.when(try rollBack(to: past))
        #expect(back.logState.openChange(change(2))?.suspension == .rollback)
        #expect(back.logState.appointments.isEmpty)
        back.at(start).when(apply, refusedBy: .nothingChanges)
    }

    @Test func `a rollback of something else leaves a schedule alone`() throws {
        let given = try scheduled()
        let approved = given.when(given.approve(change(2)))
        let records = [
            (RollbackRecord(target: .start, request: .event(.start), platforms: [.android]), true),
            (RollbackRecord(target: .start, request: .event(.start), platforms: [.ios]), false),
            (restoring(Field(.ios, .minimumOS, .value)), true),
            (restoring(Field(.ios, .minimumApp, .value)), false),
        ]
        for (record, goesOn) in records {
            let back = approved.when(rita, (.app(harbour), .app(.rolledBack(record))))
            #expect((back.logState.appointments.map(\.change) == [change(2)]) == goesOn)
            #expect((back.logState.openChange(change(2))?.suspension == .rollback) != goesOn)
            let stopped = approved.logState.scheduledChanges(of: harbour, stoppedBy: record)
            #expect(stopped == (goesOn ? [] : [change(2)]))
        }
    }

    private func restoring(_ field: Field) -> RollbackRecord {
        RollbackRecord(
            target: .start,
            request: .event(.start),
            platforms: [field.platform],
            fields: [field]
        )
    }

    @Test func `when its time is over a change goes back, but for what others wrote since`() throws
    {
        let given = try scheduled(until: end)
        let before = try #require(given.logState.app(harbour)).documents
        let past = PastState(position: given.logState.position, documents: before)
        let applied = given.when(given.approve(change(2))).at(start).when(apply)
        #expect(applied.logState.appointments.map(\.act) == [.end])
        let ending = EndChange(change: change(2), past: past)
        let ended = applied.at(end).when(ending)
        #expect(ended.logState.app(harbour)?.documents == before)
        #expect(ended.logState.appointments.isEmpty)
        let written = applied.when(
            root,
            (.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("3.3.0"))))
        ).at(end).when(ending)
        #expect(minimum(written) == dotted("3.3.0"))
        #expect(
            written.logState.app(harbour)?.document(.ios)[.minimumApp].descriptions
                == before[.ios]?[.minimumApp].descriptions
        )
    }

    @Test func `a revision brings a schedule, or keeps one that still lies ahead`() throws {
        let given = try scheduled()
        let later = Schedule(at: end, until: nil, timeZone: .utc)
        let moved = given.when(try given.revise(change(2), to: "3.2.1", later, by: alice))
        #expect(moved.logState.openChange(change(2))?.schedule == later)
        let kept = given.when(try given.revise(change(2), to: "3.2.1", by: alice))
        #expect(kept.logState.openChange(change(2))?.schedule?.at == start)
        given.at(start).when(
            try given.revise(change(2), to: "3.2.1", by: alice),
            refusedBy: .keptSchedulePassed(change(2), start)
        )
        given.at(start).when(
            try given.revise(
                change(2),
                to: "3.2.1",
                Schedule(at: start, until: nil, timeZone: .utc),
                by: alice
            ),
            refusedBy: .schedulePassed(start, now: start, at: "/schedule/at")
        )
    }

    @Test func `what is due comes in its order, and what lies ahead only with its time`() throws {
        let given = try scheduled()
        let early = given.logState.appointments(dueBy: start.advanced(by: .milliseconds(-1)))
        #expect(early.due.isEmpty && early.next == start)
        let due = given.logState.appointments(dueBy: start)
        #expect(due.due.map(\.change) == [change(2)] && due.next == nil)
    }

    @Test func `a schedule has to lie ahead, and not too far`() throws {
        let given = try scheduled()
        func schedule(_ schedule: Schedule?) -> ScheduleChange {
            ScheduleChange(
                change: change(2),
                seen: given.digest(change(2)),
                schedule: schedule,
                by: alice,
                hash: testHash
            )
        }
        let far = testNow.advanced(by: ScheduleChange.horizon + .seconds(1))
        given.when(
            schedule(Schedule(at: testNow, until: nil, timeZone: .utc)),
            refusedBy: .schedulePassed(testNow, now: testNow, at: "/schedule/at")
        )
        given.when(
            schedule(Schedule(at: end, until: start, timeZone: .utc)),
            refusedBy: .schedulePassed(start, now: end, at: "/schedule/until")
        )
        given.when(
            schedule(Schedule(at: far, until: nil, timeZone: .utc)),
            refusedBy: .scheduleTooFar(far, latest: testNow.advanced(by: ScheduleChange.horizon))
        )
        let last = testNow.advanced(by: ScheduleChange.horizon)
        _ = given.when(schedule(Schedule(at: last, until: nil, timeZone: .utc)))
        given.when(
            schedule(Schedule(at: nil, until: nil, timeZone: .utc)),
            refusedBy: .scheduleEmpty
        )
        given.when(
            schedule(Schedule(at: start, until: nil, timeZone: .utc)),
            refusedBy: .nothingChanges
        )
    }

    @Test(arguments: [(2, true), (62, true), (63, false)])
    func `a zone has an area and a place, in at most 64 letters`(count: Int, isOne: Bool) {
        let place = String(repeating: "b", count: count)
        #expect((TimeZoneName("A/" + place) != nil) == isOne)
        #expect(TimeZoneName(place) == nil && TimeZoneName("A//" + place) == nil)
    }

    @Test func `what is approved is not applied by hand before its time`() throws {
        let given = try scheduled()
        let approved = given.when(given.approve(change(2)))
        let byHand = ApplyChange(
            change: change(2),
            seen: approved.digest(change(2)),
            by: alice,
            hash: testHash
        )
        let early = approved.at(start.advanced(by: .milliseconds(-1)))
        early.when(byHand, refusedBy: .notDue(change(2), start))
        #expect(minimum(approved.at(start).when(byHand)) == dotted("3.2.0"))
    }

    @Test func `what is over already is neither applied nor approved`() throws {
        let over = start.advanced(by: .seconds(60))
        let given = try scheduled(until: over)
        given.at(over).when(given.approve(change(2)), refusedBy: .timeOver(change(2), over))
        let approved = given.when(given.approve(change(2)))
        approved.at(over).when(apply, then: [.change(.changeSuspended(.missed))])
    }
}
