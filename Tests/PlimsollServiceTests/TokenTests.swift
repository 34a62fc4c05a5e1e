import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct TokenTests {
    private func wish(
        _ roles: [Role] = [.viewer],
        for principal: PrincipalID? = nil,
        until end: Instant? = nil
    ) throws -> TokenForm {
        TokenForm(
            name: principal == nil ? try Title(validating: "alice") : nil,
            principal: principal,
            roles: roles.map { RoleGrant($0, in: .all) },
            expiresAt: end
        )
    }

    @Test func `a token opens the door until it ends`() async throws {
        try await House.with { house in
            let end = house.clock.now.advanced(by: .seconds(60))
            let issued = try await house.useCases.issueToken(
                wish(until: end),
                house.request(by: house.administrator)
            )
            let secret = try #require(issued.secret)
            #expect(issued.token.name == "alice")
            let caller = try #require(try house.useCases.authenticate(secret: secret))
            #expect(caller.principal == issued.token.principal)
            #expect(try await house.useCases.identity(of: caller).name == "alice")
            house.clock.advance(by: .seconds(60))
            #expect(try house.useCases.authenticate(secret: secret) == nil)
        }
    }

    @Test func `a token without a word on its end has one`() async throws {
        try await House.with { house in
            let issued = try await house.useCases.issueToken(
                wish(),
                house.request(by: house.administrator)
            )
            let end = house.clock.now.advanced(by: UseCases.tokenLifetime)
            #expect(issued.token.expiresAt == end)
        }
    }

    @Test func `tokens that had ended by a time are left out of the list where that is asked for`()
        async throws
    {
        try await House.with { house in
            let end = house.clock.now.advanced(by: .seconds(60))
            let issued = try await house.useCases.issueToken(
                wish(until: end),
                house.request(by: house.administrator)
            )
            let lists: (Instant?) async throws -> Bool = { since in
                try await house.useCases.tokens(since: since, for: house.administrator)
                    .contains { $0.id == issued.token.id }
            }
            house.clock.advance(by: .seconds(120))
            var listed: [Bool] = []
            for since in [nil, end.advanced(by: .milliseconds(-1)), end] {
                listed.append(try await lists(since))
            }
            #expect(listed == [true, true, false])
        }
    }

    @Test(arguments: [0, 1, 60, 1_795_000_000])
    func `an end that is not to come is refused by name`(_ seconds: Int64) async throws {
        try await House.with { house in
            let before = house.head
            let end = house.clock.now.advanced(by: .seconds(-seconds))
            let found = try await objections {
                _ = try await house.useCases.issueToken(
                    wish(until: end),
                    house.request(by: house.administrator)
                )
            }
            #expect(found == [.expiryPassed(end, now: house.clock.now)])
            #expect(found.first?.pointer == "/expiresAt")
            #expect(house.head == before)
        }
    }

    @Test func `a repetition after the end is answered, and does not show the secret again`()
        async throws
    {
        try await House.with { house in
            let wish = try wish(until: house.clock.now.advanced(by: .seconds(1)))
            let request = house.request(by: house.administrator, named: "key")
            let first = try await house.useCases.issueToken(wish, request)
            #expect(first.secret != nil)
            house.clock.advance(by: .seconds(5))
            let second = try await house.useCases.issueToken(wish, request)
            #expect(second.token == first.token)
            #expect(second.secret == nil)
        }
    }

    @Test func `a trial issues nothing`() async throws {
        try await House.with { house in
            let before = house.head
            let issued = try await house.useCases.issueToken(
                wish(),
                house.request(by: house.administrator, .dryRun)
            )
            #expect(issued.secret == nil)
            #expect(house.head == before)
        }
    }

    @Test func `a revoked token is dead at once, and cannot be revoked again`() async throws {
        try await House.with { house in
            let issued = try await house.useCases.issueToken(
                wish(),
                house.request(by: house.administrator)
            )
            let revoke: () async throws -> Void = {
                try await house.useCases.revokeToken(
                    issued.token.id,
                    house.request(by: house.administrator)
                )
            }
            try await revoke()
            #expect(try house.useCases.authenticate(secret: try #require(issued.secret)) == nil)
            #expect(try await objections(revoke) == [.tokenUnknown(issued.token.id)])
        }
    }

    // Goal: whoever was let in at one instance is let in at every other. Method: this one looks at the
    // log when it is told to.
    @Test func `a token that was issued elsewhere is waited for`() async throws {
        try await House.with(lookingEvery: .seconds(3600)) { house in
            try await House.with(.untouched, clock: house.clock) { other in
                let issued = try await other.useCases.issueToken(
                    wish(),
                    other.request(by: house.administrator)
                )
                let (secret, position) = (try #require(issued.secret), other.head)
                #expect(try house.useCases.authenticate(secret: secret) == nil)
                async let caller = house.useCases.authenticate(secret: secret, knowing: position)
                house.writer.ring()
                let found = try await caller
                #expect(found?.principal == issued.token.principal)
            }
        }
    }

    @Test(arguments: [
        "", "plm_", "plm_0", "PLM_" + String(repeating: "0", count: 64),
        "plm_" + String(repeating: "0", count: 64), "plm_" + String(repeating: "A", count: 64),
        "plm_" + String(repeating: "0", count: 65), "plm_" + String(repeating: "é", count: 64),
    ])
    func `what is no living secret is nobody's`(_ secret: String) async throws {
        try await House.with { house in
            let caller = try house.useCases.authenticate(secret: secret)
            #expect(caller == nil)
        }
    }

    @Test func `a stranger's id is refused`() async throws {
        try await House.with { house in
            let stranger = PrincipalID(UUID())
            let found = try await objections {
                _ = try await house.useCases.issueToken(
                    wish(for: stranger),
                    house.request(by: house.administrator)
                )
            }
            #expect(found == [.principalUnknown(stranger)])
        }
    }
}

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct PrincipalTests {
    @Test func `a principal without a token has a name, once`() async throws {
        try await House.with { house in
            let request = house.request(by: .system, named: "author")
            let grants = [RoleGrant(.proposer, in: .all)]
            let title = try Title(validating: "Sample author")
            let first = try await house.useCases.admit(title, grants, request)
            let second = try await house.useCases.admit(title, grants, request)
            #expect(first == second)
            let found = try await house.useCases.principals(for: house.administrator)
                .first { $0.id == first }
            #expect(found?.name == "Sample author")
            #expect(found?.roles == grants)
            #expect(try await house.useCases.tokens(for: house.administrator) == [])
        }
    }

    @Test func `names are for those who have to do with the work`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            let here = try await house.caller(.proposer, in: .app(harbour))
            let there = try await house.caller(.proposer, in: .app(slug("quay")))
            let auditor = try await house.caller(.auditor, in: .app(harbour))
            let seen = try await house.useCases.principals(for: auditor).map(\.id)
            #expect(Set(seen) == [here.principal, auditor.principal, root])
            let own = try await house.useCases.principals(for: there).map(\.id)
            #expect(Set(own) == [there.principal, root])
        }
    }

    @Test func `who has a role in an app knows whoever else has, and no role elsewhere`()
        async throws
    {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            let author = try await house.caller(.proposer, in: .app(harbour))
            let everywhere = try await house.caller(.responder)
            let stranger = try await house.caller(.proposer, in: .app(slug("quay")))
            for role in Role.allCases {
                let caller = try await house.caller(role, in: .app(harbour))
                let seen = try await house.useCases.principals(for: caller)
                let ids = Set(seen.map(\.id))
                #expect(ids.isSuperset(of: [author, everywhere, caller].map(\.principal)))
                #expect(!ids.contains(stranger.principal))
                #expect(seen.first { $0.id == author.principal }?.name == "Somebody")
            }
            let both = try await house.useCases.admit(
                try Title(validating: "Ann"),
                [
                    RoleGrant(.proposer, in: .app(harbour)),
                    RoleGrant(.admin, in: .app(slug("quay"))),
                ],
                house.request(by: .system)
            )
            let approver = try await house.caller(.approver, in: .app(harbour))
            let ann = try await house.useCases.principals(for: approver).first { $0.id == both }
            #expect(ann?.name == "Ann")
            #expect(ann?.roles == [RoleGrant(.proposer, in: .app(harbour))])
        }
    }

    @Test func `who has lost every role is still known to those who see their work`() async throws {
        try await House.with { house in
            try await house.register()
            let author = try await house.caller(.proposer, in: .app(harbour))
            let viewer = try await house.caller(.viewer, in: .app(harbour))
            try await house.revoke(RoleGrant(.proposer, in: .app(harbour)), of: author.principal)
            let seen = try await house.useCases.principals(for: viewer)
            let found = try #require(seen.first { $0.id == author.principal })
            #expect(found.name == "Somebody" && found.roles.isEmpty)
        }
    }

    @Test func `a name outlives the token`() async throws {
        try await House.with { house in
            let issued = try await house.useCases.issueToken(
                TokenForm(
                    name: Title(validating: "alice"),
                    principal: nil,
                    roles: [RoleGrant(.viewer, in: .all)],
                    expiresAt: nil
                ),
                house.request(by: house.administrator)
            )
            try await house.useCases.revokeToken(
                issued.token.id,
                house.request(by: house.administrator)
            )
            let names = try await house.useCases.principals(for: house.administrator)
                .map(\.name)
            #expect(names.contains("alice"))
        }
    }
}

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct BootstrapTests {
    @Test func `the first administrator has a name, and there is no second`() async throws {
        try await House.with(.untouched) { house in
            let (secret, other) = (TokenSecret.random(), TokenSecret.random())
            for _ in 1...2 { try await house.useCases.admitFirstAdministrator(secret) }
            try await house.useCases.admitFirstAdministrator(other)
            let caller = try #require(try house.useCases.authenticate(secret: secret.text))
            let identity = try await house.useCases.identity(of: caller)
            #expect(identity.name == UseCases.firstAdministratorName)
            #expect(identity.expiresAt == nil)
            #expect(try house.useCases.authenticate(secret: other.text) == nil)
            #expect(try await house.useCases.principals(for: caller).count == 1)
        }
    }

    @Test func `a log that has begun gets no administrator`() async throws {
        try await House.with { house in
            let before = house.head
            let secret = TokenSecret.random()
            try await house.useCases.admitFirstAdministrator(secret)
            #expect(house.head == before)
            #expect(try house.useCases.authenticate(secret: secret.text) == nil)
        }
    }
}
