import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What is typed beside a decision on a change.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct ChangePageTests {
    // Method: it is sent twice, as where the first answer was lost.
    @Test func `what is typed beside a withdrawal is a comment, once`() async throws {
        try await ConsoleFixture.with { console in
            let alice = try await console.browser(of: "alice", [RoleGrant(.proposer, in: .all)])
            let proposal = ProposalForm(
                title: try Title(validating: "Raise the line"),
                reason: nil,
                base: console.useCases.position,
                operations: [
                    Operation(.ios, .minimumApp, .setValue(dotted("3.2.0"))),
                    Operation(
                        .ios,
                        .minimumApp,
                        .setText(.description, tag("en"), try text("Update to 3.2.0."))
                    ),
                ]
            )
            let change = try await console.useCases.propose(
                proposal,
                for: harbour,
                console.request(by: alice.caller)
            ).change
            let address = "/changes/\(change.summary.id)"
            let digest = try #require(change.digest)
            for _ in 1...2 {
                let withdrawn = try await alice.send(
                    [("_key", "one"), ("digest", digest.hex), ("comment", "Wrong number")],
                    to: "\(address)/withdraw"
                )
                #expect(withdrawn.status == .seeOther, "\(withdrawn.text)")
            }
            let page = try await alice.page(address)
            #expect(page.text.matches(of: /<blockquote><bdi>Wrong number</).count == 1)
        }
    }
}
