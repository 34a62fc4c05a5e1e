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

    private func raise(
        _ platform: Platform,
        to value: VersionValue,
        on console: ConsoleFixture,
        by browser: ConsoleBrowser
    ) async throws -> Position {
        let form = EmergencyForm(
            title: try Title(validating: "Raise the line"),
            reason: try Reason(validating: "3.1 loses bookings"),
            incident: try Title(validating: "INC-731"),
            operations: [
                Operation(platform, .minimumApp, .setValue(value)),
                Operation(
                    platform,
                    .minimumApp,
                    .setText(.description, tag("en"), try text("Update to \(value)."))
                ),
            ]
        )
        let request = console.request(by: browser.caller)
        let answer = try await console.useCases.declareEmergency(form, in: harbour, request)
        return try #require(answer.position)
    }

    // Method: the platforms are chosen by nobody, and then all of them by hand.
    @Test(arguments: ["", "&platform=ios&platform=android"])
    func `a whole app goes back to before one of its platforms`(chosen: String) async throws {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            let target = try await raise(.ios, to: dotted("3.0.0"), on: console, by: rita)
            _ = try await raise(.ios, to: dotted("3.2.0"), on: console, by: rita)
            _ = try await raise(.android, to: code(320), on: console, by: rita)

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
            let target = try await raise(.ios, to: dotted("3.0.0"), on: console, by: rita)
            _ = try await raise(.ios, to: dotted("3.2.0"), on: console, by: rita)

            let page = try await rita.page("\(path)?to=event&value=\(target)&platform=ios")
            let hidden = try page.hidden(inFormTo: path)
            #expect(hidden.filter { $0.name == "platform" }.map(\.value) == ["ios"])
        }
    }
}
