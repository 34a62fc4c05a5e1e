import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What the button of a rollback does is what the page above it shows.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct RollbackPageTests {
    private let path = "/apps/harbour/rollback"

    // Method: the platforms are chosen by nobody, and then all of them by hand.
    @Test(arguments: ["", "&platform=ios&platform=android"])
    func `a whole app goes back to before one of its platforms`(chosen: String) async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            let target = try await console.raise(.ios, to: dotted("3.0.0"), by: rita)
            _ = try await console.raise(.ios, to: dotted("3.2.0"), by: rita)
            _ = try await console.raise(.android, to: code(320), by: rita)

            let page = try await rita.page("\(path)?to=event&value=\(target)\(chosen)")
            let hidden = try page.hidden(inFormTo: path)
            let done = try await rita.send(hidden + [("reason", "Back to calm")], to: path)
            #expect(done.status == .seeOther, "\(done.text)")
            #expect(done.target?.contains("sequence=") == true)
        }
    }

    @Test func `a platform that is chosen alone goes back alone`() async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            let target = try await console.raise(.ios, to: dotted("3.0.0"), by: rita)
            _ = try await console.raise(.ios, to: dotted("3.2.0"), by: rita)

            let page = try await rita.page("\(path)?to=event&value=\(target)&platform=ios")
            let hidden = try page.hidden(inFormTo: path)
            #expect(hidden.filter { $0.name == "platform" }.map(\.value) == ["ios"])
        }
    }

    // Goal: who names one platform, in whatever letters, takes back nothing on another.
    @Test func `a platform that is none is refused, and not taken for the whole app`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            let target = try await console.raise(.ios, to: dotted("3.0.0"), by: rita)
            _ = try await console.raise(.ios, to: dotted("3.2.0"), by: rita)
            let last = try await console.raise(.android, to: code(320), by: rita)

            let page = try await rita.page("\(path)?to=event&value=\(target)&platform=IOS")
            #expect(page.text.contains("cannot be &quot;IOS&quot;"), "\(page.text)")
            #expect(!page.text.contains("action=\"\(path)\" data-draft"))
            // The form that looks again asks for no platform by itself, and not for all of them.
            #expect(!page.text.contains(" checked"))
            #expect(page.text.contains("<input type=\"hidden\" name=\"platform\" value=\"\">"))
            let again = try await rita.page("\(path)?to=event&value=\(target)&platform=")
            #expect(again.text.contains("is needed"), "\(again.text)")
            let chosen = "\(path)?to=event&value=\(target)&platform=ios&platform="
            let hidden = try await rita.page(chosen).hidden(inFormTo: path)
            #expect(hidden.filter { $0.name == "platform" }.map(\.value) == ["ios"])
            let sent = try await rita.send(
                [
                    ("to", "event"), ("value", "\(target)"), ("platform", "IOS"),
                    ("reason", "Back to calm"),
                ],
                to: path
            )
            #expect(sent.status == .unprocessableContent)
            #expect(sent.text.ranges(of: "role=\"alert\"").count == 1, "\(sent.text)")
            #expect(console.useCases.position == last)
        }
    }

    // Goal: who is told that a destination cannot be meant is led to where it was typed, with what they
    // typed. Method: it is looked at, and sent as a form that was altered; another one is not there yet.
    @Test func `a destination that is refused leads to its field`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let looked = try await rita.page("\(path)?to=event&value=soon")
            let sent = try await rita.send(
                [("to", "event"), ("value", "soon"), ("reason", "Back to calm")],
                to: path
            )
            for page in [looked, sent] {
                #expect(page.text.contains("<a href=\"#value\">"), "\(page.text)")
                let field = "aria-invalid=\"true\" aria-describedby=\"fault-1\" id=\"value\""
                #expect(page.text.contains("\(field) name=\"value\" value=\"soon\""))
                #expect(page.text.contains("<option value=\"event\" selected>"))
            }
            let ahead = try await rita.page("\(path)?to=event&value=99999")
            #expect(ahead.text.contains("<a href=\"#value\">"), "\(ahead.text)")
        }
    }

    // Method: more changes were applied than a list gives at a time, and all of them were proposed
    // after the one that was applied last.
    @Test func `it begins with what was applied last, however long ago that was proposed`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let alice = try await console.browser(of: "alice", [RoleGrant(.proposer, in: .all)])
            let bob = try await console.browser(of: "bob", [RoleGrant(.approver, in: .all)])
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let form = ProposalForm(
                title: try Title(validating: "Raise Android"),
                reason: nil,
                base: console.useCases.position,
                operations: [
                    Operation(.android, .minimumApp, .setValue(code(320))),
                    Operation(
                        .android,
                        .minimumApp,
                        .setText(.description, tag("en"), try text("Update to 320."))
                    ),
                ]
            )
            let request = console.request(by: alice.caller)
            let old = try await console.useCases.propose(form, for: harbour, request).change
            for number in 0...50 {
                _ = try await console.raise(.ios, to: dotted("3.\(number).0"), by: rita)
            }
            let applied = try await console.useCases.approve(
                old.summary.id,
                seen: try #require(old.digest),
                ApprovalForm(),
                console.request(by: bob.caller)
            )
            #expect(applied.summary.state == .applied)

            let page = try await rita.page(path)
            let value = "name=\"value\" value=\"\(old.summary.id)\""
            #expect(page.text.contains(value), "\(page.text)")
        }
    }

    // Goal: who types a time as on every other page at night is not told that it cannot be one.
    @Test func `a time without an offset is one in UTC`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let page = try await rita.page("\(path)?to=time&value=2026-11-21T08:00")
            let value = "name=\"value\" value=\"2026-11-21T08:00:00.000Z\""
            #expect(page.text.contains(value), "\(page.text)")
        }
    }

    // Method: somebody else does something between the first time and the second.
    @Test func `a form that comes again leads to the same receipt, with the way to undo it`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let target = try await console.raise(.ios, to: dotted("3.0.0"), by: rita)
            let last = try await console.raise(.ios, to: dotted("3.2.0"), by: rita)

            let page = try await rita.page("\(path)?to=event&value=\(target)")
            let form = try page.hidden(inFormTo: path) + [("reason", "Back to calm")]
            let first = try #require(try await rita.send(form, to: path).target)
            _ = try await console.raise(.android, to: code(320), by: rita)
            let again = try #require(try await rita.send(form, to: path).target)
            #expect(first == again)
            #expect(first.hasSuffix("&before=\(last)"), "\(first)")
        }
    }

    @Test func `a block that comes again leads to the same receipt, with the way to undo it`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let before = try await console.raise(.ios, to: dotted("3.0.0"), by: rita)
            let form = [
                (name: "_key", value: "one"), ("platform", "ios"), ("below", "3.2.0"),
                ("reason", "3.1 loses bookings"),
            ]
            let block = "/apps/harbour/block"
            let first = try #require(try await rita.send(form, to: block).target)
            _ = try await console.raise(.android, to: code(320), by: rita)
            let again = try #require(try await rita.send(form, to: block).target)
            #expect(first == again)
            #expect(first.hasSuffix("&before=\(before)"), "\(first)")
        }
    }
}
