import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct RepetitionTests {
    @Test func `a repeated request happens once and is answered the same`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let proposal = try house.proposal("3.2.0")
            let request = house.request(by: author, named: "key")
            let first = try await house.useCases.propose(proposal, for: harbour, request)
            let head = house.head
            let second = try await house.useCases.propose(proposal, for: harbour, request)
            #expect(second.change == first.change)
            #expect(!first.isKnown && !second.isKnown)
            #expect(house.head == head)
        }
    }

    @Test
    func `what is proposed from a source twice is one open change, and the next supersedes it`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let source = try Title(validating: "github.com/acme/app")
            func propose(
                _ version: String
            ) async throws -> (change: ChangeAnswer, isKnown: Bool) {
                let plain = try house.proposal(version)
                return try await house.useCases.propose(
                    ProposalForm(
                        title: plain.title,
                        reason: plain.reason,
                        base: house.head,
                        operations: plain.operations,
                        source: source
                    ),
                    for: harbour,
                    house.request(by: author)
                )
            }
            let first = try await propose("3.1.0").change
            let head = house.head
            let again = try await propose("3.1.0")
            #expect(again.change.id == first.id && again.isKnown && house.head == head)
            let (next, isKnown) = try await propose("3.2.0")
            #expect(next.origin.supersedes == [first.id] && next.origin.source == source)
            #expect(!isKnown)
            let old = try await house.useCases.change(first.id, for: author)
            #expect(old.state == .withdrawn && old.origin.supersededBy == next.id)
            let listed = try await house.useCases.changes(ChangeQuery(app: harbour), for: author)
            #expect(listed.elements.map(\.state) == [.proposed, .withdrawn])
        }
    }

    @Test func `an approval that was lost on the way can be repeated`() async throws {
        try await House.with { house in
            try await house.register()
            let approver = try await house.caller(.approver)
            let proposed = try await house.propose("3.2.0", by: try await house.caller(.proposer))
            let digest = try #require(proposed.digest)
            let request = house.request(by: approver, named: "key")
            for _ in 1...2 {
                let view = try await house.useCases.approve(
                    proposed.id,
                    seen: digest,
                    ApprovalForm(),
                    request
                )
                #expect(view.state == .applied)
            }
        }
    }

    // Goal: what was done is answered, whoever asks again by then. Method: the answer was lost, and so
    // was the role before it was asked for once more.
    @Test func `a rollback that was done is answered again without the role`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.apply("3.1.0")
            try await house.apply("3.2.0")
            let responder = try await house.caller(.responder)
            let rollback = RollbackForm(
                target: .beforeChange(change(2)),
                platforms: nil,
                reason: try Reason(validating: "3.2.0 is not in the store")
            )
            let request = house.request(by: responder, named: "key")
            let first = try await house.useCases.rollBack(rollback, of: harbour, request)
            let head = house.head
            let role = RoleGrant(.responder, in: .all)
            try await house.revoke(role, of: responder.principal)
            let again = try await house.useCases.rollBack(rollback, of: harbour, request)
            #expect(again.position == first.position && again.changes == first.changes)
            #expect(again.outlook.checks == first.outlook.checks)
            #expect(house.head == head.advanced(by: 1))
            for mode in [WriteOptions.Mode.commit, .dryRun] {
                let found = try await objections {
                    _ = try await house.useCases.rollBack(
                        rollback,
                        of: harbour,
                        house.request(by: responder, mode)
                    )
                }
                #expect(found == [.roleMissing(.responder, .app(harbour))])
            }
        }
    }

    @Test func `a key that was used for something else is refused`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            _ = try await house.useCases.propose(
                house.proposal("3.2.0"),
                for: harbour,
                house.request(by: author, named: "key", saying: "one")
            )
            let head = house.head
            await #expect(throws: UseCaseError.keyReused) {
                try await house.useCases.propose(
                    house.proposal("3.3.0"),
                    for: harbour,
                    house.request(by: author, named: "key", saying: "two")
                )
            }
            #expect(house.head == head)
            let other = try await house.caller(.proposer)
            _ = try await house.useCases.propose(
                house.proposal("3.3.0"),
                for: harbour,
                house.request(by: other, named: "key", saying: "two")
            )
        }
    }

    @Test func `a trial says what would be, is refused as the real thing, and writes nothing`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let approver = try await house.caller(.approver)
            let head = house.head
            let trial = try await house.useCases.propose(
                house.proposal("3.2.0"),
                for: harbour,
                house.request(by: author, .dryRun)
            )
            #expect(trial.change.state == .proposed)
            #expect(house.head == head)
            let proposed = try await house.propose("3.2.0", by: author)
            #expect(proposed.digest == trial.change.digest)
            let digest = try #require(proposed.digest)
            let applied = try await house.useCases.approve(
                proposed.id,
                seen: digest,
                ApprovalForm(),
                house.request(by: approver, .dryRun)
            )
            #expect(applied.state == .applied)
            #expect(house.minimum == nil)
            let found = try await objections {
                _ = try await house.useCases.approve(
                    proposed.id,
                    seen: digest,
                    ApprovalForm(),
                    house.request(by: author, .dryRun)
                )
            }
            let requirement = ApprovalRequirement(1, of: .approver)
            #expect(found == [.notAskedToApprove(proposed.id, .raiseMinimum, requirement)])
        }
    }
}
