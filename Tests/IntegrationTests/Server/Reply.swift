import PlimsollAPI
import PlimsollJSON
import Testing

/// What the administration answered.
struct Reply: Sendable {
    let answer: WebAnswer
    /// Null where the body is no JSON.
    let json: JSONValue

    init(_ answer: WebAnswer) throws {
        self.answer = answer
        let isJSON = answer.header("Content-Type")?.hasSuffix("json") ?? false
        json =
            isJSON && !answer.body.isEmpty
            ? try JSONValue(parsing: answer.body, limits: JSONLimits(sizeMaximum: 32 << 20)) : .null
    }

    var status: Int { answer.status }

    var codes: [String] { (json["errors"]?.array ?? []).compactMap { $0["code"]?.string } }
}

extension RunningServer {
    /// Sends a request to the administration; `nil` for nobody's.
    func send(
        _ method: WebRequest.Method,
        _ path: String,
        as token: String?,
        _ body: JSONValue? = nil,
        headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        var headers = headers
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        let request = WebRequest(
            method,
            "http://\(try rest())\(path)",
            headers: headers,
            body: body?.canonicalBytes()
        )
        return try Reply(try await fixture.transport.send(request))
    }

    /// Lets somebody in, who may do these things on all apps.
    func admit(_ name: String, _ roles: String..., by token: String? = nil) async throws -> String {
        let body: JSONValue = [
            "name": .string(name), "roles": .array(roles.map { ["role": .string($0)] }),
        ]
        let author = try token ?? fixture.adminToken()
        let reply = try await send(.post, "/v1/tokens", as: author, body)
        try #require(reply.status == 201)
        return try #require(reply.json["token"]?.string)
    }

    /// Where the log of the sample app stands.
    func head() async throws -> Int64 {
        let reply = try await send(.get, "/v1/apps/harbour", as: try fixture.adminToken())
        return try #require(reply.json["position"]?.integer)
    }

    func propose(
        _ operations: JSONValue,
        titled title: String = "A change",
        base: Int64? = nil,
        as token: String,
        key: String? = nil
    ) async throws -> Reply {
        let head = if let base { base } else { try await head() }
        let body: JSONValue = [
            "title": .string(title), "reason": "A test needs it.", "base": .integer(head),
            "operations": operations,
        ]
        return try await send(
            .post,
            "/v1/apps/harbour/changes",
            as: token,
            body,
            headers: key.map { [("Idempotency-Key", $0)] } ?? []
        )
    }

    /// Decides on a change as it was seen in the reply to its proposal.
    func decide(
        _ verb: String,
        on proposed: Reply,
        as token: String,
        _ body: JSONValue = [:],
        key: String? = nil
    ) async throws -> Reply {
        let id = try #require(proposed.json["id"]?.string)
        let digest = try #require(proposed.json["digest"]?.string)
        return try await send(
            .post,
            "/v1/changes/\(id)/\(verb)",
            as: token,
            body,
            headers: [("If-Match", "\"\(digest)\"")] + (key.map { [("Idempotency-Key", $0)] } ?? [])
        )
    }

    /// A page of a list, or one thing of it, as soon as the read models have all that was written.
    func list(_ path: String, as token: String) async throws -> Reply {
        let page = try await eventually("the read models have everything") {
            let page = try await send(.get, path, as: token)
            return page.status == 503 ? nil : page
        }
        try #require(page.status == 200, "\(page.json)")
        return page
    }

    /// Every event of the log, oldest first.
    func events(_ query: String = "", as token: String) async throws -> [JSONValue] {
        var events: [JSONValue] = []
        var cursor: String?
        repeat {
            let path = "/v1/events?limit=1000\(query)" + (cursor.map { "&cursor=\($0)" } ?? "")
            let page = try await list(path, as: token)
            events += page.json["events"]?.array ?? []
            cursor = page.json["next"]?.string
        } while cursor != nil
        return events.reversed()
    }
}

/// Edits that tests propose.
enum Edits {
    static func setValue(_ platform: String, _ threshold: String, _ value: JSONValue) -> JSONValue {
        [
            "op": "setValue", "platform": .string(platform), "threshold": .string(threshold),
            "value": value,
        ]
    }

    static func setText(
        _ platform: String,
        _ part: String,
        _ language: String,
        _ text: String
    ) -> JSONValue {
        [
            "op": "setText", "platform": .string(platform), "threshold": "minimumApp",
            "part": .string(part), "language": .string(language), "text": .string(text),
        ]
    }
}
