import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// Where an administrator may do what the pages of the administration offer.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct AdministrationPageTests {
    @Test func `who administers one app is offered nothing for others, or for all of them`()
        async throws
    {
        try await ConsoleFixture.with { console in
            try await console.register(slug("ferry"), harbourSettings)
            let all = try await console.browser(of: "root", [RoleGrant(.admin, in: .all)])
            let one = try await console.browser(
                of: "otto",
                [RoleGrant(.admin, in: .app(harbour)), RoleGrant(.viewer, in: .all)]
            )
            for (address, field, places) in [
                ("/people", "scope", ["", "ferry", "harbour"]),
                ("/webhooks", "app", ["", "ferry", "harbour"]),
                ("/keys", "app", ["ferry", "harbour"]),
            ] {
                #expect(try await offered(field, address, to: all) == places)
                #expect(try await offered(field, address, to: one) == ["harbour"])
            }
        }
    }

    @Test func `who administers one app is offered of a person what is of that app`() async throws {
        try await ConsoleFixture.with { console in
            let approver = RoleGrant(.approver, in: .app(harbour))
            let otto = try await console.browser(of: "otto", [RoleGrant(.admin, in: .app(harbour))])
            let bob = try await console.browser(of: "bob", [approver])
            let carol = try await console.browser(
                of: "carol",
                [approver, RoleGrant(.viewer, in: .all)]
            )
            for (person, isKept) in [(bob, true), (carol, false)] {
                let address = "/people/\(person.principal)"
                #expect(try await offered("grant", address, to: otto) == ["approver@harbour"])
                let page = try await otto.page(address).text
                for act in ["suspend", "add-key"] {
                    #expect(page.contains("action=\"\(address)/\(act)\"") == isKept)
                }
                #expect(try await !person.page(address).text.contains("/revoke-role\""))
            }
        }
    }

    /// The choices of a field of a page.
    private func offered(
        _ field: String,
        _ address: String,
        to reader: ConsoleBrowser
    ) async throws -> [String] {
        let text = try await reader.page(address).text
        let begin = try #require(text.firstRange(of: "<select id=\"\(field)\"")).upperBound
        let choices = try #require(text[begin...].split(separator: "</select>").first)
        return choices.matches(of: /<option value="([^"]*)"/).map { String($0.output.1) }.sorted()
    }
}
