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

    /// Which decisions are offered to somebody on a change by Alice.
    private func offered(to roles: [RoleGrant], missing: [MissingAnswer]) async throws -> [String] {
        let change = ChangeAnswer(
            summary: ChangeSummaryAnswer(
                id: change(7),
                app: harbour,
                title: try Title(validating: "Raise"),
                author: alice,
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
        let html = try await shown(to: roles) { visit in
            var page = Page("change", "7")
            page.fields = visit.contents(of: change, [:], names)
            page.fields.merge(visit.course(of: change, names)) { $1 }
            return page
        }
        return ([Self.approve] + Self.turningDown).filter { html.contains(">\($0)</button>") }
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
}
