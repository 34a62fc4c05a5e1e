import Foundation
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

/// What stood where an event put something else that is no field of a document.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct PredecessorTests {
    // Goal: the record tells of every event what a fold of the whole log tells. Method: a history
    // in which each kind replaces something and nothing, asked about whole and event by event.
    @Test func `the record tells what stood before every event, as the fold does`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.registerHarbour()
            try await fixture.changePolicies()
            try await fixture.changeReleases()
            try await fixture.changeTheRest()
            try await fixture.changeTheDefault()
            try await fixture.catchUp()
            let log = try await fixture.log.events(after: .start, limit: 1000)
            var batch = Batch(on: LogState())
            for append in appends(of: log[...]) { batch.take(append: append) }
            let record = try await fixture.readModels.events(at: log.map(\.position))
            #expect(record.map(\.predecessor) == batch.events.map(\.predecessor))
            for (event, folded) in zip(record, batch.events) where folded.predecessor != nil {
                let alone = try await fixture.readModels.events(at: [event.position])
                #expect(alone == [folded])
            }
            #expect(Set(batch.events.compactMap(\.predecessor).map(\.kind)).count == 6)
        }
    }

    // More than the part that is read first lies between the two events about one release.
    @Test func `what was known of a release is found behind all the others`() async throws {
        try await ProjectionFixture.with { fixture in
            try await fixture.letAliceIn()
            try await fixture.registerHarbour()
            for patch in 0..<40 { try await fixture.register("1.0.\(patch)") }
            try await fixture.amend("1.0.0", "412")
            try await fixture.catchUp()
            let end = fixture.writer.logState.position
            let amended = try await fixture.readModels.events(at: [end])
            let first = Release(platform: .ios, version: dotted("1.0.0"), facts: ReleaseFacts())
            #expect(amended.map(\.predecessor) == [.release(first)])
        }
    }

    // Goal: each planned freeze is told as it was, however much lies between. Method: two plans of an
    // app and one of everything end, among more turns of other freezes than are read at a time.
    @Test func `what an end of a planned freeze put an end to is that plan`() async throws {
        let clock = TestClock()
        try await ProjectionFixture.with(clock: { clock.now }) { fixture in
            try await fixture.letAliceIn()
            try await fixture.registerHarbour()
            let scopes = [Scope.app(harbour), .all, .app(harbour)]
            var plans: [Predecessor] = []
            var ends: [Position] = []
            for (number, scope) in scopes.enumerated() {
                let plan = try await fixture.plan(number, scope, at: clock.now)
                plans.append(.freeze(Freeze(plan)))
            }
            for _ in 0..<60 { try await fixture.freezeAndThaw(.app(harbour)) }
            clock.step(.seconds(100_000))
            for (plan, scope) in zip(plans, scopes) {
                guard case .freeze(let freeze) = plan else { continue }
                try await fixture.perform(TurnFreezePlan(freeze.position, of: scope, reason: nil))
                ends.append(fixture.writer.logState.position)
            }
            try await fixture.catchUp()
            let record = try await fixture.readModels.events(at: ends)
            #expect(record.map(\.predecessor) == plans)
            for (end, plan) in zip(ends, plans) {
                let alone = try await fixture.readModels.events(at: [end])
                #expect(alone.map(\.predecessor) == [plan])
            }
        }
    }
}

extension ProjectionFixture {
    /// Plans the freeze of that number: each for an hour, two hours after the one before it.
    fileprivate func plan(
        _ number: Int,
        _ scope: Scope,
        at now: Instant
    ) async throws -> FreezePlan {
        let from = now.advanced(by: .seconds(7200 * (number + 1)))
        let window = FreezeWindow(
            from: from,
            until: from.advanced(by: .seconds(3600)),
            timeZone: .utc
        )
        let reason = try Reason(validating: "An audit.")
        try await perform(PlanFreeze(of: scope, window, reason: reason, by: .system))
        return try #require(writer.logState.freezes(of: scope).plan(writer.logState.position))
    }

    fileprivate func freezeAndThaw(_ scope: Scope) async throws {
        let reason = try Reason(validating: "An audit.")
        try await perform(StartFreeze(of: scope, reason: reason, by: .system))
        try await perform(EndFreeze(of: scope, reason: nil, by: .system))
    }

    fileprivate func changePolicies() async throws {
        let (strict, lax) = (policy(approvals: 2), policy(approvals: 0))
        let all: [(Scope, Policy?)] = [
            (.app(harbour), strict), (.all, lax), (.app(harbour), lax), (.app(harbour), nil),
            (.all, strict), (.app(harbour), lax), (.app(harbour), strict), (.app(harbour), nil),
        ]
        for (scope, policy) in all {
            try await perform(
                ChangePolicy(
                    of: scope,
                    to: policy,
                    seen: writer.logState.policyInForce(in: scope).since ?? .start,
                    reason: nil,
                    by: .system
                )
            )
        }
    }

    fileprivate func changeReleases() async throws {
        try await register("3.1.0")
        try await register("3.2.0")
        try await amend("3.1.0", "412")
        try await amend("3.1.0", "413")
        try await withdraw("3.1.0")
        try await register("3.1.0")
        try await amend("3.1.0", "414")
        try await withdraw("3.2.0")
    }

    fileprivate func changeTheRest() async throws {
        for devices in [Int64(10), 12] { try await count(devices) }
        try await perform(
            RemoveVersionShares(of: harbour, on: .ios, reason: nil, by: .system)
        )
        try await count(3)
        for scope in [Scope.app(harbour), .all, .app(harbour)] { try await freezeAndThaw(scope) }
        try await perform(
            ChangeAppSettings(
                of: harbour,
                to: try settings([.ios, .android, .macos]),
                seen: writer.logState.app(harbour)?.settingsSince,
                reason: nil,
                by: .system
            )
        )
    }

    fileprivate func changeTheDefault() async throws {
        let quay = slug("quay")
        try await perform(registration(of: quay))
        for (app, seen) in [(quay, harbour), (harbour, quay)] {
            try await perform(ChooseDefaultApp(app, seen: seen, reason: nil, by: .system))
        }
    }

    private func count(_ devices: Int64) async throws {
        let row = VersionShares.Row(app: dotted("3.1.0"), system: nil, devices: devices)
        try await perform(
            ReplaceVersionShares(
                of: harbour,
                on: .ios,
                with: VersionShares(rows: [row]),
                reason: nil,
                by: .system
            )
        )
    }

    fileprivate func register(_ version: String) async throws {
        let release = Release(platform: .ios, version: dotted(version), facts: ReleaseFacts())
        try await perform(RegisterRelease(release, of: harbour, reason: nil, by: .system))
    }

    fileprivate func amend(_ version: String, _ build: String) async throws {
        try await perform(
            AmendRelease(
                dotted(version),
                on: .ios,
                of: harbour,
                edits: [.build(try Label(validating: build))],
                reason: nil,
                by: .system
            )
        )
    }

    fileprivate func withdraw(_ version: String) async throws {
        try await perform(
            WithdrawRelease(dotted(version), on: .ios, of: harbour, reason: nil, by: .system)
        )
    }
}

private func policy(approvals: Int) -> Policy {
    let requirements = approvals == 0 ? [] : [ApprovalRequirement(approvals, of: .approver)]
    return Policy(rules: [.raiseMinimum: ApprovalRule(requirements: requirements)])
}

extension Predecessor {
    /// Which of them it is.
    fileprivate var kind: String {
        switch self {
        case .settings: "settings"
        case .policy: "policy"
        case .release: "release"
        case .shares: "shares"
        case .defaultApp: "defaultApp"
        case .freeze: "freeze"
        }
    }
}
