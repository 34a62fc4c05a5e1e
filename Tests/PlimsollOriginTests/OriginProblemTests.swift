import PlimsollAPI
import PlimsollJSON
import PlimsollOrigin
import PlimsollTestSupport
import Testing

/// What an origin cannot take or does not have.
@Suite(.timeLimit(.minutes(1))) struct OriginProblemTests {
    @Test(arguments: [
        (WebRequest.Method.put, "/origin/edges/nobody", "{}", 404, ProblemCode.notFound, ""),
        (.put, "/origin/edges/{id}", "{}", 422, .invalidRequest, "/name"),
        (.put, "/origin/edges/{id}", "no JSON", 422, .invalidRequest, ""),
        (.put, "/origin/edges/{id}", "long", 413, .tooLarge, ""),
        (.get, "/origin/digests/00", "", 404, .notFound, ""),
        (.get, "/distribution/nothing/manifest.json", "", 404, .notFound, ""),
        (.get, "/origin/nothing", "", 404, .notFound, ""),
    ])
    func `whatever an origin refuses is a problem`(
        method: WebRequest.Method,
        path: String,
        body: String,
        status: Int,
        code: ProblemCode,
        pointer: String
    ) async throws {
        let top = TreeEdge(trusting: try SnapshotBuilder().trusted)
        try await top.listening { port in
            let path = path.replacing("{id}", with: EdgeID().text)
            let sent = body == "long" ? [UInt8](repeating: 0x20, count: 70_000) : Array(body.utf8)
            let url = "http://127.0.0.1:\(port)\(path)"
            let answer = try await Transport.with { transport in
                try await transport.send(WebRequest(method, url, body: body.isEmpty ? nil : sent))
            }
            #expect(answer.status == status)
            #expect(answer.header("content-type") == "application/problem+json")
            #expect(answer.header("cache-control") == "no-store")
            let json = try JSONValue(parsing: answer.body)
            #expect(json["type"]?.string == code.type)
            #expect(json["status"]?.integer == Int64(status))
            #expect(json["instance"]?.string == path)
            guard !pointer.isEmpty else { return }
            let pointers = json["errors"]?.array?.compactMap { $0["pointer"]?.string }
            #expect(pointers?.contains(pointer) == true, "\(json)")
        }
    }
}
