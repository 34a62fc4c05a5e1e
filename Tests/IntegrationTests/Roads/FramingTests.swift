import Foundation
import PlimsollAPI
import Testing

extension ServiceTests {
    /// Requests that are not as HTTP/1.1 has them, on real connections.
    @Suite struct FramingTests {
        private struct Attempt {
            var path = "/v1/freeze"
            let head: [String]
            var body = ""
            var hangsUp = false
            let status: Int
        }

        private static let json = "Content-Type: application/json"
        /// A page that anybody may send a form to.
        private static let signIn = "/sign-in"

        private static let attempts: [Attempt] = [
            Attempt(head: ["Transfer-Encoding: x"], body: "{}", status: 400),
            Attempt(head: ["Transfer-Encoding: chunked, x"], body: "0\r\n\r\n", status: 400),
            Attempt(head: ["Transfer-Encoding: chunked"], body: "zz\r\n", status: 400),
            Attempt(head: ["Transfer-Encoding: chunked"], body: "2\n{}\n0\n\n", status: 400),
            Attempt(
                head: ["Transfer-Encoding: chunked", "Content-Length: 2"],
                body: "2\r\n{}\r\n0\r\n\r\n",
                status: 400
            ),
            Attempt(head: ["Content-Length: 2", "Content-Length: 3"], body: "{}", status: 400),
            Attempt(head: ["Content-Length: +2"], body: "{}", status: 400),
            Attempt(head: ["Content-Length: 2\nX: y"], body: "{}", status: 400),
            Attempt(head: ["Host: there", "Content-Length: 2"], body: "{}", status: 400),
            Attempt(head: ["Content-Length: 40"], body: "{", hangsUp: true, status: 400),
            Attempt(
                head: ["Content-Length: 2", "Content-Encoding: gzip"],
                body: "{}",
                status: 415
            ),
            Attempt(
                head: ["Content-Length: 2", "Content-Encoding: identity"],
                body: "{}",
                status: 422
            ),
            Attempt(
                path: signIn,
                head: ["Transfer-Encoding: chunked"],
                body: "zz\r\n",
                status: 400
            ),
            Attempt(
                path: signIn,
                head: ["Content-Length: 40"],
                body: "_",
                hangsUp: true,
                status: 400
            ),
        ]

        @Test func `what is no whole request is the client's fault, and no line of errors`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let token = try fixture.adminToken()
                    for attempt in Self.attempts {
                        let head =
                            [
                                "POST \(attempt.path) HTTP/1.1", "Host: here", Self.json,
                                "Authorization: Bearer \(token)", "Connection: close",
                            ] + attempt.head
                        let client = try await RawClient.connect(to: try server.rest())
                        let answer = try await client.exchange(
                            head.joined(separator: "\r\n") + "\r\n\r\n" + attempt.body,
                            hangingUp: attempt.hangsUp
                        )
                        #expect(
                            answer.hasPrefix("HTTP/1.1 \(attempt.status) "),
                            "\(attempt): \(answer)"
                        )
                        let answers = answer.components(separatedBy: "HTTP/1.1 4").count - 1
                        #expect(answers == 1, "\(attempt): \(answer)")
                    }
                    let log = try fixture.logText()
                    // A busy machine may keep the exporter waiting for its lease.
                    let errors = log.split(separator: "\n").filter { $0.contains(" error ") }
                    #expect(errors.allSatisfy { $0.contains("the exporter cannot work") }, "\(log)")
                    #expect(!log.contains("Request failed"))
                }
            }
        }

        @Test func `a client that goes away in the middle of a body leaves no line of errors`()
            async throws
        {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    let token = try fixture.adminToken()
                    let head = [
                        "POST /v1/freeze HTTP/1.1", "Host: here", Self.json,
                        "Authorization: Bearer \(token)", "Content-Length: 100",
                        "X-Request-Id: gone",
                    ]
                    let client = try await RawClient.connect(to: try server.rest())
                    try await client.leave(
                        after: head.joined(separator: "\r\n") + "\r\n\r\n{"
                    )
                    try await eventually("the line of the request") {
                        try fixture.logText().contains("request.id=gone") ? true : nil
                    }
                    #expect(!(try fixture.logText()).contains("Request failed"))
                }
            }
        }

        private static let spellings = [
            "//v1/apps", "/v1//apps", "/v1/apps//", "//v1///apps", "/v1/apps//harbour", "//readyz",
            "//",
        ]

        @Test func `an address has one spelling`() async throws {
            try await ServerFixture.with { fixture in
                try await fixture.run { server in
                    for path in Self.spellings {
                        let head = [
                            "GET \(path) HTTP/1.1", "Host: here", "Connection: close",
                            "Authorization: Bearer \(try fixture.adminToken())",
                        ]
                        let client = try await RawClient.connect(to: try server.rest())
                        let answer = try await client.exchange(
                            head.joined(separator: "\r\n") + "\r\n\r\n"
                        )
                        #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(path): \(answer)")
                    }
                }
            }
        }
    }
}
