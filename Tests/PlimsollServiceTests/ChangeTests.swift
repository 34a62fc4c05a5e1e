import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct ChangeTests {
    @Test func `an approved change is live, and says who approved it`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let approver = try await house.caller(.approver)
            let proposed = try await house.propose("3.2.0", by: author)
            #expect(proposed.state == .proposed)
            #expect(house.minimum == nil)
            let applied = try await house.approve(proposed, by: approver)
            #expect(applied.state == .applied)
            #expect(applied.author == author.principal)
            #expect(applied.outcome.approvals.map(\.verdict.by) == [approver.principal])
            #expect(applied.effect == proposed.effect)
            #expect(applied.position == house.head)
            #expect(house.minimum == "3.2.0")
            #expect(try await house.useCases.change(applied.id, for: author) == applied)
        }
    }

    @Test func `nobody approves own work, nor that of whom they owe their role`() async throws {
        try await House.with { house in
            try await house.register()
            let both = try await house.caller(.proposer, .approver)
            let proposed = try await house.propose("3.2.0", by: both)
            #expect(
                try await objections { _ = try await house.approve(proposed, by: both) }
                    == [.ownWork(proposed.id)]
            )
            let boss = try await house.caller(.proposer, .admin)
            let friend = try await house.useCases.issueToken(
                TokenForm(
                    name: Title(validating: "friend"),
                    principal: nil,
                    roles: [RoleGrant(.approver, in: .all)],
                    expiresAt: nil
                ),
                house.request(by: boss)
            )
            let second = try await house.propose("3.3.0", by: boss)
            let caller = Caller(principal: friend.token.principal, authentication: .service)
            #expect(
                try await objections { _ = try await house.approve(second, by: caller) }
                    == [.dependsOnAuthor(second.id)]
            )
            #expect(house.minimum == nil)
        }
    }

    @Test func `what is approved is what was seen`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let approver = try await house.caller(.approver)
            let first = try await house.propose("3.1.0", by: author)
            let second = try await house.propose("3.2.0", by: author)
            let seen = try #require(first.digest)
            let found = try await objections {
                _ = try await house.useCases.approve(
                    second.id,
                    seen: seen,
                    ApprovalForm(),
                    house.request(by: approver)
                )
            }
            #expect(
                found == [
                    .digestDiffers(second.id, seen: seen, current: try #require(second.digest))
                ]
            )
        }
    }

    @Test func `a change that is decided stays decided`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let approver = try await house.caller(.approver)
            let colleague = try await house.caller(.proposer)
            let proposed = try await house.propose("3.2.0", by: author)
            #expect(
                try await objections {
                    try await house.useCases.perform(
                        WithdrawChange(
                            change: proposed.id,
                            seen: try #require(proposed.digest),
                            by: colleague.principal,
                            hash: ChangeDigest.init(of:)
                        ),
                        house.request(by: colleague)
                    )
                } == [.notTheAuthor(proposed.id)]
            )
            let rejected = try await house.turnDown(
                proposed,
                .rejected,
                because: "too early",
                by: approver
            )
            #expect(rejected.state == .rejected)
            #expect(rejected.outcome.rejection?.comment?.text == "too early")
            #expect(
                try await objections { _ = try await house.approve(proposed, by: approver) }
                    == [.changeClosed(proposed.id, .rejected)]
            )
        }
    }

    @Test func `a change of an app that somebody may not see is as unknown as one that is not`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            let open = try await house.propose("3.2.0", by: house.caller(.proposer))
            let digest = try #require(open.digest)
            let stranger = try await house.caller(.viewer, .approver, in: .app(slug("quay")))
            for id in [open.id, change(999)] {
                let read = try await objections {
                    _ = try await house.useCases.change(id, for: stranger)
                }
                #expect(read == [.changeUnknown(id)])
                let decided = try await objections {
                    _ = try await house.useCases.approve(
                        id,
                        seen: digest,
                        ApprovalForm(),
                        house.request(by: stranger)
                    )
                }
                #expect(decided == [.changeUnknown(id)])
            }
        }
    }

    @Test(arguments: [2, 1_000_000, Int64.max])
    func `a change that does not exist is not found`(_ number: Int64) async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer, .approver)
            let proposed = try await house.propose("3.2.0", by: author)
            let unknown = change(number)
            #expect(
                try await objections {
                    _ = try await house.useCases.change(unknown, for: author)
                } == [.changeUnknown(unknown)]
            )
            #expect(
                try await objections {
                    _ = try await house.useCases.approve(
                        unknown,
                        seen: try #require(proposed.digest),
                        ApprovalForm(),
                        house.request(by: author)
                    )
                } == [.changeUnknown(unknown)]
            )
        }
    }

    @Test func `all that is wrong with a proposal is said at once`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let before = house.head
            let proposal = ProposalForm(
                title: try Title(validating: "Everything wrong"),
                reason: nil,
                base: house.head.advanced(by: 7),
                operations: [
                    Operation(.android, .recommendedOS, .setValue(code(23))),
                    Operation(.ios, .minimumApp, .setValue(code(3))),
                ]
            )
            let found = try await objections {
                _ = try await house.useCases.propose(
                    proposal,
                    for: harbour,
                    house.request(by: author)
                )
            }
            let pointers = Set(found.compactMap(\.pointer?.text))
            #expect(pointers.isSuperset(of: ["/base", "/operations/1/value"]), "\(found)")
            #expect(pointers.contains { $0.hasPrefix("/operations/0") }, "\(found)")
            #expect(house.head == before)
        }
    }

    @Test func `a change of a field that moved since its base is refused`() async throws {
        try await House.with { house in
            try await house.register()
            let base = house.head
            try await house.apply("3.1.0")
            let author = try await house.caller(.proposer)
            let found = try await objections {
                _ = try await house.useCases.propose(
                    house.proposal("3.2.0", base: base),
                    for: harbour,
                    house.request(by: author)
                )
            }
            #expect(!found.isEmpty && found.allSatisfy { $0.kind == .conflict }, "\(found)")
        }
    }

    @Test func `lists come in parts, newest first`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            for number in 1...5 { _ = try await house.propose("3.\(number)", by: author) }
            var query = ChangeQuery(app: harbour)
            query.limit = 2
            var seen: [ChangeID] = []
            repeat {
                let page = try await house.useCases.changes(query, for: author)
                seen += page.elements.map(\.id)
                query.after = page.next
            } while query.after != nil && seen.count < 10
            #expect(seen == [5, 4, 3, 2, 1].map { change($0) })
        }
    }

    // Goal: an approver knows what else the approval stops. Method: a change that waits for its time
    // writes the same fields; what is tried, what was done and the look before it say so.
    @Test func `a change says which scheduled change it overtakes before it does and when it did`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            let waiting = try await house.approved("3.4.0", Schedule(in: 3600, of: house))
            let author = try await house.caller(.proposer)
            let approver = try await house.caller(.approver)
            let proposed = try await house.propose("3.2.0", by: author)
            #expect(proposed.overtaken == [waiting])
            let digest = try #require(proposed.digest)
            let dryRun = try await house.useCases.approve(
                proposed.id,
                seen: digest,
                ApprovalForm(),
                house.request(by: approver, .dryRun)
            )
            #expect(dryRun.state == .applied && dryRun.overtaken == [waiting])
            let applied = try await house.approve(proposed, by: approver)
            #expect(applied.state == .applied && applied.overtaken == [waiting])
            #expect(try await house.useCases.change(applied.id, for: author).overtaken.isEmpty)
            let second = try await house.propose("3.3.0", by: author)
            #expect(second.overtaken.isEmpty, "what is in conflict already is overtaken once")
        }
    }

    // Goal: a base is compared by what stood there, read from the log however old it is.
    @Test func `an old base is no conflict where its fields hold what they held then`() async throws
    {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer)
            let first = try await house.apply("3.0.0")
            let base = first.position
            try await house.apply("3.5.0")
            let early = try await objections {
                _ = try await house.useCases.propose(
                    house.proposal("3.2.0", base: base),
                    for: harbour,
                    house.request(by: author)
                )
            }
            #expect(early.count == 2)
            try await house.apply("3.0.0")
            let proposed = try await house.propose(
                house.proposal("3.2.0", base: base),
                by: author
            )
            #expect(proposed.base == base && proposed.conflicts.isEmpty)
            let revised = try await house.useCases.revise(
                proposed.id,
                seen: try #require(proposed.digest),
                RevisionForm(
                    title: nil,
                    reason: nil,
                    base: base,
                    operations: try house.proposal("3.1.0").operations
                ),
                house.request(by: author)
            )
            #expect(revised.base == base)
            let approver = try await house.caller(.approver)
            #expect(try await house.approve(revised, by: approver).state == .applied)
        }
    }
}
