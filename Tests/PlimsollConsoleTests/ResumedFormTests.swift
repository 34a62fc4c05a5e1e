import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What was typed when a session ended, and is sent after the next sign-in.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct ResumedFormTests {
    // Goal: where nobody knows whether it was done already, it may be sent again.
    @Test func `a form that outlives its session is known as the one that was sent`() async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            let sessions = try await rita.page("/sessions").text
            let end = try #require(sessions.firstMatch(of: /action="(\/sessions\/[^"]+\/end)"/))
            let ended = try await rita.send([], to: String(end.output.1))
            #expect(ended.status == .seeOther)

            let isKnown = { (page: ConsoleAnswer) in
                page.text.contains("name=\"_key\" value=\"one\"")
            }
            let asked = try await rita.send(
                [("_key", "one"), ("reason", "Nothing over the holidays")],
                to: "/apps/harbour/freeze/start"
            )
            #expect(isKnown(asked))
            let kept = try asked.hidden(inFormTo: "/sign-in")
            let refused = try await rita.send(kept + [("_token", "plm_no")], to: "/sign-in")
            #expect(isKnown(refused))
            let form = TokenForm(name: nil, principal: rita.principal, roles: roles)
            let issued = try await console.useCases.issueToken(form, console.request(by: .system))
            let secret = try #require(issued.secret)
            let resumed = try await rita.send(kept + [("_token", secret)], to: "/sign-in")
            #expect(isKnown(resumed))
            #expect(resumed.text.contains("Nothing over the holidays"))
        }
    }
}
