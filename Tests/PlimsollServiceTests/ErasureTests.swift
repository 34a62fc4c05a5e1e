import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
@testable import PlimsollService
import Testing

/// Names stand outside the log, and once erased they are nowhere.
@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct ErasureTests {
    private static let name = "Dorothea Hammarskjöld"
    private static let unsalted = SaltedName(name, salt: nil)

    /// Lets her in, under a request that can be repeated.
    private func admit(_ house: House) async throws -> IssuedTokenAnswer {
        try await house.useCases.issueToken(
            TokenForm(
                name: Title(validating: Self.name),
                principal: nil,
                roles: [RoleGrant(.proposer, in: .all)],
                expiresAt: nil
            ),
            house.request(by: house.administrator, named: "dorothea")
        )
    }

    private func names(_ house: House) async throws -> [String?] {
        let principals = try await house.useCases.principals(for: house.administrator)
        let tokens = try await house.useCases.tokens(for: house.administrator)
        return principals.map(\.name) + tokens.map(\.name)
    }

    @Test func `an erased name is in no answer, and its bearer goes on under the id`() async throws
    {
        try await House.with { house in
            try await house.register()
            let issued = try await admit(house)
            let caller = Caller(
                principal: issued.token.principal,
                authentication: .token(issued.token.id)
            )
            #expect(try await names(house).contains(Self.name))
            try await house.useCases.eraseName(
                of: caller.principal,
                house.request(by: house.administrator)
            )
            #expect(try await !names(house).contains(Self.name))
            let identity = try await house.useCases.identity(of: caller)
            #expect(identity.name == nil)
            #expect(identity.principal == caller.principal)
            let change = try await house.propose("3.1.0", by: caller)
            #expect(change.author == caller.principal)
        }
    }

    @Test func `the log has the name nowhere, and proves itself afterwards`() async throws {
        try await House.with { house in
            try await house.register()
            let issued = try await admit(house)
            _ = try await house.propose(
                "3.1.0",
                by: Caller(
                    principal: issued.token.principal,
                    authentication: .token(issued.token.id)
                )
            )
            try await house.useCases.eraseName(
                of: issued.token.principal,
                house.request(by: house.administrator)
            )
            let entries = try await house.log.backUp(into: [UInt8]()) { bytes, line in
                bytes += line.bytes
            }
            let text = String(decoding: entries, as: UTF8.self)
            #expect(text.contains(issued.token.principal.text))
            #expect(!text.contains("Dorothea") && !text.contains("Hammarskj"))
            let found = try await house.log.verify {
                EntryVerifier(deciding: DecisionAudit { ChangeDigest(of: $0) }, rootsOf: $0)
            }
            guard case .sound = found else {
                Issue.record("the log is not sound: \(found)")
                return
            }
        }
    }

    @Test func `a repeated request does not bring the name back`() async throws {
        try await House.with { house in
            let issued = try await admit(house)
            let request = house.request(by: house.administrator, named: "erase")
            try await house.useCases.eraseName(of: issued.token.principal, request)
            let again = try await admit(house)
            #expect(again.token.id == issued.token.id)
            #expect(try await !names(house).contains(Self.name))
            try await house.useCases.eraseName(of: issued.token.principal, request)
        }
    }

    @Test func `what a death or a backup left behind goes, whoever comes first`() async throws {
        try await House.with { house in
            let issued = try await admit(house)
            let principal = issued.token.principal
            let erase: () async throws -> Void = {
                try await house.useCases.eraseName(
                    of: principal,
                    house.request(by: house.administrator)
                )
            }
            try await erase()
            let directory = house.useCases.directory
            try await directory.hold(Self.unsalted, of: principal)
            #expect(try await objections(erase) == [.nothingChanges])
            #expect(try await !names(house).contains(Self.name))
            try await directory.hold(Self.unsalted, of: principal)
            try await house.useCases.forgetErasedNames()
            #expect(try await !names(house).contains(Self.name))
        }
    }

    @Test func `a dry run and a stranger erase nothing`() async throws {
        try await House.with { house in
            let issued = try await admit(house)
            let principal = issued.token.principal
            let head = house.head
            try await house.useCases.eraseName(
                of: principal,
                house.request(by: house.administrator, .dryRun)
            )
            #expect(house.head == head)
            let auditor = try await house.caller(.auditor)
            let found = try await objections {
                try await house.useCases.eraseName(of: principal, house.request(by: auditor))
            }
            #expect(found == [.roleMissing(.admin, .all)])
            #expect(try await names(house).contains(Self.name))
            try await house.useCases.eraseName(
                of: principal,
                house.request(by: house.administrator)
            )
            try await house.useCases.directory.hold(Self.unsalted, of: principal)
            let again = house.request(by: house.administrator, .dryRun)
            let refusals = [
                try await objections {
                    try await house.useCases.eraseName(of: principal, house.request(by: auditor))
                },
                try await objections {
                    try await house.useCases.eraseName(of: principal, again)
                },
            ]
            #expect(refusals == [[.roleMissing(.admin, .all)], [.nothingChanges]])
            let left = try await house.useCases.directory.everyName()
            #expect(left[principal] == Self.unsalted)
            #expect(try await !names(house).contains(Self.name))
        }
    }
}
