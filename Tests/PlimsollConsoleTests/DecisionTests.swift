import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What the page of a change offers whoever looks at it.
@Suite struct DecisionTests {
    private static let approver = RoleGrant(.approver, in: .app(harbour))
    private static let responder = RoleGrant(.responder, in: .app(harbour))
    private static let english = Language.all[0]
    private static let approve = english["change.approve"]
    private static let turningDown = [english["change.requestChanges"], english["change.reject"]]
    private static let revise = english["change.revise"]
    private static let withdraw = english["change.withdraw"]

    /// What is offered to Rita, who has these roles, of some things that could be.
    private func offered(
        to roles: [RoleGrant],
        of labels: [String] = [Self.approve] + Self.turningDown,
        by author: PrincipalID = alice,
        in state: ChangeState = .proposed,
        missing: [MissingAnswer] = [],
        checks: [CheckResult] = []
    ) async throws -> [String] {
        let summary = try summary(by: author, in: state)
        let change = ChangeAnswer(
            summary: summary,
            reason: nil,
            operations: [],
            effect: [],
            digest: nil,
            outcome: ChangeOutcome(),
            course: ChangeCourse(missing: missing),
            checks: checks
        )
        let html = try await html(of: change, to: roles)
        return labels.filter {
            html.contains(">\($0)</button>") || html.contains(">\($0)</a>")
        }
    }

    private func summary(
        by author: PrincipalID,
        in state: ChangeState
    ) throws -> ChangeSummary {
        ChangeSummary(
            id: change(7),
            app: harbour,
            title: try Title(validating: "Raise"),
            author: author,
            state: state,
            base: Position(1),
            proposedAt: testNow,
            position: Position(2)
        )
    }

    private func html(of change: ChangeAnswer, to roles: [RoleGrant]) async throws -> String {
        let names = Names([alice: "Alice"])
        return try await shown(to: roles) { visit in
            var page = Page("change", "7")
            page.fields = visit.contents(of: change, [:], names)
            page.fields.merge(visit.course(of: change, names)) { $1 }
            return page
        }
    }

    /// An approval in the role of approver that so many others could give.
    private func missing(
        of people: [PrincipalID] = [],
        couldGive count: Int
    ) -> MissingAnswer {
        MissingAnswer(
            MissingApproval(
                kind: .raiseMinimum,
                requirement: ApprovalRequirement(1, of: .approver, people: people),
                have: 0
            ),
            couldGive: (0..<count).map { _ in PersonAnswer(id: PrincipalID(UUID()), name: nil) }
        )
    }

    @Test func `an approver is offered to approve where not all who could are named`()
        async throws
    {
        let missing = missing(couldGive: Review.reviewersNamed)
        let decisions = [Self.approve] + Self.turningDown
        #expect(try await offered(to: [Self.approver], missing: [missing]) == decisions)
        #expect(try await offered(to: [Self.responder], missing: [missing]) == [])
        #expect(try await offered(to: [], missing: [missing]) == [])
    }

    @Test func `an approver who is not asked may only turn a change down`() async throws {
        let few = missing(couldGive: Review.reviewersNamed - 1)
        let others = missing(of: [bob], couldGive: Review.reviewersNamed)
        for missing in [few, others] {
            let offered = try await offered(to: [Self.approver], missing: [missing])
            #expect(offered == Self.turningDown)
        }
    }

    @Test func `where nothing is missing nobody is offered what their roles do not permit`()
        async throws
    {
        let decisions = [Self.approve] + Self.turningDown
        #expect(try await offered(to: [Self.approver], in: .scheduled) == decisions)
        let viewer = RoleGrant(.viewer, in: .app(harbour))
        #expect(try await offered(to: [viewer], in: .scheduled) == [])
    }

    @Test func `any proposer is offered to revise a change, and only its author to withdraw it`()
        async throws
    {
        let labels = [Self.revise, Self.withdraw]
        let missing = [missing(couldGive: 1)]
        func offered(_ roles: [RoleGrant], by author: PrincipalID) async throws -> [String] {
            try await self.offered(to: roles, of: labels, by: author, missing: missing)
        }
        let proposer = RoleGrant(.proposer, in: .app(harbour))
        #expect(try await offered([proposer], by: alice) == [Self.revise])
        #expect(try await offered([proposer], by: rita) == labels)
        // Who lost the role can do neither.
        #expect(try await offered([], by: rita) == [])
        #expect(try await offered([Self.approver], by: alice) == [])
    }

    @Test func `a change that was sent back is not offered to be approved before a revision`()
        async throws
    {
        let sentence = Self.english["change.sentBack"]
        let summary = try summary(by: alice, in: .changesRequested)
        let change = ChangeAnswer(
            summary: summary,
            reason: nil,
            operations: [],
            effect: [],
            digest: nil,
            outcome: ChangeOutcome()
        )
        #expect(try await html(of: change, to: [Self.approver]).contains(sentence))
        let offered = try await offered(to: [Self.approver], in: .changesRequested)
        #expect(offered == Self.turningDown)
    }

    // Method: the button names the role beside its label.
    @Test func `to override is offered where a check refuses, and not to the author`()
        async throws
    {
        let finding = CheckFinding(
            .textsEqual,
            Field(.ios, .minimumApp, .text(.description, tag("en"))),
            "The text is the same as that in de."
        )
        func isOffered(
            _ severity: CheckRule.Severity,
            by author: PrincipalID
        ) async throws -> Bool {
            let rule = CheckRule(severity, overridableBy: .approver)
            let check = CheckResult(finding: finding, rule: rule, overriddenBy: nil)
            let role = Self.english["roles.approver.name"]
            let label = "\(Self.english["check.override"]) (\(role))"
            let roles = [Self.approver]
            return try await offered(to: roles, of: [label], by: author, checks: [check]) == [label]
        }
        #expect(try await isOffered(.refuse, by: alice))
        #expect(try await !isOffered(.warn, by: alice))
        #expect(try await !isOffered(.refuse, by: rita))
    }
}
