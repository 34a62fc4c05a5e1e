import HTTPTypes
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What a form above it asked for is not missed by those who see little of a page at a time.
@Suite(.scratchDatabase(template: consoleTemplate), .timeLimit(.minutes(2)))
struct AskedPageTests {
    // Goal: the answer of every form that asks has the focus, and stands behind the form. Method: the
    // same addresses are come to from elsewhere, where reading begins at the top.
    @Test func `the answer of a form that asks is led to`() async throws {
        try await ConsoleFixture.with { console in
            let roles = [Role.responder, .auditor, .admin].map { RoleGrant($0, in: .all) }
            let otto = try await console.browser(of: "otto", roles)
            let first = try await console.raise(.ios, to: dotted("3.0.0"), by: otto)
            let last = try await console.raise(.ios, to: dotted("3.2.0"), by: otto)
            for (path, query) in [
                ("/", "app=harbour"), ("/changes", "tab=all&app=harbour"),
                ("/changes", "tab=all&state=rejected"), ("/history", "app=harbour"),
                ("/history", "app=harbour&field=ios.minimumApp.value"), ("/people", "app=harbour"),
                ("/reviews", "app=harbour"), ("/log", "event=1"),
                ("/apps/harbour/compare", "from=event:\(first)&to=event:\(last)"),
                ("/apps/harbour/preview", "platform=ios&from=live"),
                ("/apps/harbour/documents/ios", "event=\(first)"),
                ("/apps/harbour/rollback", "to=event&value=\(first)"),
            ] {
                let address = "\(path)?\(query)"
                let text = try await otto.page(address, from: path).text
                let parts = text.split(separator: " autofocus>", omittingEmptySubsequences: false)
                #expect(parts.count == 2, "\(address): \(text)")
                #expect(parts[0].contains("method=\"get\""), "\(address)")
                #expect(parts[0].hasSuffix("<h2 tabindex=\"-1\""), "\(address)")
                for former in ["/keys", address, nil] {
                    let page = try await otto.page(address, from: former)
                    #expect(!page.text.contains("autofocus"), "\(address) from \(former ?? "")")
                }
            }
        }
    }

    @Test func `who is refused begins with why`() async throws {
        try await ConsoleFixture.with { console in
            let otto = try await console.browser(of: "otto", [RoleGrant(.auditor, in: .all)])
            for address in ["/changes?state=lost", "/history?since=soon"] {
                let page = try await otto.page(address, from: "/history")
                let again = try await otto.page(address, from: "/changes")
                for page in [page, again] {
                    #expect(page.text.contains("role=\"alert\""), "\(page.text)")
                    #expect(!page.text.contains("autofocus"))
                }
            }
        }
    }

    // Goal: in every row of a list what the row is about is read with each of its cells.
    @Test(arguments: [
        "/changes?tab=all", "/history?app=harbour", "/sessions",
        "/history?app=harbour&field=ios.minimumApp.value",
    ])
    func `each row of a list has a head`(_ address: String) async throws {
        try await ConsoleFixture.with { console in
            let roles = [Role.responder, .auditor].map { RoleGrant($0, in: .all) }
            let otto = try await console.browser(of: "otto", roles)
            _ = try await console.raise(.ios, to: dotted("3.0.0"), by: otto)
            let text = try await otto.page(address).text
            let body = try #require(text.split(separator: "<tbody>").dropFirst().first)
            let rows = body.split(separator: "</tbody>")[0].split(separator: "</tr>")
                .filter { $0.contains("<tr>") }
            #expect(!rows.isEmpty, "\(text)")
            for row in rows {
                #expect(row.ranges(of: "<th scope=\"row\"").count == 1, "\(row)")
            }
        }
    }
}
