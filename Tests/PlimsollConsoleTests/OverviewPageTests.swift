import PlimsollAPI
import PlimsollDomain
import PlimsollService
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What the overview says of all that waits.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct OverviewPageTests {
    // Method: more changes are open than a list gives at a time, and that one is the oldest of them.
    @Test func `the next change that comes into force is named, however many are open`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let alice = try await console.browser(of: "alice", [RoleGrant(.proposer, in: .all)])
            let bob = try await console.browser(of: "bob", [RoleGrant(.approver, in: .all)])
            for number in 0...50 {
                let start = Instant.now.advanced(by: .seconds(3600))
                let schedule = Schedule(at: start, until: nil, timeZone: .utc)
                let form = ProposalForm(
                    title: try Title(validating: "Raise \(number)"),
                    reason: nil,
                    base: console.useCases.position,
                    operations: try raise(to: "3.\(number).0", base: .start).operations,
                    schedule: number == 0 ? schedule : nil
                )
                let request = console.request(by: alice.caller)
                let change = try await console.useCases.propose(form, for: harbour, request).change
                guard number == 0 else { continue }
                _ = try await console.useCases.approve(
                    change.summary.id,
                    seen: try #require(change.digest),
                    ApprovalForm(),
                    console.request(by: bob.caller)
                )
            }
            let page = try await bob.page("/")
            #expect(page.text.contains("<a href=\"/changes/1\"><bdi>Raise 0</bdi></a>"))
        }
    }

    @Test func `an app is published until what is live is different from what was published`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let roles = [RoleGrant(.responder, in: .all)]
            let rita = try await console.browser(of: "rita", roles)
            let first = try await console.raise(.ios, to: dotted("3.0.0"), by: rita)
            try await console.publish(first)
            let before = try await rita.page("/")
            #expect(before.text.contains("✓ Published"))
            #expect(!before.text.contains("Being published"))

            let second = try await console.raise(.ios, to: dotted("3.2.0"), by: rita)
            let between = try await rita.page("/")
            #expect(between.text.contains("Being published"))
            #expect(!between.text.contains("✓ Published"))

            try await console.publish(second)
            let after = try await rita.page("/")
            #expect(after.text.contains("✓ Published"))
        }
    }

    // Goal: nobody looks for what sets a threshold that the platform does not have.
    @Test func `a platform has the thresholds of its document, and no others`() async throws {
        try await ConsoleFixture.with { console in
            try await console.register(slug("ferry"), try settings([.jvm]))
            let page = try await console.browser(of: "vera", [RoleGrant(.viewer, in: .all)])
                .page("/").text
            #expect(page.contains("field=ios.recommendedOS.value"))
            #expect(page.contains("field=android.recommendedApp.value"))
            #expect(!page.contains("field=android.recommendedOS.value"))
            #expect(!page.contains("field=jvm."))
            #expect(page.contains("href=\"/apps/ferry/documents/jvm\""))
        }
    }

    // Goal: a page of many apps comes, and asks for no more than its reader may ask in a minute.
    @Test func `of many apps a part is shown, the others follow, and each can be chosen`()
        async throws
    {
        try await ConsoleFixture.with { console in
            let count = OverviewScreen.appsMaximum + 1
            for number in 1..<count {
                try await console.register(slug("app\(100 + number)"), harbourSettings)
            }
            let vera = try await console.browser(of: "vera", [RoleGrant(.viewer, in: .all)])
            let first = try await vera.page("/")
            let rest = try await vera.page("/?cursor=app\(100 + count - 1)")
            let link = try #require(first.text.firstMatch(of: /href="(\/\?cursor=[^"]*)"/))
            #expect(link.output.1 == "/?cursor=app\(100 + count - 1)")
            let shown = [first, rest].map { page in
                page.text.matches(of: /<h2 id="app-([^"]*)"/).map { String($0.output.1) }
            }
            #expect(shown.map(\.count) == [OverviewScreen.appsMaximum, 1])
            #expect(Set(shown.joined()).count == count)
            #expect(!rest.text.contains("/?cursor="))
            let chosen = try await vera.page("/?app=harbour")
            let found = chosen.text.matches(of: /<h2 id="app-([^"]*)"/)
            #expect(found.map { String($0.output.1) } == ["harbour"])
            #expect(chosen.text.contains(">Harbour (harbour)</option>"))
            let gone = try await vera.page("/?app=gone")
            #expect(gone.text.matches(of: /<h2 id="app-/).count == OverviewScreen.appsMaximum)
            // The tabs of an app lead to it, wherever among the others it stands.
            let tabs = try await vera.page("/apps/app120/releases")
            #expect(tabs.text.contains("href=\"/?app=app120\""))
        }
    }

    @Test func `of few apps the page of one says that it shows no others`() async throws {
        try await ConsoleFixture.with { console in
            try await console.register(slug("ferry"), try settings([.jvm]))
            let vera = try await console.browser(of: "vera", [RoleGrant(.viewer, in: .all)])
            let choice = "<option value=\"ferry\" selected>"
            #expect(try await vera.page("/?app=ferry").text.contains(choice))
            #expect(try await !vera.page("/").text.contains("<option value=\"ferry\""))
        }
    }

    @Test func `an app is registered by those who administer all of them`() async throws {
        try await ConsoleFixture.with { console in
            let all = try await console.browser(of: "root", [RoleGrant(.admin, in: .all)])
            let one = try await console.browser(of: "otto", [RoleGrant(.admin, in: .app(harbour))])
            for (reader, isOffered) in [(all, true), (one, false)] {
                let page = try await reader.page("/")
                #expect(page.text.contains("href=\"/apps/new\"") == isOffered)
            }
        }
    }
}
