import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Synchronization
import Testing

struct AdminClientTests {
    private let change = """
        {"id": "17", "app": "harbour", "title": "Raise it", "author": \
        "6f9619ff-8b86-4d01-b42d-00c04fc964ff", "state": "proposed", "base": 42, \
        "proposedAt": "2026-11-21T08:00:00.000Z", "position": 44, "inConflict": false, \
        "reason": null, \
        "operations": [], "effect": [{"field": "ios.minimumApp.value", "before": "3.1.0", \
        "after": "3.2.0"}], "digest": null, "approvals": [], "rejection": null, \
        "decidedAt": null, "remarks": [], "schedule": null, "suspension": null, "term": null, \
        "missing": [], "missingAtTime": [], "conflicts": [], "checks": [], "notes": [], \
        "blocked": [], "counted": [], "overtaken": [], "supersedes": [], "tomorrow": true}
        """

    @Test func `an answer may say more than this program knows`() async throws {
        let json = change
        try await Answering.with(.ok, json) { client, server in
            let answer = try await client.call(Endpoints.getChange, try #require(ChangeID("17")))
            #expect(answer.summary.state == .proposed)
            #expect(answer.effect.map(\.field.path) == ["ios.minimumApp.value"])
            #expect(server.seen.map(\.path) == ["/v1/changes/17"])
            #expect(server.seen.first?.headers["authorization"] == "Bearer plm_test")
        }
    }

    @Test func `a decision names the digest, the key and the dry run`() async throws {
        let json = change
        try await Answering.with(.ok, json) { client, server in
            let digest = try #require(ChangeDigest(hex: String(repeating: "a", count: 64)))
            _ = try await client.call(
                Endpoints.approveChange,
                try #require(ChangeID("17")),
                seen: digest,
                ApprovalForm(comment: try Reason(validating: "Seen")),
                WriteOptions(.dryRun, idempotencyKey: "once")
            )
            let request = try #require(server.seen.first)
            #expect(request.method == "POST")
            #expect(request.path == "/v1/changes/17/approve?dryRun=true")
            #expect(request.headers["if-match"] == "\"\(digest)\"")
            #expect(request.headers["idempotency-key"] == "once")
            #expect(request.headers["content-type"] == "application/json")
            #expect(request.text == #"{"comment":"Seen"}"#)
        }
    }

    @Test func `a refusal keeps everything that stands in the way`() async throws {
        let problem = Problem(
            .conflict,
            detail: "Two things stand in the way.",
            errors: [
                .init(at: .body("/base"), code: "changedSince", detail: "It moved."),
                .init(at: nil, code: "ownWork", detail: "It is yours.", remedy: "Ask."),
            ]
        )
        try await Answering.with(.conflict, String(decoding: problem.bytes, as: UTF8.self)) {
            client,
            _ in
            let error = await #expect(throws: AdminError.self) {
                try await client.call(Endpoints.listApps)
            }
            #expect(error?.problem == problem)
            #expect(error?.status == 409)
            #expect(error?.leavesOutcomeOpen == false)
        }
    }

    @Test(arguments: [
        (ProblemCode.logBehind, false), (.logForked, false), (.unavailable, true),
        (.internalError, true),
    ])
    func `a write is known not to have happened where the service reads only`(
        _ code: ProblemCode,
        _ isOpen: Bool
    ) async throws {
        let problem = Problem(code, detail: "No.")
        let status = HTTPResponse.Status(code: problem.status)
        try await Answering.with(status, String(decoding: problem.bytes, as: UTF8.self)) {
            client,
            _ in
            let error = await #expect(throws: AdminError.self) {
                try await client.call(Endpoints.listApps)
            }
            #expect(error?.leavesOutcomeOpen == isOpen)
        }
    }

    @Test(arguments: [
        ("<html>nginx</html>", HTTPResponse.Status.badGateway),
        ("", .notFound), ("[]", .ok), ("{}", .ok), ("not JSON", .ok),
        (#"{"type": "/problems/stale", "title": "No", "status": 412}"#, .conflict),
    ])
    func `what is no answer of the administration is not understood`(
        _ body: String,
        _ status: HTTPResponse.Status
    ) async throws {
        try await Answering.with(status, body) { client, _ in
            let error = await #expect(throws: AdminError.self) {
                try await client.call(Endpoints.listApps)
            }
            guard case .notUnderstood(let code, _) = error?.kind else {
                Issue.record("the error is \(String(describing: error))")
                return
            }
            #expect(code == status.code)
            #expect(error?.description.contains("JSONIssue") == false)
        }
    }

    @Test func `a redirect is not followed with the token`() async throws {
        let headers: HTTPFields = [.location: "/elsewhere"]
        try await Answering.with(.found, "", headers: headers) { client, server in
            let error = await #expect(throws: AdminError.self) {
                try await client.call(Endpoints.listApps)
            }
            #expect(error?.status == 302)
            #expect(server.seen.map(\.path) == ["/v1/apps"])
        }
    }

    @Test func `an endless answer is cut off`() async throws {
        let body = String(repeating: " ", count: 4096)
        let limits = Transport.Limits(bytesMaximum: 1024)
        try await Answering.with(.ok, body, limits: limits) { client, _ in
            let error = await #expect(throws: AdminError.self) {
                try await client.call(Endpoints.listApps)
            }
            #expect(error?.kind == .answerTooLarge(maximum: 1024))
        }
    }

    @Test func `a refused connection names the address and the cause`() async throws {
        // Port 9 is left to a service that nobody runs.
        let address = try #require(ServiceAddress("http://127.0.0.1:9"))
        try await Transport.with { transport in
            let client = AdminClient(at: address, token: nil, over: transport)
            let error = await #expect(throws: AdminError.self) {
                try await client.call(Endpoints.getHealth)
            }
            #expect(error?.kind == .unreachable("the connection was refused"))
            #expect(error?.description.contains("http://127.0.0.1:9") == true)
        }
    }

    /// A client of a server that ends so many connections before it answers.
    private func hangingUp(
        _ times: Int,
        answer: String,
        _ body: (AdminClient, ScriptedServer) async throws -> Void
    ) async throws {
        let whole = "HTTP/1.1 200 OK\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)"
        let asked = Atomic(0)
        try await ScriptedServer.with(
            { _ in
                let number = asked.add(1, ordering: .relaxed).newValue
                return number <= times ? .hangUp : .bytes(Array(whole.utf8))
            },
            { server, port in
                let address = try #require(ServiceAddress("http://127.0.0.1:\(port)"))
                try await Transport.with { transport in
                    let client = AdminClient(at: address, token: "plm_test", over: transport)
                    try await body(client, server)
                }
            }
        )
    }

    @Test func `a connection that ends before the answer is made again, twice, with the same key`()
        async throws
    {
        let json = change
        try await hangingUp(2, answer: json) { client, server in
            let id = try #require(ChangeID("17"))
            let digest = try #require(ChangeDigest(hex: String(repeating: "a", count: 64)))
            let form = ApprovalForm(comment: nil)
            _ = try await client.call(
                Endpoints.approveChange,
                id,
                seen: digest,
                form,
                WriteOptions()
            )
            #expect(server.requests.count == 3)
            #expect(Set(server.requests.map(\.text)).count == 1)
        }
        try await hangingUp(.max, answer: json) { client, server in
            let error = await #expect(throws: AdminError.self) {
                try await client.call(Endpoints.listApps)
            }
            #expect(error?.leavesOutcomeOpen == true)
            #expect(server.requests.count == 3)
        }
    }

    // Goal: a write that may have happened is never told as one that did not. Method: the connection
    // breaks; whatever is answered next is of somebody who did not look at the write, or who did.
    @Test(arguments: [
        (nil, true), (ProblemCode.tooManyRequests, true), (.logBehind, true),
        (.unauthenticated, true), (.conflict, false), (.keyReused, false),
    ])
    func `what became of a write stays open where it is not heard of again`(
        _ code: ProblemCode?,
        _ isOpen: Bool
    ) async throws {
        let address = try #require(ServiceAddress("http://127.0.0.1:9"))
        func error(of ask: (AdminClient) async throws -> Void) async throws -> AdminError {
            let client = AdminClient(at: address, token: nil, over: Breaking(code))
            return try #require(await #expect(throws: AdminError.self) { try await ask(client) })
        }
        let write = try await error { client in
            let id = try #require(ChangeID("17"))
            let form = CommentForm(comment: try Reason(validating: "Seen"))
            _ = try await client.call(Endpoints.commentOnChange, id, form)
        }
        #expect(write.leavesOutcomeOpen == isOpen)
        let cause = code.map { Problem($0, detail: "No.").title } ?? "refused"
        #expect(write.description.contains(cause))
        #expect(write.description.contains("hung up") == isOpen)
        let read = try await error { _ = try await $0.call(Endpoints.listApps) }
        #expect(!read.leavesOutcomeOpen)
    }

    @Test func `a filter is written into the query, reserved characters and all`() async throws {
        try await Answering.with(.ok, #"{"events": [], "next": null}"#) { client, server in
            var filter = EventFilter()
            filter.apps = [try #require(AppSlug("harbour"))]
            filter.types = ["TextSet", "ThresholdSet"]
            filter.since = .time(try #require(Instant(rfc3339: "2026-11-21T08:00:00Z")))
            filter.until = .position(Position(57))
            let page = PageOptions(limit: 5, after: "a+b/c=")
            _ = try await client.events(filter, page)
            #expect(
                server.seen.map(\.path) == [
                    "/v1/events?app=harbour&type=TextSet&type=ThresholdSet"
                        + "&since=2026-11-21T08%3A00%3A00.000Z&until=57&limit=5&cursor=a%2Bb%2Fc%3D"
                ]
            )
        }
    }

    @Test func `a token without a body of an answer is revoked`() async throws {
        let id = "6f9619ff-8b86-4d01-b42d-00c04fc964ff"
        try await Answering.with(.noContent, "") { client, server in
            try await client.call(Endpoints.revokeToken, try #require(TokenID(id)), EmptyForm())
            #expect(server.seen.map(\.method) == ["DELETE"])
            #expect(server.seen.map(\.path) == ["/v1/tokens/\(id)"])
        }
    }

    @Test func `without a token none is shown`() async throws {
        try await Answering.with(.ok, #"{"status": "alive"}"#, token: nil) { client, server in
            let health = try await client.call(Endpoints.getHealth)
            #expect(health == .alive)
            #expect(server.seen.first?.headers["authorization"] == nil)
        }
    }
}

/// A connection that ends before the first answer; then there is none, or it answers with a problem.
private final class Breaking: AdminTransport {
    private let code: ProblemCode?
    private let count = Atomic(0)

    init(_ code: ProblemCode?) { self.code = code }

    func send(_ request: WebRequest) async throws(AdminError) -> WebAnswer {
        guard count.add(1, ordering: .relaxed).newValue > 1 else {
            throw AdminError(.interrupted("it hung up"), url: request.url)
        }
        guard let code else { throw AdminError(.unreachable("refused"), url: request.url) }
        let problem = Problem(code, detail: "No.")
        return WebAnswer(status: problem.status, headers: [], body: problem.bytes)
    }

    func lines(
        of request: WebRequest,
        _ take: (String) async throws(AdminError) -> Void
    ) async throws(AdminError) -> WebAnswer? { nil }
}
