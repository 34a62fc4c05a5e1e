import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct EmergencyTests {
    private func declare(
        in given: Given,
        owner: PrincipalID? = nil,
        by responder: PrincipalID = rita
    ) throws -> DeclareEmergency {
        DeclareEmergency(
            app: harbour,
            title: try Title(validating: "Block 3.1"),
            base: given.logState.position,
            operations: [Operation(.ios, .minimumApp, .setValue(dotted("3.2.0")))],
            incident: try Title(validating: "INC-731"),
            owner: owner,
            reason: try Reason(validating: "3.1 loses bookings"),
            by: responder,
            hash: testHash
        )
    }

    private let confirmed = ReviewVerdict(.confirmed, comment: nil)

    @Test func `a responder applies at once, freeze or not, and opens a review`() throws {
        let given = try Given.harbourApp()
        let reason = try Reason(validating: "Christmas")
        let frozen = given.when(StartFreeze(of: .app(harbour), reason: reason, by: rita))
        let after = frozen.when(try declare(in: frozen))
        #expect(after.logState.app(harbour)?.document(.ios)[.minimumApp].value == dotted("3.2.0"))
        #expect(after.logState.endOfChange(change(1)) == .applied)
        let review = try #require(after.logState.openReviews.first)
        #expect(review.actor == rita && review.order.owner == rita)
        #expect(review.order.due == testNow.advanced(by: .seconds(86_400)))
        #expect(!review.isOverdue(at: testNow.advanced(by: .seconds(86_400))))
        #expect(review.isOverdue(at: testNow.advanced(by: .seconds(86_401))))
    }

    @Test func `nobody but a responder declares an emergency`() throws {
        let given = try Given.harbourApp()
        given.when(try declare(in: given, by: alice), refusedBy: .proposeInstead(harbour))
        for person in [bob, root] {
            given.when(
                try declare(in: given, by: person),
                refusedBy: .roleMissing(.responder, .app(harbour))
            )
        }
    }

    @Test func `a review is closed once, by somebody who owes nothing to who acted`() throws {
        let given = try Given.harbourApp().when(
            root,
            (.access, .access(.roleGranted(rita, RoleGrant(.approver, in: .all))))
        )
        let after = given.when(try declare(in: given))
        let review = try #require(after.logState.openReviews.first).position
        after.when(
            CloseReview(review: review, verdict: confirmed, by: rita),
            refusedBy: .ownReview(review, reviewers: [bob])
        )
        after.when(
            CloseReview(review: review, verdict: confirmed, by: alice),
            refusedBy: .roleMissing(.approver, .app(harbour))
        )
        let closed = after.when(CloseReview(review: review, verdict: confirmed, by: bob))
        #expect(closed.logState.openReviews.isEmpty)
        closed.when(
            CloseReview(review: review, verdict: confirmed, by: bob),
            refusedBy: .reviewUnknown(review)
        )
    }

    @Test func `a review of an app that one may not see does not exist`() throws {
        let stranger = PrincipalID(UUID())
        let given = try Given.harbourApp().when(root, (.access, .access(.principalAdded(stranger))))
        let after = given.when(try declare(in: given))
        let review = try #require(after.logState.openReviews.first).position
        after.when(
            CloseReview(review: review, verdict: confirmed, by: stranger),
            refusedBy: .reviewUnknown(review)
        )
    }

    @Test func `whoever owes something to who acted is told who may close the review`() throws {
        let mask = PrincipalID(UUID())
        let given = try Given.harbourApp().when(
            rita,
            (.access, .access(.principalAdded(mask))),
            (.access, .access(.roleGranted(mask, RoleGrant(.approver, in: .all))))
        )
        let after = given.when(try declare(in: given))
        let review = try #require(after.logState.openReviews.first).position
        after.when(
            CloseReview(review: review, verdict: confirmed, by: mask),
            refusedBy: .reviewOfBenefactor(review, reviewers: [bob])
        )
    }

    @Test func `an owner nobody knows is named where it stands`() throws {
        let (given, stranger) = (try Given.harbourApp(), PrincipalID(UUID()))
        given.when(
            try declare(in: given, owner: stranger),
            refusedBy: .personUnknown(stranger, at: "/owner")
        )
    }

    @Test func `an emergency is not based on what has not happened`() throws {
        let given = try Given.harbourApp()
        let ahead = given.when(root, (.access, .access(.principalAdded(PrincipalID(UUID())))))
        given.when(
            try declare(in: ahead),
            refusedBy: .baseAhead(base: ahead.logState.position, head: given.logState.position)
        )
    }

    @Test func `a policy may want a rollback reviewed, and never approved`() throws {
        let policy = Policy(rollbackReview: ReviewRule(role: .approver, withinSeconds: 3600))
        let given = try Given.settled()
            .when(ChangePolicy(of: .all, to: policy, seen: nil, reason: nil, by: root))
        let raised = given.when(try declare(in: given))
        let back = raised.when(try rollBack(to: given.present))
        #expect(back.logState.openReviews.map(\.subject) == [.emergency(change(1)), .rollback])
    }

    @Test func `a policy that nobody could satisfy is refused, all at once`() throws {
        let stranger = PrincipalID(UUID())
        let policy = Policy(
            rules: [
                .text: ApprovalRule(
                    requirements: [ApprovalRequirement(2, of: .approver, people: [stranger])],
                    validSeconds: 1
                )
            ],
            emergencyReview: ReviewRule(role: .approver, withinSeconds: 0),
            rollbackReview: nil,
            graceSeconds: -1,
            storeSeconds: -1,
            blockedPercentMaximum: 101
        )
        let most = ChangePolicy.secondsMaximum
        try Given.harbourApp().when(
            ChangePolicy(of: .app(harbour), to: policy, seen: nil, reason: nil, by: root),
            refusedBy: .numberOutside(1...1, at: "/rules/text/approvals/0/count"),
            .personUnknown(stranger, at: "/rules/text/approvals/0/people/0"),
            .numberOutside(60...most, at: "/rules/text/validSeconds"),
            .numberOutside(60...most, at: "/emergencyReview/withinSeconds"),
            .numberOutside(0...most, at: "/graceSeconds"),
            .numberOutside(0...most, at: "/storeSeconds"),
            .numberOutside(0...100, at: "/blockedPercentMaximum")
        )
        try Given.harbourApp().when(
            ChangePolicy(of: .app(harbour), to: policy, seen: nil, reason: nil, by: bob),
            refusedBy: .roleMissing(.admin, .app(harbour))
        )
    }
}
