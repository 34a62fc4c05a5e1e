import HTTPTypes
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// Who is offered to cancel what is planned.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct FreezePageTests {
    @Test func `a freeze of all apps is cancelled by those who may freeze all`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let ruth = try await console.browser(
                of: "ruth",
                [RoleGrant(.responder, in: .app(harbour))]
            )
            for (day, place, planner) in [(1, "/freeze", rita), (3, "/apps/harbour/freeze", ruth)] {
                let from = Instant.now.advanced(by: .seconds(day * 86_400))
                let planned = try await planner.send(
                    [
                        ("from", from.rfc3339),
                        ("until", from.advanced(by: .seconds(3600)).rfc3339),
                        ("timeZone", "UTC"), ("planReason", "Launch day"),
                    ],
                    to: "\(place)/plan"
                )
                #expect(planned.status == .seeOther, "\(planned.text)")
            }
            let offered = /action="(\/[a-z\/]*freeze)\/plans\/[0-9]+\/cancel"/
            for (reader, places) in [
                (rita, ["/apps/harbour/freeze", "/freeze"]), (ruth, ["/apps/harbour/freeze"]),
            ] {
                let page = try await reader.page("/apps/harbour/freeze")
                let found = page.text.matches(of: offered).map { String($0.output.1) }
                #expect(found.sorted() == places)
            }
        }
    }

    // Goal: what is wrong with the reason of a plan leads to where that was typed, and not to the form
    // that freezes at once.
    @Test func `a plan that is refused leads to the fields of the plan`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let refused = try await rita.send(
                [
                    ("from", "2027-06-01T09:00"), ("until", "2027-06-01T10:00"),
                    ("timeZone", "UTC"), ("planReason", String(repeating: "x", count: 5000)),
                ],
                to: "/freeze/plan"
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("<a href=\"#planReason\">"), "\(refused.text)")
            #expect(!refused.text.contains("<a href=\"#reason\">"))
        }
    }

    @Test func `a freeze of all apps is ended by those who may freeze all`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let ruth = try await console.browser(
                of: "ruth",
                [RoleGrant(.responder, in: .app(harbour))]
            )
            let end = Language.all[0]["freezes.end"]
            for (place, readers) in [
                ("/apps/harbour/freeze", [(rita, true), (ruth, true)]),
                ("/freeze", [(rita, true), (ruth, false)]),
            ] {
                let frozen = try await rita.send([("reason", "Launch day")], to: "\(place)/start")
                #expect(frozen.status == .seeOther, "\(frozen.text)")
                for (reader, isOffered) in readers {
                    let page = try await reader.page("/")
                    #expect(page.text.contains("href=\"\(place)\">\(end)</a>") == isOffered)
                }
                _ = try await rita.send([], to: "\(place)/end")
            }
        }
    }
}
