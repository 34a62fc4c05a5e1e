import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What somebody is shown of the record who may not read all of it.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct HistoryPageTests {
    @Test func `an auditor of one app reads its record, whatever else they see`() async throws {
        try await ConsoleFixture.with { console in
            let ferry = slug("ferry")
            try await console.register(ferry, harbourSettings)
            let roles = [
                RoleGrant(.auditor, in: .app(harbour)), RoleGrant(.viewer, in: .app(ferry)),
            ]
            let anna = try await console.browser(of: "anna", roles)

            let list = try await anna.page("/history")
            #expect(list.status == .ok)
            let events = list.text.matches(of: /href="(\/history\?event=[0-9]+)"/)
            let address = String(try #require(events.first).output.1)
            let event = try await anna.page(address)
            #expect(event.status == .ok, "\(event.text)")
            let ferrys = try await anna.page("/history?app=ferry")
            #expect(ferrys.status == .forbidden)
        }
    }

    @Test func `an auditor of more apps than a query has parameters reads the record of all`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let slugs = (100...210).map { slug("app\($0)") }
            for slug in slugs { try await console.register(slug, harbourSettings) }
            // So many roles nobody is given at once.
            let roles = slugs.map { RoleGrant(.auditor, in: .app($0)) }
            let anna = try await console.browser(of: "anna", Array(roles.prefix(100)))
            let rest = Array(roles.dropFirst(100))
            let form = TokenForm(name: nil, principal: anna.principal, roles: rest)
            _ = try await console.useCases.issueToken(form, console.request(by: .system))
            let list = try await anna.page("/history")
            #expect(list.status == .ok)
            let next = try #require(
                list.text.firstMatch(of: /href="(\/history\?[^"]*cursor=[^"]*)"/)
            )
            let address = String(next.output.1).replacing("&amp;", with: "&")
            #expect(try await anna.page(address).status == .ok)
        }
    }

    @Test func `every value that a field had can be reached, however many there are`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            for number in 0...50 {
                _ = try await console.raise(.ios, to: dotted("3.\(number).0"), by: rita)
            }
            let newest = try await rita.page("/history?app=harbour&field=ios.minimumApp.value")
            #expect(newest.text.contains("3.50.0"))
            let link = try #require(
                newest.text.firstMatch(of: /<a href="(\/history\?[^"]*cursor=[^"]*)"/)
            )
            let address = String(link.output.1).replacing("&amp;", with: "&")
            let older = try await rita.page(address)
            #expect(older.text.contains("3.0.0"), "\(older.text)")
        }
    }

    // Method: an emergency writes a text in each of so many languages that no list has all its events.
    @Test func `an act is marked, and compared with what was before, however many events it has`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all), RoleGrant(.auditor, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            let letters = "abcdefghijklmnopqrst".map(String.init)
            let languages = letters.flatMap { first in letters.map { tag("q\(first)\($0)") } }
            let update = try text("Update.")
            let operations = ThresholdName.allCases.flatMap { name in
                languages.map { Operation(.ios, name, .setText(.description, $0, update)) }
            }
            let form = EmergencyForm(
                title: try Title(validating: "Say it to all"),
                reason: try Reason(validating: "3.1 loses bookings"),
                incident: try Title(validating: "INC-731"),
                operations: operations
            )
            let request = console.request(by: rita.caller)
            let answer = try await console.useCases.declareEmergency(form, in: harbour, request)
            let event = try #require(answer.position)
            let list = try await rita.page("/history?app=harbour")
            #expect(list.text.contains("<span class=\"mark bad\">emergency</span>"))
            let page = try await rita.page("/history?event=\(event)")
            let link = try #require(
                page.text.firstMatch(of: /href="(\/apps\/harbour\/compare\?[^"]*)"/)
            )
            let address = String(link.output.1).replacing("&amp;", with: "&")
            let compared = try await rita.page(address)
            #expect(compared.status == .ok)
            #expect(compared.text.contains("ios.minimumApp.description.qaa"))
        }
    }
}
