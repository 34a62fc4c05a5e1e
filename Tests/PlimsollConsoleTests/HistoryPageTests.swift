import HTTPTypes
import PlimsollDomain
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
}
