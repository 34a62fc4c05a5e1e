import PlimsollAPI
import PlimsollDomain
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
}
