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
}
