import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollPostgres
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// A form that is refused is shown again, with what was typed and why it was not taken.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct RefusedFormTests {
    private let tooLong = String(repeating: "x", count: 5000)

    @Test(arguments: [
        ("en", "The text has 5000 characters; at most 4000 are allowed."),
        ("de", "Der Text hat 5000 Zeichen; höchstens 4000 sind erlaubt."),
    ])
    func `what is wrong with a text is said in the reader's language`(
        language: String,
        sentence: String
    ) async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles, language: language)
            let refused = try await rita.send(
                [("to", "event"), ("value", "1"), ("reason", tooLong)],
                to: "/apps/harbour/rollback"
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains(sentence))
            #expect(!refused.text.contains("tooLong"))
        }
    }

    // Goal: nobody looks at night for a database that is there, or waits for what an operator has to
    // decide. Method: the record turns out to have less than was signed.
    @Test(arguments: [
        ("en", "The record has less than was signed, so nothing is written"),
        ("de", "In der Aufzeichnung steht weniger, als signiert wurde"),
    ])
    func `a service that reads only is not told as a database that is away`(
        language: String,
        title: String
    ) async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles, language: language)
            let sentence = "The database has 40 events, and a checkpoint over 57 was published."
            console.readOnly(because: Prohibition(.logBehind, sentence))
            let place = "/apps/harbour/freeze/start"
            let refused = try await rita.send(
                [("_key", "one"), ("reason", "Nothing over the holidays")],
                to: place
            )
            #expect(refused.status == .serviceUnavailable)
            #expect(try refused.hidden(inFormTo: place).contains { $0 == ("_key", "one") })
            #expect(refused.text.contains(title), "\(refused.text)")
            #expect(refused.text.contains(sentence))
            #expect(refused.text.contains("Nothing over the holidays"))
            let away = try #require(Language.all.first { $0.tag == language })["away.title"]
            #expect(!refused.text.contains(away))
        }
    }

    // Goal: what may have been done the first time it was sent is known as that when it is sent again.
    // Method: the privileges to write are missing.
    @Test func `a form that the database refuses is kept, with what it is known as`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            try await Session.with(ScratchDatabase.current.connection) { session in
                try await session.execute(
                    """
                    REVOKE ALL ON FUNCTION instance.append_one, instance.append_plain,
                        instance.append_group FROM plimsoll_service
                    """
                )
            }
            let place = "/apps/harbour/freeze/start"
            let failed = try await rita.send(
                [("_key", "one"), ("reason", "Nothing over the holidays")],
                to: place
            )
            #expect(failed.status == .internalServerError)
            let hidden = try failed.hidden(inFormTo: place)
            #expect(hidden.contains { $0 == ("_key", "one") }, "\(failed.text)")
            #expect(hidden.contains { $0 == ("reason", "Nothing over the holidays") })
        }
    }

    // Goal: whoever goes back, types something else and sends that is not told of a key, and can send it.
    @Test(arguments: ["en", "de"])
    func `a form that was sent before with something else in it says so`(
        tag: String
    ) async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.admin, in: .all)]
            let root = try await console.browser(of: "root", roles, language: tag)
            let place = "/apps/harbour/releases"
            let typed = [
                (name: "_key", value: "one"), ("platform", "ios"), ("version", "3.0.0"),
            ]
            let first = try await root.send(typed + [("build", "411")], to: place)
            #expect(first.status == .seeOther, "\(first.text)")
            let other = try await root.send(typed + [("build", "412")], to: place)
            #expect(other.status == .unprocessableContent)
            let language = try #require(Language.all.first { $0.tag == tag })
            for key in ["problem.sentBefore", "problem.sentBeforeDone"] {
                #expect(other.text.contains(language[key]), "\(other.text)")
            }
            #expect(try !other.hidden(inFormTo: place).contains { $0 == ("_key", "one") })
        }
    }

    // Goal: whoever wrote a version, a time or a destination wrongly reads how it has to be.
    @Test(arguments: [
        ("en", "to be one to three whole", "Write it as 2027-06-01T09:00", "a number, a time"),
        ("de", "sein: eine bis drei ganze", "Zeit wie 2027-06-01T09:00", "eine Nummer, eine Zeit"),
    ])
    func `what cannot be read is refused with how it is written`(
        language: String,
        version: String,
        time: String,
        destination: String
    ) async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.proposer, in: .all), RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles, language: language)
            let reason = (name: "reason", value: "3.1 loses bookings")
            let block = [(name: "platform", value: "ios"), (name: "below", value: "3.x"), reason]
            #expect(
                try await rita.send(block, to: "/apps/harbour/block").text.contains(version)
            )
            let change = [
                (name: "platform", value: "ios"), (name: "ios.minimumApp.value", value: "3.2.0"),
                (name: "title", value: "3.2.0"), (name: "at", value: "tomorrow"),
                (name: "zone", value: "UTC"),
            ]
            #expect(
                try await rita.send(change, to: "/apps/harbour/propose").text.contains(time)
            )
            let back = [(name: "to", value: "event"), (name: "value", value: "the last"), reason]
            #expect(
                try await rita.send(back, to: "/apps/harbour/rollback").text.contains(destination)
            )
        }
    }

    // Goal: whoever presses again what was refused does that, and not what stands first in a list.
    @Test(arguments: ["approver@harbour", "viewer"])
    func `the role that was to be taken away is still chosen`(grant: String) async throws {
        try await ConsoleFixture.with { console in
            let admin = try await console.browser(of: "root", [RoleGrant(.admin, in: .all)])
            let bob = try await console.browser(
                of: "bob",
                [RoleGrant(.approver, in: .app(harbour)), RoleGrant(.viewer, in: .all)]
            )
            let refused = try await admin.send(
                [("grant", grant), ("roleReason", tooLong)],
                to: "/people/\(bob.principal)/revoke-role"
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("<option value=\"\(grant)\" selected>"))
            #expect(refused.text.contains("name=\"roleReason\" value=\"\(tooLong)\""))
        }
    }

    /// Registers a release, and has its withdrawal refused for the reason that is given.
    private func withdraw(
        because reason: String,
        by browser: ConsoleBrowser
    ) async throws -> ConsoleAnswer {
        let list = "/apps/harbour/releases"
        let registered = try await browser.send(
            [("platform", "ios"), ("version", "3.0.0")],
            to: list
        )
        #expect(registered.status == .seeOther, "\(registered.text)")
        let refused = try await browser.send(
            [("reason", reason)],
            to: "\(list)/ios/3.0.0/withdraw"
        )
        #expect(refused.status == .unprocessableContent)
        return refused
    }

    @Test func `a reason comes back in the form that it was typed into`() async throws {
        try await ConsoleFixture.with { console in
            let admin = try await console.browser(of: "root", [RoleGrant(.admin, in: .all)])
            let refused = try await withdraw(because: tooLong, by: admin)
            #expect(refused.text.contains("id=\"why\" name=\"reason\" value=\"\(tooLong)\""))
            #expect(refused.text.contains("id=\"reason\" name=\"reason\" value=\"\""))
        }
    }

    // Goal: whoever is refused comes to the field at once, and to no other of the same name.
    @Test func `a refusal leads to the field that it is about`() async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.admin, in: .all), RoleGrant(.responder, in: .all)]
            let root = try await console.browser(of: "root", roles)
            let block = "/apps/harbour/block"
            let refused = try await root.send(
                [("platform", "ios"), ("below", "3.x"), ("reason", "3.1 loses bookings")],
                to: block
            )
            let said = "<p><a href=\"#below\"><bdi id=\"fault-1\">"
            let marked = "aria-invalid=\"true\" aria-describedby=\"fault-1\" id=\"below\""
            #expect(refused.text.contains(said) && refused.text.contains(marked), "\(refused.text)")
            #expect(refused.text.matches(of: /aria-invalid/).count == 1)
            // What a screen reader says first is that it was refused.
            let title = ProblemCode.invalidRequest.title
            #expect(refused.text.contains("<title>\(title): Block versions of"))
            #expect(try await !root.page(block).text.contains("href=\"#below\""))
            // Two forms of the page have a reason.
            let withdrawn = try await withdraw(because: tooLong, by: root)
            #expect(!withdrawn.text.contains("href=\"#reason\""))
            #expect(!withdrawn.text.contains("aria-invalid"))
        }
    }

    // Goal: what is wrong among the further edits is looked for there. Method: they clear a field that is
    // typed as well.
    @Test func `a refused edit leads to where it was typed, not to its field`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.proposer, in: .all)])
            let further = #"[{"platform": "ios", "threshold": "minimumApp", "op": "clearValue"}]"#
            let refused = try await rita.send(
                [
                    ("platform", "ios"), ("ios.minimumApp.value", "3.2.0"), ("title", "3.2.0"),
                    ("operations", further),
                ],
                to: "/apps/harbour/propose"
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("<a href=\"#operations\">"), "\(refused.text)")
            #expect(!refused.text.contains("href=\"#ios.minimumApp.value\""))
            // What describes the field anyway is not lost.
            let marked = /aria-invalid="true" id="operations"[^>]* aria-describedby="([^"]*)"/
            let described = refused.text.firstMatch(of: marked)?.output.1
            #expect(described?.wholeMatch(of: /fault-\d+ operations-help/) != nil)
        }
    }

    @Test func `a refused text of a block is called as its field is`() async throws {
        try await ConsoleFixture.with { console in
            let rita = try await console.browser(of: "rita", [RoleGrant(.responder, in: .all)])
            let refused = try await rita.send(
                [
                    ("platform", "ios"), ("below", "3.2.0"), ("reason", "3.1 loses bookings"),
                    ("text.en", tooLong),
                ],
                to: "/apps/harbour/block"
            )
            #expect(refused.status == .unprocessableContent)
            #expect(refused.text.contains("Minimum app: description (en)"), "\(refused.text)")
        }
    }
}
