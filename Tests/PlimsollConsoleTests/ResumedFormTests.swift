import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollHTTP
import PlimsollPostgres
import PlimsollService
import PlimsollStore
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

    // Method: privileges are missing, first to find sessions; then somebody signs in all the same.
    @Test func `what was typed is kept while the database refuses to find sessions`() async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            try await Session.with(ScratchDatabase.current.connection) { session in
                try await session.execute("REVOKE ALL ON console.session FROM plimsoll_service")
            }
            let place = "/apps/harbour/freeze/start"
            let typed = [
                (name: "_key", value: "one"), (name: "reason", value: "Nothing over the holidays"),
            ]
            let failed = try await rita.send(typed, to: place)
            #expect(failed.status == .internalServerError)
            let kept = try failed.hidden(inFormTo: place)
            for field in typed { #expect(kept.contains { $0 == field }, "\(failed.text)") }

            let form = TokenForm(name: nil, principal: rita.principal, roles: roles)
            let issued = try await console.useCases.issueToken(form, console.request(by: .system))
            let token = try #require(issued.secret)
            let resent = typed + [("_resend", "yes"), ("_to", place), ("_token", token)]
            let again = try await rita.send(resent, to: "/sign-in")
            #expect(again.status == .internalServerError)
            let keptAgain = try again.hidden(inFormTo: "/sign-in")
            for field in typed { #expect(keptAgain.contains { $0 == field }, "\(again.text)") }
        }
    }

    @Test func `what was kept stays on the sign-in page while the database is away`() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withFolder { folder in
            let authentication = EntryAuthentication(keysIn: EntryKeyFolder(folder))
            let useCases = useCasesOfNothing(logger, authentication)
            let door = SignIn(Frontend(Dependencies(useCases: useCases)))
            let router = Router(context: PlimsollContext.self)
            router.post("sign-in") { try await door.open($0, $1) }
            let form = FormFields([
                ("_token", "plm_" + String(repeating: "0", count: 64)), ("_resend", "yes"),
                ("_key", "one"), ("_to", "/apps/harbour/block"), ("reason", "3.1 loses bookings"),
            ])
            try await Application(router: router, logger: logger).test(.router) { client in
                try await client.execute(
                    uri: "/sign-in",
                    method: .post,
                    body: ByteBuffer(string: form.encoded)
                ) { response in
                    let page = ConsoleAnswer(
                        status: response.status,
                        target: nil,
                        text: String(buffer: response.body)
                    )
                    #expect(page.status == .serviceUnavailable)
                    let kept = FormFields(try page.hidden(inFormTo: "/sign-in"))
                    #expect(kept.pairs.map(\.name) == ["_to", "_resend", "_key", "reason"])
                    #expect(kept["_to"] == "/apps/harbour/block" && kept["_key"] == "one")
                }
            }
        }
    }
}
