import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// Whether pages say in the reader's language what the interface says in English.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct PageLanguageTests {
    // Goal: what values and generations of apps are called is no English on a page in another language.
    @Test(arguments: [
        ("en", "one to three whole numbers up to", "3.10 and newer"),
        ("de", "eine bis drei ganze Zahlen bis", "3.10 und neuer"),
    ])
    func `a form says in the reader's language what it takes`(
        language: String,
        grammar: String,
        versions: String
    ) async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.admin, in: .all), RoleGrant(.proposer, in: .all)]
            let otto = try await console.browser(of: "otto", roles, language: language)
            let proposal = try await otto.page("/apps/harbour/propose?platform=ios")
            #expect(proposal.text.contains(grammar))
            let settings = try await otto.page("/apps/harbour/settings")
            #expect(settings.text.contains(versions))
        }
    }
}
