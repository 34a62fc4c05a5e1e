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
}
