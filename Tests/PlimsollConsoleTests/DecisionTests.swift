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
        missing: [MissingAnswer]
    ) async throws -> [String] {
        let html = try await html(to: roles, by: author, missing: missing)
        return labels.filter {
            html.contains(">\($0)</button>") || html.contains(">\($0)</a>")
        }
    }

    /// The page of a change.
    private func html(
        to roles: [RoleGrant],
        by author: PrincipalID,
        missing: [MissingAnswer]
    ) async throws -> String {
        let change = ChangeAnswer(
            summary: ChangeSummaryAnswer(
                id: change(7),
                app: harbour,
                title: try Title(validating: "Raise"),
                author: author,
                state: missing.isEmpty ? .scheduled : .proposed,
                base: Position(1),
                proposedAt: testNow,
                position: Position(2)
            ),
            reason: nil,
            operations: [],
            effect: [],
            digest: nil,
            outcome: ChangeOutcome(),
            course: ChangeCourse(missing: missing)
        )
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
        #expect(try await offered(to: [Self.approver], missing: []) == decisions)
        let viewer = RoleGrant(.viewer, in: .app(harbour))
        #expect(try await offered(to: [viewer], missing: []) == [])
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
}
