import HTTPTypes
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

    // Goal: nobody fills in at night what is then refused for want of a role, wherever they have the
    // address from.
    @Test(arguments: ["/apps/harbour/block", "/apps/new"])
    func `who may not do what a page is for is told so, and given no button`(
        _ address: String
    ) async throws {
        try await ConsoleFixture.with { console in
            let roles = [Role.responder, .admin].map { RoleGrant($0, in: .all) }
            let otto = try await console.browser(of: "otto", roles)
            let vera = try await console.browser(of: "vera", [RoleGrant(.viewer, in: .all)])
            let (button, told) = ("<button class=\"main\"", "You have no role with which")
            let (offered, kept) = (try await otto.page(address), try await vera.page(address))
            #expect(offered.text.contains(button) && !offered.text.contains(told))
            #expect(!kept.text.contains(button) && kept.text.contains(told), "\(kept.text)")
        }
    }

    // Goal: what is wrong with settings leads to where it was typed, which is called otherwise there.
    @Test(arguments: [
        ("settingsName", String(repeating: "x", count: 5000)), ("fallback", "no language"),
        ("shipped", "no_language"), ("settingsReason", String(repeating: "x", count: 5000)),
    ])
    func `a refused setting leads to its field`(_ field: String, _ wrong: String) async throws {
        try await ConsoleFixture.with { console in
            let root = try await console.browser(of: "root", [RoleGrant(.admin, in: .all)])
            let typed = [
                "settingsName": "Harbour", "languages": "en", "fallback": "en",
                "profile": "complete", "princeOfVersions": "all", "platform": "ios",
            ].merging([field: wrong]) { $1 }
            let address = "/apps/harbour/settings/preview"
            let page = try await root.page("/apps/harbour/settings")
            let form = try page.hidden(inFormTo: address) + typed.map { (name: $0, value: $1) }
            let refused = try await root.send(form, to: address)
            #expect(refused.text.contains("<a href=\"#\(field)\">"), "\(refused.text)")
        }
    }

    // Goal: a double click, or back and again, corrects a release once. Method: the form takes a fact
    // away, so that what is known when it comes again is not what was known before.
    @Test func `a correction of a release that is sent twice is done once`() async throws {
        try await ConsoleFixture.with { console in
            let root = try await console.browser(of: "root", [RoleGrant(.admin, in: .all)])
            let list = "/apps/harbour/releases"
            let version = [(name: "platform", value: "ios"), (name: "version", value: "3.0.0")]
            let registered = try await root.send(version + [("build", "412")], to: list)
            #expect(registered.status == .seeOther, "\(registered.text)")
            let typed = [
                (name: "_key", value: "one"), ("build", ""), ("os", "15.0"), ("store", ""),
                ("liveSince", ""), ("name", ""),
            ]
            for _ in 1...2 {
                let amended = try await root.send(typed, to: "\(list)/ios/3.0.0/amend")
                #expect(amended.status == .seeOther, "\(amended.text)")
            }
            let release = try await root.page("\(list)/ios/3.0.0").text
            #expect(release.contains("value=\"15.0\"") && !release.contains("value=\"412\""))
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
