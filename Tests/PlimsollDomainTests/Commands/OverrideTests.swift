import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What follows where a check finds something, and who may say that it is right.
@Suite struct OverrideTests {
    private let field = Field(.ios, .minimumApp, .text(.description, tag("en")))
    private let check = CheckName.placeholderLeft

    private func given(_ rule: CheckRule) throws -> Given {
        let policy = Policy(checks: [check: rule])
        return try Given.harbourApp()
            .when(ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: root))
    }

    private func operations(_ words: String = "Update. TBD") throws -> [Operation] {
        [
            Operation(.ios, .minimumApp, .setValue(dotted("3.2.0"))),
            Operation(.ios, .minimumApp, .setText(.description, tag("en"), try text(words))),
        ]
    }

    private func refusal(_ role: Role?) throws -> Objection {
        let finding = try #require(
            try Given.harbourApp().logState.app(harbour)?
                .findings(applying: operations(), under: .builtIn, at: testNow).first
        )
        #expect(finding.check == check && finding.field == field)
        return .checkRefused(finding, overridableBy: role)
    }

    private func override(
        in given: Given,
        by person: PrincipalID = bob,
        seen: ChangeDigest? = nil
    ) throws -> OverrideCheck {
        OverrideCheck(
            change: change(1),
            seen: seen ?? given.digest(change(1)),
            check: check,
            reason: try Reason(validating: "It is a name"),
            by: person,
            hash: testHash
        )
    }

    @Test func `what is only told keeps nothing from applying`() throws {
        for rule in [CheckRule.warning, CheckRule(.warn, overridableBy: .approver)] {
            let given = try given(rule)
            let proposed = given.when(try propose(operations(), base: given.logState.position))
            let applied = proposed.when(proposed.approve(change(1)))
            #expect(applied.logState.endOfChange(change(1)) == .applied)
            proposed.when(try override(in: proposed), refusedBy: .nothingChanges)
        }
    }

    @Test func `what nobody may override is not even proposed`() throws {
        let given = try given(CheckRule(.refuse))
        given.when(
            try propose(operations(), base: given.logState.position),
            refusedBy: try refusal(nil)
        )
        let good = given.when(try propose(operations("Update."), base: given.logState.position))
        let revised = ReviseChange(
            change: change(1),
            seen: good.digest(change(1)),
            title: nil,
            base: good.logState.position,
            operations: try operations(),
            reason: nil,
            by: alice,
            hash: testHash
        )
        good.when(revised, refusedBy: try refusal(nil))
    }

    @Test func `what somebody may override waits until they say why`() throws {
        let given = try given(CheckRule(.refuse, overridableBy: .approver))
        let proposed = given.when(try propose(operations(), base: given.logState.position))
        let before = proposed.digest(change(1))
        proposed.when(proposed.approve(change(1)), refusedBy: try refusal(.approver))
        for person in [alice, rita, root] {
            proposed.when(
                try override(in: proposed, by: person),
                refusedBy: .roleMissing(.approver, .app(harbour))
            )
        }
        let overridden = proposed.when(try override(in: proposed))
        #expect(overridden.digest(change(1)) == before)
        overridden.when(try override(in: overridden), refusedBy: .nothingChanges)
        let applied = overridden.when(overridden.approve(change(1)))
        #expect(applied.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `nobody overrides a check of their own work, nor for whom they depend on`() throws {
        let given = try given(CheckRule(.refuse, overridableBy: .approver))
        let approver = RoleGrant(.approver, in: .all)
        let own = given.when(try propose(operations(), base: given.logState.position))
            .when(root, (.access, .access(.roleGranted(alice, approver))))
        own.when(try override(in: own, by: alice), refusedBy: .ownWork(change(1)))
        let carol = PrincipalID(UUID())
        let owing = given.when(try propose(operations(), base: given.logState.position))
            .when(
                alice,
                (.access, .access(.principalAdded(carol))),
                (.access, .access(.roleGranted(carol, approver)))
            )
        owing.when(try override(in: owing, by: carol), refusedBy: .dependsOnAuthor(change(1)))
    }

    @Test func `an override counts for as long as an approval of the same person would`() throws {
        let given = try given(CheckRule(.refuse, overridableBy: .approver))
        let proposed = given.when(try propose(operations(), base: given.logState.position))
        let overridden = proposed.when(try override(in: proposed))
        let ward = overridden.when(
            alice,
            (.access, .access(.roleGranted(bob, RoleGrant(.viewer, in: .all))))
        )
        ward.when(try override(in: ward), refusedBy: .dependsOnAuthor(change(1)))
        let wanted = try overridden.turnDown(change(1), .changesRequested, because: "Whose name?")
        for later in [ward, overridden.when(wanted)] {
            let open = try #require(later.logState.openChange(change(1)))
            let digest = later.digest(change(1))
            let results = later.logState.checks(of: open, digest: digest, at: testNow)
            #expect(results.map(\.isRefused) == [true])
        }
    }

    @Test func `an override is of what was seen`() throws {
        let given = try given(CheckRule(.refuse, overridableBy: .approver))
        let proposed = given.when(try propose(operations(), base: given.logState.position))
        let seen = proposed.digest(change(1))
        let overridden = proposed.when(try override(in: proposed))
        let revised = overridden.when(
            ReviseChange(
                change: change(1),
                seen: seen,
                title: nil,
                base: overridden.logState.position,
                operations: try operations("Update, please. TBD"),
                reason: nil,
                by: alice,
                hash: testHash
            )
        )
        let results = revised.logState.checks(
            of: try #require(revised.logState.openChange(change(1))),
            digest: revised.digest(change(1)),
            at: testNow
        )
        #expect(results.map(\.isRefused) == [true])
        revised.when(
            try override(in: revised, seen: seen),
            refusedBy: .digestDiffers(
                change(1),
                seen: seen,
                current: revised.digest(change(1))
            )
        )
    }

    @Test func `a policy that comes to refuse keeps what was scheduled from applying`() throws {
        let given = try Given.harbourApp()
        let at = testNow.advanced(by: .seconds(60))
        let proposed = given.when(try propose(operations(), base: given.logState.position, at: at))
        let policy = Policy(checks: [check: CheckRule(.refuse)])
        let later = proposed.at(testNow).when(proposed.approve(change(1)))
            .when(ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: root))
        let due = later.at(at).when(ApplyDueChange(change: change(1), hash: testHash))
        #expect(due.logState.openChange(change(1))?.suspension == .checks)
    }

    @Test func `an emergency is never refused for a check`() throws {
        let given = try given(CheckRule(.refuse))
        let after = given.when(try emergency(operations(), base: given.logState.position))
        #expect(after.logState.app(harbour)?.document(.ios)[.minimumApp].value == dotted("3.2.0"))
    }
}
