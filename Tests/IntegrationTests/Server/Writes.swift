import PlimsollAPI
import PlimsollJSON
import Testing

/// A write that a service says it has.
struct Write: Sendable {
    let name: String
    let method: WebRequest.Method
    let template: String
    /// Whether it has to say which change it has seen.
    let bindsToDigest: Bool

    /// The address on the sample app, on a change and on somebody else's token.
    func path(of proposed: Reply, _ team: Team) async throws -> String {
        var path = template.replacing("{app}", with: "harbour")
        if path.contains("{change}") {
            path.replace("{change}", with: try #require(proposed.json["id"]?.string))
        }
        if path.contains("{position}") {
            let token = try team.server.fixture.adminToken()
            let reviews = try await team.server.list("/v1/reviews", as: token)
            let review = reviews.json["reviews"]?.array?.first?["position"]?.integer
            path.replace("{position}", with: String(try #require(review, "there is no review")))
        }
        path.replace("{platform}", with: "ios")
        path.replace("{marketplace}", with: "harbour")
        path.replace("{version}", with: "77")
        path.replace("{entryKey}", with: String(repeating: "0", count: 32))
        if path.contains("{webhook}") {
            let admin = try team.server.fixture.adminToken()
            let list = try await team.server.list("/v1/webhooks", as: admin)
            let id = list.json["webhooks"]?.array?.first?["id"]?.string
            path.replace("{webhook}", with: try #require(id, "there is no webhook"))
        }
        if path.contains("{key}") {
            let keys = try await team.server.send(.get, "/v1/keys", as: team.proposer)
            let key = keys.json["keys"]?.array?.first?["id"]?.string
            path.replace("{key}", with: try #require(key, "there is no key"))
        }
        for member in ["token", "principal"] where path.contains("{\(member)}") {
            let identity = try await team.server.send(.get, "/v1/me", as: team.proposer)
            path.replace("{\(member)}", with: try #require(identity.json[member]?.string))
        }
        return path
    }

    func headers(for proposed: Reply) -> [(name: String, value: String)] {
        bindsToDigest ? [("If-Match", proposed.answer.header("ETag") ?? "")] : []
    }
}

extension RunningServer {
    /// Every write there is, as the service describes itself: what can be tried with `dryRun`.
    func writes() async throws -> [Write] {
        let description = try await send(.get, "/openapi.json", as: nil).json
        let paths = try #require(description["paths"]?.object)
        return try paths.members.flatMap { path in
            try (path.value.object?.members ?? []).compactMap { operation in
                let parameters = operation.value["parameters"]?.array ?? []
                guard parameters.contains(where: { $0["name"] == "dryRun" }) else { return nil }
                return Write(
                    name: try #require(operation.value["operationId"]?.string),
                    method: try #require(
                        WebRequest.Method(rawValue: operation.key.uppercased())
                    ),
                    template: path.key,
                    bindsToDigest: parameters.contains {
                        $0["name"] == "If-Match"
                            && $0["schema"]?["pattern"]?.string?.contains("{64}") == true
                    }
                )
            }
        }
    }
}
