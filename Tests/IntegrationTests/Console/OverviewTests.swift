import PlimsollAPI
import PlimsollJSON
import Testing

extension ServiceTests {
    /// The overview as the service writes it, without a browser.
    @Suite struct OverviewTests {
        // Goal: no app hides the reviews of another. Method: more of the first app's than a list has, and
        // then one of a second app.
        @Test func `of each app its own reviews are counted, and more than are listed say so`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let responder = try await server.admit("dora", "responder")
                    try await server.command(
                        ["apps", "register", "tender", "--name", "Tender", "--platform", "ios"]
                            + ["--language", "en", "--fallback", "en"],
                        as: try fixture.adminToken()
                    )
                    let versions = (1...51).map { ("harbour", "90.\($0)") } + [("tender", "1.0")]
                    for (app, version) in versions {
                        let block: JSONValue = [
                            "platform": "ios", "below": .string(version), "reason": "Broken",
                        ]
                        let path = "/v1/apps/\(app)/block"
                        let done = try await server.send(.post, path, as: responder, block)
                        #expect(done.status == 200, "\(app) \(version)")
                    }
                    let page = try await server.page("/", as: responder)
                    #expect(page.contains("<a href=\"/reviews?app=harbour\">50+ open reviews</a>"))
                    #expect(page.contains("<a href=\"/reviews?app=tender\">1 open review</a>"))
                }
            }
        }
    }
}

extension RunningServer {
    /// A page of the console, as a browser is given it that signs in with a token.
    fileprivate func page(_ path: String, as token: String) async throws -> String {
        let root = "http://\(try rest())"
        let entered = try await fixture.transport.send(
            WebRequest(
                .post,
                root + "/sign-in",
                headers: [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("_token=\(token)".utf8)
            )
        )
        let cookie = try #require(entered.header("Set-Cookie")?.split(separator: ";").first)
        let answer = try await fixture.transport.send(
            WebRequest(
                .get,
                root + path,
                headers: [("Accept", "text/html"), ("Cookie", String(cookie))]
            )
        )
        #expect(answer.status == 200)
        return String(decoding: answer.body, as: UTF8.self)
    }
}
