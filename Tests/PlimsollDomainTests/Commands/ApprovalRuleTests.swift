import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

private let carol = PrincipalID(UUID())
private let dan = PrincipalID(UUID())

@Suite struct ApprovalRuleTests {
    /// Harbour with a proposal of Alice's, three approvers, and a policy.
    private func proposed(_ policy: Policy) throws -> Given {
        let given = try Given.harbourApp().when(
            root,
            (.access, .access(.principalAdded(carol))),
            (.access, .access(.roleGranted(carol, RoleGrant(.approver, in: .app(harbour))))),
            (.access, .access(.principalAdded(dan))),
            (.access, .access(.roleGranted(dan, RoleGrant(.approver, in: .app(harbour))))),
            (.app(harbour), .app(.policyChanged(policy)))
        ).at(testNow)
        return given.when(try raise(to: "3.2.0", base: given.logState.position))
    }

    private func policy(
        _ requirements: [ApprovalRequirement],
        validSeconds: Int64? = nil
    ) -> Policy {
        Policy(
            rules: [
                .raiseMinimum: ApprovalRule(
                    requirements: requirements,
                    validSeconds: validSeconds
                )
            ]
        )
    }

    @Test func `a rule of two is met by two people, not by one who says so twice`() throws {
        let given = try proposed(policy([ApprovalRequirement(2, of: .approver)]))
        let first = given.when(given.approve(change(1)))
        #expect(first.logState.openChange(change(1))?.approvals.map(\.by) == [bob])
        first.when(first.approve(change(1)), refusedBy: .approvedAlready(change(1)))
        let second = first.when(first.approve(change(1), by: carol))
        #expect(second.logState.endOfChange(change(1)) == .applied)
        #expect(second.logState.app(harbour)?.document(.ios)[.minimumApp].value == dotted("3.2.0"))
    }

    @Test func `named people are the only ones who count`() throws {
        let requirement = ApprovalRequirement(1, of: .approver, people: [carol])
        let given = try proposed(policy([requirement]))
        given.when(
            given.approve(change(1)),
            refusedBy: .notAskedToApprove(change(1), .raiseMinimum, requirement)
        )
        let after = given.when(given.approve(change(1), by: carol))
        #expect(after.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `an approval that has grown too old does not count`() throws {
        let rule = policy([ApprovalRequirement(2, of: .approver)], validSeconds: 3600)
        let given = try proposed(rule)
        let late = testNow.advanced(by: .seconds(3600))
        let first = given.when(given.approve(change(1))).at(late)
        let second = first.when(first.approve(change(1), by: carol))
        #expect(second.logState.endOfChange(change(1)) == nil)
        let third = second.when(second.approve(change(1), by: bob))
        #expect(third.logState.endOfChange(change(1)) == .applied)
    }

    // Method: a change that is of two kinds, of which one lets approvals count for an hour only.
    @Test func `an approval that has grown too old for one rule may be given again`() throws {
        let two = [ApprovalRequirement(2, of: .approver)]
        let rules = Policy(
            rules: [
                .raiseMinimum: ApprovalRule(requirements: two, validSeconds: 3600),
                .recommendation: ApprovalRule(requirements: two),
            ]
        )
        let words = try text("Update.")
        let operations = [ThresholdName.minimumApp, .recommendedApp].flatMap { name in
            [
                Operation(.ios, name, .setValue(dotted("3.3.0"))),
                Operation(.ios, name, .setText(.description, tag("en"), words)),
                Operation(.ios, name, .setText(.title, tag("en"), words)),
            ]
        }
        let given = try proposed(rules)
        let both = given.when(try propose(operations, base: given.logState.position))
        let late = testNow.advanced(by: .seconds(3600))
        let first = both.when(both.approve(change(2))).at(late)
        let second = first.when(first.approve(change(2), by: carol))
        second.when(second.approve(change(2), by: carol), refusedBy: .approvedAlready(change(2)))
        let status = try second.approvalStatus(change(2), at: late)
        let missing = try #require(status.missing.first)
        let waiting = try #require(second.logState.openChange(change(2)))
        #expect(second.logState.givers(of: missing, to: waiting, status).contains(bob))
        let third = second.when(second.approve(change(2)))
        #expect(third.logState.endOfChange(change(2)) == .applied)
    }

    @Test func `an approval dies with the role of who gave it`() throws {
        let rule = policy([
            ApprovalRequirement(1, of: .approver), ApprovalRequirement(1, of: .responder),
        ])
        let given = try proposed(rule)
        let first = given.when(given.approve(change(1), by: rita))
        #expect(first.logState.endOfChange(change(1)) == nil)
        let second = first.when(first.approve(change(1)))
        #expect(second.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `whatever moves what is live voids the approvals, without anybody's doing`() throws {
        let given = try proposed(policy([ApprovalRequirement(2, of: .approver)]))
        let approved = given.when(given.approve(change(1)))
        let moved = approved.when(
            root,
            (.app(harbour), .app(.thresholdSet(.ios, .minimumApp, dotted("3.1.0"))))
        )
        let status = try moved.approvalStatus(change(1))
        #expect(status.approvals.isEmpty)
        #expect(status.missing.map(\.have) == [0])
    }

    @Test func `who revised a change has had a hand in it and does not approve it`() throws {
        let given = try proposed(policy([ApprovalRequirement(1, of: .approver)])).when(
            root,
            (.access, .access(.roleGranted(bob, RoleGrant(.proposer, in: .app(harbour)))))
        )
        let approved = given.digest(change(1))
        let revised = given.when(try given.revise(change(1), to: "3.3.0", by: bob))
        #expect(revised.digest(change(1)) != approved)
        revised.when(revised.approve(change(1)), refusedBy: .contributed(change(1)))
        let applied = revised.when(revised.approve(change(1), by: carol))
        #expect(applied.logState.app(harbour)?.document(.ios)[.minimumApp].value == dotted("3.3.0"))
    }

    @Test func `what a reviewer wants changed is not approved before it is revised`() throws {
        let given = try proposed(policy([ApprovalRequirement(1, of: .approver)]))
        let wanted = given.when(try given.wantOther())
        wanted.when(wanted.approve(change(1), by: carol), refusedBy: .changesWanted(change(1)))
        let revised = wanted.when(try wanted.revise(change(1), to: "3.2.1", by: alice))
        let applied = revised.when(revised.approve(change(1), by: carol))
        #expect(applied.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `a revision to the very same does not bring back approvals before an objection`()
        throws
    {
        let given = try proposed(policy([ApprovalRequirement(1, of: .approver)]))
        let reason = try Reason(validating: "Christmas")
        let approved = given.when(StartFreeze(of: .all, reason: reason, by: rita))
            .when(given.approve(change(1), by: carol))
            .when(EndFreeze(of: .all, reason: nil, by: rita))
        #expect(try approved.approvalStatus(change(1)).state == .approved)
        let wanted = approved.when(try approved.wantOther())
        let digest = wanted.digest(change(1))
        let revised = wanted.when(try wanted.revise(change(1), to: "3.2.0", by: alice))
        #expect(revised.digest(change(1)) == digest)
        #expect(try revised.approvalStatus(change(1)).state == .proposed)
        let missing = try #require(try revised.approvalStatus(change(1)).missing.first)
        #expect(missing.have == 0)
        revised.when(
            ApplyChange(change: change(1), seen: digest, by: alice, hash: testHash),
            refusedBy: .approvalsMissing(change(1), missing)
        )
        let again = revised.when(revised.approve(change(1), by: carol))
        #expect(again.logState.endOfChange(change(1)) == .applied)
    }

    @Test func `where nobody needs to approve nobody approves twice either`() throws {
        let reason = try Reason(validating: "Christmas")
        let given = try proposed(policy([]))
            .when(StartFreeze(of: .all, reason: reason, by: rita))
        let once = given.when(given.approve(change(1)))
        once.when(once.approve(change(1)), refusedBy: .approvedAlready(change(1)))
        _ = once.when(once.approve(change(1), by: carol))
    }

    @Test func `a change has so many comments and no more`() throws {
        var given = try proposed(policy([]))
        let most = CommentOnChange.commentsMaximum
        let words = try Reason(validating: "And another thing")
        let comment = CommentOnChange(change: change(1), comment: words, by: bob)
        for _ in 1...most { given = given.when(comment) }
        given.when(comment, refusedBy: .commentsFull(change(1), maximum: most))
        _ = given.when(given.approve(change(1)))
    }

    @Test func `everybody who does more than look may comment on a change`() throws {
        let (auditor, viewer) = (PrincipalID(UUID()), PrincipalID(UUID()))
        let given = try proposed(policy([])).when(
            root,
            (.access, .access(.principalAdded(auditor))),
            (.access, .access(.roleGranted(auditor, RoleGrant(.auditor, in: .all)))),
            (.access, .access(.principalAdded(viewer))),
            (.access, .access(.roleGranted(viewer, RoleGrant(.viewer, in: .all))))
        )
        let words = try Reason(validating: "And another thing")
        func comment(by person: PrincipalID) -> CommentOnChange {
            CommentOnChange(change: change(1), comment: words, by: person)
        }
        for person in [alice, bob, rita, auditor, root] {
            given.when(comment(by: person), then: [.change(.changeCommented(words))])
        }
        given.when(comment(by: viewer), refusedBy: .roleMissing(.proposer, .app(harbour)))
    }

    @Test func `whom the policy asks may say no as well, and nobody else`() throws {
        func no(_ verdict: TurnDownChange.Verdict, in given: Given) throws -> TurnDownChange {
            try given.turnDown(change(1), verdict, because: "Not at night", by: rita)
        }
        let asked = try proposed(policy([ApprovalRequirement(1, of: .responder)]))
        let rejected = asked.when(try no(.rejected, in: asked))
        #expect(rejected.logState.endOfChange(change(1)) == .rejected)
        let wanted = asked.when(try no(.changesRequested, in: asked))
        #expect(wanted.logState.openChange(change(1))?.state == .changesRequested)
        let other = ApprovalRequirement(1, of: .responder, people: [bob])
        for requirement in [other, ApprovalRequirement(1, of: .approver)] {
            let unasked = try proposed(policy([requirement]))
            unasked.when(
                try no(.rejected, in: unasked),
                refusedBy: .roleMissing(.approver, .app(harbour))
            )
        }
    }

    @Test func `what a reviewer wants changed gets no other time instead`() throws {
        let given = try proposed(policy([ApprovalRequirement(1, of: .approver)]))
        let wanted = given.when(try given.wantOther())
        let later = testNow.advanced(by: .seconds(3600))
        wanted.when(
            ScheduleChange(
                change: change(1),
                seen: wanted.digest(change(1)),
                schedule: Schedule(at: later, until: nil, timeZone: .utc),
                by: alice,
                hash: testHash
            ),
            refusedBy: .changesWanted(change(1))
        )
    }

    @Test func `each kind of an effect brings its own rule`() throws {
        let given = try proposed(policy([ApprovalRequirement(2, of: .approver)]))
        let text = Operation(
            .ios,
            .minimumApp,
            .setText(.title, tag("en"), try text("Old"))
        )
        let proposed = given.when(try propose([text], base: given.logState.position))
        let applied = proposed.when(proposed.approve(change(2)))
        #expect(applied.logState.endOfChange(change(2)) == .applied)
        #expect(applied.logState.endOfChange(change(1)) == nil)
    }
}

extension Given {
    /// Bob asks for something else in the first change.
    fileprivate func wantOther() throws -> TurnDownChange {
        try turnDown(change(1), .changesRequested, because: "3.2.1 is the one")
    }
}
