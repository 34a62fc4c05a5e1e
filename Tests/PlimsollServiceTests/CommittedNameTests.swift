import FoundationEssentials
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollService

/// The log says what a name was, so that nobody is shown another one.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct CommittedNameTests {
    private func findings(_ house: House) async throws -> NameFindings {
        NameFindings(
            try await house.useCases.directory.everyName(),
            in: try house.useCases.logState().access
        )
    }

    private func shown(_ house: House) async throws -> [PrincipalID: String] {
        let people = try await house.useCases.principals(for: house.administrator)
        return Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.name ?? "") })
    }

    @Test func `whoever is let in is committed to, with a token or without one`() async throws {
        try await House.with { house in
            _ = try await issue("alice", house)
            _ = try await house.caller(.proposer)
            let found = try await findings(house)
            #expect((found.verified, found.uncommitted) == (2, 0))
            #expect(found.altered == [] && found.missing == [])
        }
    }

    // The first round of a verifier comes later; whoever reads meanwhile is not deceived.
    @Test func `a name that somebody else wrote is shown to nobody`() async throws {
        try await House.with { house in
            let alice = try await issue("alice", house).token.principal
            let mallory = try await issue("mallory", house).token.principal
            let directory = house.useCases.directory
            let names = try await directory.names(of: [alice, mallory])
            try await directory.forget([alice, mallory])
            try await directory.hold(try #require(names[alice]), of: mallory)
            try await directory.hold(try #require(names[mallory]), of: alice)
            let seen = try await shown(house)
            #expect(seen[alice]?.isEmpty == true && seen[mallory]?.isEmpty == true)
            let identity = try await house.useCases.identity(
                of: Caller(principal: mallory, authentication: .service)
            )
            #expect(identity.name == nil)
            #expect(try await findings(house).altered.count == 2)
        }
    }

    @Test func `a repeated request changes neither name nor salt`() async throws {
        try await House.with { house in
            let issued = try await issue("alice", house, named: "k")
            let before = try await house.useCases.directory.everyName()
            let again = try await issue("alice", house, named: "k")
            #expect(again.token.principal == issued.token.principal)
            #expect(try await house.useCases.directory.everyName() == before)
        }
    }

    // Goal: what became of the first request is not known to who made it. Method: what it leaves
    // behind in either case, and the request once more.
    @Test(arguments: [false, true])
    func `a request whose outcome was unknown leads to a name that is right`(
        isRecorded: Bool
    ) async throws {
        try await House.with { house in
            let person = house.request(by: house.administrator, named: "k").identity.newcomer
            if isRecorded {
                _ = try await issue("alice", house, named: "k")
            } else {
                try await house.useCases.directory.hold(.made(of: "alice"), of: person)
            }
            let issued = try await issue("alice", house, named: "k")
            #expect(issued.token.principal == person)
            #expect(try await shown(house)[person] == "alice")
            let found = try await findings(house)
            #expect(found.verified == 1 && found.altered == [] && found.missing == [])
        }
    }

    @Test func `who asks for another name under the same key is told so`() async throws {
        try await House.with { house in
            let person = house.request(by: house.administrator, named: "k").identity.newcomer
            try await house.useCases.directory.hold(.made(of: "alice"), of: person)
            // Nobody knows yet what became of Alice; later everybody does.
            for _ in 1...2 {
                await #expect(throws: UseCaseError.keyReused) {
                    _ = try await issue("bob", house, named: "k")
                }
                _ = try await issue("alice", house, named: "k")
            }
            #expect(try await shown(house)[person] == "alice")
        }
    }

    @Test func `neither the id of a newcomer nor a digest says anything of the name`() throws {
        let bodies = ["alice", "bob"].map {
            Array(#"{"name":"\#($0)","roles":[{"role":"viewer","app":null}]}"#.utf8)
        }
        #expect(TokenForm.recordable(bodies[0]) == TokenForm.recordable(bodies[1]))
        let other = Array(#"{"name":"alice","roles":[{"role":"admin","app":null}]}"#.utf8)
        #expect(TokenForm.recordable(other) != TokenForm.recordable(bodies[0]))
        let newcomers = bodies.map { body in
            CommandIdentity.keyed("k", by: root, method: "POST", path: "/", body: body).newcomer
        }
        #expect(newcomers[0] == newcomers[1])
    }

    // A start elsewhere that does not know of the event yet takes the name away.
    @Test func `a name that is gone behind its event is written down again, unless erased`()
        async throws
    {
        try await House.with { house in
            let person = try await issue("alice", house).token.principal
            let directory = house.useCases.directory
            let name = try #require(try await directory.everyName()[person])
            for other in [nil, SaltedName.made(of: "mallory")] {
                try await directory.forget([person])
                if let other { try await directory.hold(other, of: person) }
                try await house.useCases.keep(name, of: person)
                #expect(try await directory.everyName()[person] == name)
            }
            try await house.useCases.eraseName(
                of: person,
                house.request(by: house.administrator)
            )
            try await house.useCases.keep(name, of: person)
            #expect(try await directory.everyName()[person] == nil)
        }
    }

    @Test func `only what was written down for nobody is taken back`() async throws {
        try await House.with { house in
            let directory = house.useCases.directory
            let (mine, person) = (SaltedName.made(of: "alice"), PrincipalID(UUID()))
            try await directory.hold(mine, of: person)
            try await directory.takeBack(.made(of: "alice"), of: person)
            #expect(try await directory.everyName()[person] == mine)
            // Whoever repeats a request from elsewhere may have been let in by now.
            let request = house.request(by: house.administrator)
            let admission = AdmitPrincipal(
                PrincipalID(UUID()),
                grants: [RoleGrant(.viewer, in: .all)],
                by: root
            )
            try await house.useCases.perform(admission, request)
            try await directory.takeBack(mine, of: person, unlessDone: request.identity.id)
            #expect(try await directory.everyName()[person] == mine)
            try await directory.takeBack(mine, of: person, unlessDone: CommandID(UUID()))
            #expect(try await directory.everyName()[person] == nil)
        }
    }

    @Test func `a key that was used for something else reserves no name`() async throws {
        try await House.with { house in
            let alice = try await issue("alice", house).token.principal
            let form = TokenForm(
                name: nil,
                principal: alice,
                roles: [RoleGrant(.auditor, in: .all)],
                expiresAt: nil
            )
            let request = house.request(by: house.administrator, named: "k", saying: "alice")
            _ = try await house.useCases.issueToken(form, request)
            await #expect(throws: UseCaseError.keyReused) {
                _ = try await issue("bob", house, named: "k")
            }
            _ = try await issue("bob", house)
        }
    }

    // Goal: a start takes no name away of somebody whom another instance lets in at that moment.
    @Test func `who is let in while another instance starts keeps the name`() async throws {
        try await House.with { house in
            try await House.with(.untouched) { other in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for _ in 1...30 {
                            let name = "person \(UUID().uuidString.prefix(8).lowercased())"
                            _ = try await issue(name, house)
                        }
                    }
                    group.addTask {
                        for _ in 1...60 { try await other.useCases.forgetReservedNames() }
                    }
                    try await group.waitForAll()
                }
            }
            let found = try await findings(house)
            #expect(found.altered == [] && found.missing == [])
            #expect(found.verified == 30)
        }
    }

    @Test func `who is not let in leaves no name behind`() async throws {
        try await House.with { house in
            _ = try await issue("alice", house)
            let before = try await house.useCases.directory.everyName()
            let found = try await objections { _ = try await issue("Alice", house) }
            #expect(found == [.nameTaken("Alice")])
            #expect(try await house.useCases.directory.everyName() == before)
        }
    }

    // What is read only may be an old state: whom it does not know may be in the log.
    @Test func `where nothing is appended, no name is written or taken back`() async throws {
        try await House.with { house in
            let issued = try await issue("alice", house, named: "k")
            let before = try await house.useCases.directory.everyName()
            house.writer.forbid(because: Prohibition(.logBehind, "It was restored."))
            for (name, key) in [("alice", "k"), ("bob", "l")] {
                await #expect(throws: UseCaseError.self) {
                    _ = try await issue(name, house, named: key)
                }
            }
            try await house.useCases.keep(.made(of: "bob"), of: issued.token.principal)
            #expect(try await house.useCases.directory.everyName() == before)
        }
    }

    // Goal: nobody is let in without a commitment by an instance that has not read yet that the caller
    // may do it. Method: one that learns of it only where it appends.
    @Test func `whoever is let in by an instance that is behind is committed to`() async throws {
        try await House.with { house in
            try await House.with(.untouched) { other in
                for _ in 1...5 {
                    let caller = try await house.caller(.admin)
                    let name = "person \(UUID().uuidString.prefix(8).lowercased())"
                    _ = try? await issue(name, other, by: caller)
                }
                _ = try await house.caller(.viewer)
            }
            let found = try await findings(house)
            #expect(found.uncommitted == 0 && found.altered == [] && found.missing == [])
            let access = try house.useCases.logState().access
            #expect(access.principalIDs.filter { access.principal($0)?.name == nil } == [root])
        }
    }

    @Test func `no name is believed that the log says nothing of, once it speaks of names`()
        async throws
    {
        try await House.with { house in
            let directory = house.useCases.directory
            // Let in before any name was committed to.
            try await directory.hold(SaltedName("root", salt: nil), of: root)
            _ = try await issue("alice", house)
            let late = PrincipalID(UUID())
            let admission = AdmitPrincipal(
                late,
                grants: [RoleGrant(.viewer, in: .all)],
                by: .system
            )
            try await house.useCases.perform(admission, house.request(by: .system))
            let unknown = PrincipalID(UUID())
            for person in [late, unknown, .system] {
                try await directory.hold(SaltedName("mallory", salt: nil), of: person)
            }
            let names = try await house.useCases.names(of: [late, unknown, .system, root])
            #expect(names == [root: "root"])
            let found = try await findings(house)
            #expect(found.altered == [late] && found.uncommitted == 1)
        }
    }

    // Goal: what a program of before has begun is ended, though it recorded another digest. Method: its
    // append without a name, and the request once more.
    @Test func `an admission of before that died halfway is completed`() async throws {
        try await House.with { house in
            let request = WriteRequest(
                caller: house.administrator,
                id: "r",
                identity: .keyed(
                    "k",
                    by: root,
                    method: "POST",
                    path: "/",
                    body: [1],
                    formerBody: [2]
                ),
                mode: .commit
            )
            let token = sampleToken()
            let grants = [RoleGrant(.auditor, in: .all)]
            let before = CommandRequest(
                IssueToken(token: token, grants: grants, by: root),
                identity: .keyed("k", by: root, method: "POST", path: "/", body: [2])
            )
            _ = try await house.writer.perform(before)
            let form = TokenForm(name: try Title(validating: "alice"), roles: grants)
            let issued = try await house.useCases.issueToken(form, request)
            #expect(issued.token.id == token.id && issued.secret == nil)
            #expect(try await shown(house)[token.principal] == "alice")
            #expect(try await house.useCases.directory.everyName().count == 1)
            let found = try await findings(house)
            #expect(found.uncommitted == 1 && found.altered == [])
        }
    }

    @Test func `a first start of before that died halfway is completed`() async throws {
        try await House.with(.untouched) { house in
            let secret = TokenSecret.random()
            let token = TokenRecord(
                id: TokenID(UUID()),
                principal: PrincipalID(UUID()),
                secret: secret.digest,
                expiresAt: nil
            )
            let grants = [RoleGrant(.admin, in: .all)]
            let before = CommandRequest(
                IssueToken(token: token, grants: grants, by: .system),
                identity: .named("bootstrap")
            )
            _ = try await house.writer.perform(before)
            try await house.useCases.admitFirstAdministrator(secret)
            let names = try await house.useCases.names(of: [token.principal])
            #expect(names[token.principal] == UseCases.firstAdministratorName)
        }
    }

    @Test func `with the name its salt goes, so that nothing is left to try names with`()
        async throws
    {
        try await House.with { house in
            let issued = try await issue("alice", house)
            try await house.useCases.eraseName(
                of: issued.token.principal,
                house.request(by: house.administrator)
            )
            #expect(try await house.useCases.directory.everyName() == [:])
            let found = try await findings(house)
            #expect(found.verified == 0 && found.altered == [] && found.missing == [])
        }
    }
}
