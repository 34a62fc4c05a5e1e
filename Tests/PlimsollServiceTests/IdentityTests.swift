import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// What people are called, and what becomes of them.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct IdentityTests {
    private let why: Reason

    init() throws { why = try Reason(validating: "Laptop stolen") }

    private func caller(_ issued: IssuedTokenAnswer) -> Caller {
        Caller(principal: issued.token.principal, authentication: .token(issued.token.id))
    }

    @Test func `nobody is called what somebody else could be taken for`() async throws {
        try await House.with { house in
            _ = try await issue("alice", house)
            for name in ["alice", "Alice", "аlice", "a1ice"] {
                let found = try await objections { _ = try await issue(name, house) }
                #expect(found == [.nameTaken(name)])
                let tried = try await objections { _ = try await issue(name, house, .dryRun) }
                #expect(tried == [.nameTaken(name)])
            }
            let reserved = try await objections { _ = try await issue("рlimsoll", house) }
            #expect(reserved == [.nameReserved("plimsoll")])
            #expect(reserved.first?.pointer == "/name")
            // A trial reserves nothing, and neither does what was refused.
            _ = try await issue("bob", house, .dryRun)
            _ = try await issue("bob", house)
        }
    }

    // An id is somebody's to the command line, and its beginning is shown where a name was erased.
    @Test func `nobody is called by an id, or by what stands for an erased name`() async throws {
        try await House.with { house in
            let alice = try await issue("alice", house).token.principal
            let (id, stranger) = (alice.text, PrincipalID(UUID()).text)
            let likeIDs = [id, id.uppercased(), stranger, "b5a0e2f4", "B5AOE2F4"]
            for name in likeIDs {
                for mode in [WriteOptions.Mode.dryRun, .commit] {
                    let found = try await objections { _ = try await issue(name, house, mode) }
                    #expect(found == [.nameLikeID])
                    #expect(found.first?.pointer == "/name")
                }
            }
            _ = try await issue("ci \(id.prefix(8))", house)
            // One of before stays, as names in the table and the log do.
            let before = try await house.useCases.admit(
                try Title(validating: stranger),
                [RoleGrant(.viewer, in: .all)],
                house.request(by: .system)
            )
            #expect(try await house.useCases.names(of: [before]) == [before: stranger])
        }
    }

    @Test func `whoever may let nobody in is not told who is there`() async throws {
        try await House.with { house in
            _ = try await issue("alice", house)
            let viewer = try await house.caller(.viewer)
            for name in ["alice", "carol"] {
                let found = try await objections {
                    _ = try await issue(name, house, by: viewer)
                }
                #expect(found == [.roleMissing(.admin, .all)])
            }
        }
    }

    // Goal: whoever may let nobody in keeps no name from anybody, however often they ask for it.
    @Test func `whoever may let nobody in reserves no name either`() async throws {
        try await House.with { house in
            let viewer = try await house.caller(.viewer)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 {
                    group.addTask(name: "viewer") {
                        while !Task.isCancelled {
                            _ = try await objections {
                                _ = try await issue("zoe", house, by: viewer)
                            }
                        }
                    }
                }
                for number in 1...20 {
                    _ = try await issue("anna\(number)x", house)
                }
                _ = try await issue("zoe", house)
                group.cancelAll()
            }
        }
    }

    @Test func `an erased name may be somebody else's, and a request may be repeated`() async throws
    {
        try await House.with { house in
            let first = try await issue("alice", house, named: "k")
            let again = try await issue("alice", house, named: "k")
            #expect(again.token == first.token && again.secret == nil)
            try await house.useCases.eraseName(
                of: first.token.principal,
                house.request(by: house.administrator)
            )
            let other = try await issue("alice", house)
            #expect(other.token.principal != first.token.principal)
            #expect(other.token.name == "alice")
        }
    }

    // Goal: of many who ask for one name at a time no two get it. Method: all of them at once, from
    // two houses on one database.
    @Test func `a name is given once, however many ask for it at the same time`() async throws {
        try await House.with { house in
            var issued = 0
            try await House.with(.untouched) { other in
                issued = await withTaskGroup { group in
                    for index in 0..<12 {
                        group.addTask(name: "asking") {
                            try? await issue("alice", index.isMultiple(of: 2) ? house : other)
                        }
                    }
                    return await group.reduce(into: 0) { $0 += $1 == nil ? 0 : 1 }
                }
            }
            #expect(issued <= 1)
            let named = try await house.useCases.principals(for: house.administrator)
                .count { $0.name == "alice" }
            #expect(named <= 1)
            // The other house's event may not be read yet.
            if issued == 0 { _ = try await issue("alice", house) }
        }
    }

    @Test func `a name that was reserved for nobody is free after the next start`() async throws {
        try await House.with { house in
            try await house.useCases.directory.hold(
                SaltedName.made(of: "alice"),
                of: PrincipalID(UUID())
            )
            let found = try await objections { _ = try await issue("alice", house) }
            #expect(found == [.nameTaken("alice")])
            try await house.useCases.forgetReservedNames()
            _ = try await issue("alice", house)
            try await house.useCases.forgetReservedNames()
            let names = try await house.useCases.directory.everyName().values.map(\.name)
            #expect(names.contains("alice"))
        }
    }

    @Test func `a suspended token opens no door, and cannot finish what it has begun`() async throws
    {
        try await House.with { house in
            let issued = try await issue("alice", house)
            let secret = try #require(issued.secret)
            let standing = try await house.suspend(issued.token.principal, because: why)
            #expect(standing.principal.suspension?.by == root)
            #expect(try house.useCases.authenticate(secret: secret) == nil)
            await #expect(throws: UseCaseError.tokenDead) {
                try await house.useCases.revokeToken(
                    issued.token.id,
                    house.request(by: caller(issued))
                )
            }
            await #expect(throws: UseCaseError.tokenDead) {
                _ = try await house.useCases.renewToken(
                    until: nil,
                    house.request(by: caller(issued))
                )
            }
            try await house.useCases.perform(
                ResumePrincipal(issued.token.principal, reason: nil, by: root),
                house.request(by: house.administrator)
            )
            #expect(try house.useCases.authenticate(secret: secret) != nil)
        }
    }

    // Goal: a stream that is open ends with the right to read it, not with the next silence. Method:
    // the reader waits for longer than the test may take.
    @Test(arguments: [true, false])
    func `who follows the record gets no more once suspended or without the role`(
        isSuspended: Bool
    ) async throws {
        try await House.with { house in
            let issued = try await issue("alice", house)
            let reader = caller(issued)
            let following = try await house.useCases.follow(
                EventQuery(),
                after: nil,
                for: reader
            )
            async let end = end(of: following)
            if isSuspended {
                try await house.suspend(reader.principal, because: why)
            } else {
                try await house.revoke(RoleGrant(.auditor, in: .all), of: reader.principal)
            }
            #expect(await end == UseCaseError(.roleMissing(.auditor, .all)))
        }
    }

    /// Why somebody who follows gets no more.
    private func end(of following: RecordFollowing) async -> UseCaseError? {
        var following = following
        while true {
            do throws(UseCaseError) {
                _ = try await following.next(patience: .seconds(3600))
            } catch {
                return error
            }
        }
    }

    @Test func `a renewed token is its owner's, and shown once`() async throws {
        try await House.with { house in
            let issued = try await issue("alice", house)
            let request = house.request(by: caller(issued), named: "renewal")
            let renewed = try await house.useCases.renewToken(until: nil, request)
            #expect(renewed.token.principal == issued.token.principal)
            #expect(renewed.token.name == "alice" && renewed.token.roles == issued.token.roles)
            #expect(renewed.token.expiresAt == issued.token.expiresAt)
            let secret = try #require(renewed.secret)
            #expect(
                try house.useCases.authenticate(secret: secret)?.principal
                    == issued.token.principal
            )
            #expect(try await house.useCases.renewToken(until: nil, request).secret == nil)
            house.clock.advance(by: RenewToken.overlap)
            #expect(try house.useCases.authenticate(secret: #require(issued.secret)) == nil)
            #expect(try house.useCases.authenticate(secret: secret) != nil)
        }
    }

    // Goal: who renews a token for half a day every morning is not refused because this morning's
    // request took less time than the last one. Method: the end is reckoned by a clock ahead.
    @Test func `a renewal for as long a life is not refused for a clock that is a little ahead`()
        async throws
    {
        try await House.with { house in
            let issued = try await issue("alice", house)
            let latest = try #require(issued.token.expiresAt)
            let request = house.request(by: caller(issued))
            await #expect(throws: UseCaseError(.expiryTooFar(latest: latest))) {
                _ = try await house.useCases.renewToken(
                    until: latest.advanced(by: .seconds(3600)),
                    request
                )
            }
            let renewed = try await house.useCases.renewToken(
                until: latest.advanced(by: .seconds(2)),
                house.request(by: caller(issued))
            )
            #expect(renewed.token.expiresAt == latest)
        }
    }

    @Test func `an approval that lapsed says who took what from whom, and why`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.freeze()
            let author = try await house.caller(.proposer)
            let approver = try await house.caller(.approver)
            let proposed = try await house.propose("3.2.0", by: author)
            let approved = try await house.approve(proposed, by: approver)
            #expect(approved.outcome.approvals.map(\.counts) == [true])
            try await house.suspend(approver.principal, because: why)
            let open = try await house.useCases.change(proposed.id, for: author)
            #expect(open.state == .proposed)
            let void = try #require(open.outcome.approvals.first?.void)
            #expect(void.cause == .suspended)
            #expect(void.lapse?.by == root && void.lapse?.reason == why)
            #expect(void.sentence { _ in "root" }.contains("suspended by root"))
            // Afterwards it still says so.
            try await house.thaw()
            let second = try await house.caller(.approver)
            let applied = try await house.approve(open, by: second)
            #expect(applied.state == .applied)
            #expect(applied.outcome.approvals.map(\.void?.cause) == [.suspended, nil])
        }
    }
}
