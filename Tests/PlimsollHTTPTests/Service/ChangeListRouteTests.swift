import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Changes found again, by who proposed them and what they are about.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ChangeListRouteTests {
    private static let onAndroid: JSONValue = .array(texts("Update the app."))
    private static let onBoth: JSONValue = .array(
        texts("Update it.") + (Edits.calm.array ?? [])
    )

    private static func texts(_ words: String) -> [JSONValue] {
        ["en-GB", "en"].map { language in
            [
                "op": "setText", "platform": "android", "threshold": "minimumApp",
                "part": "description", "language": .string(language), "text": .string(words),
            ]
        }
    }

    /// The changes that filters find, page by page.
    private func found(_ filters: String..., on service: ServiceFixture) async throws -> [String] {
        let query = filters.filter { !$0.isEmpty }.map { "&\($0)" }.joined()
        var ids: [String] = []
        var cursor = ""
        repeat {
            let page = try await service.send(
                .get,
                "/v1/apps/harbour/changes?limit=1\(query)\(cursor)",
                as: .viewer
            )
            #expect(page.status == .ok, "\(page)")
            ids += (page.json["changes"]?.array ?? []).compactMap { $0["id"]?.string }
            cursor = page.json["next"]?.string.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty && ids.count < 20
        return ids
    }

    // Goal: a filter finds open changes and closed ones alike, now and as they stood. Method: two
    // people, two platforms; one change is applied, one rejected, one is on both and open.
    @Test func `changes are found by author and platform`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1.0"))
            let android = try await service.propose(Self.onAndroid)
            let rejected = try await service.send(
                .post,
                "/v1/changes/\(try #require(android.json["id"]?.string))/reject",
                as: .approver,
                ["reason": "Not now"],
                headers: [.ifMatch: android.tag]
            )
            #expect(rejected.status == .ok)
            #expect(try await service.propose(Self.onBoth).status == .created)
            let blocked = try await service.send(
                .post,
                "/v1/apps/harbour/block",
                as: .responder,
                ["platform": "ios", "below": "3.2.0", "reason": "It loses data"]
            )
            #expect(blocked.status == .ok, "\(blocked)")
            let (alice, rita) = (
                try await service.principal(.proposer), try await service.principal(.responder)
            )
            let end = "event=\(try await service.head())"
            for moment in ["", end] {
                for (query, ids) in [
                    ("", ["4", "3", "2", "1"]), ("platform=ios", ["4", "3", "1"]),
                    ("platform=android", ["3", "2"]), ("platform=jvm", []),
                    ("platform=ios&platform=android", ["4", "3", "2", "1"]),
                    ("author=\(alice)", ["3", "2", "1"]), ("author=\(rita)", ["4"]),
                    ("author=\(rita)&author=\(alice)&platform=android", ["3", "2"]),
                    ("author=\(rita)&platform=android", []),
                    ("state=rejected&platform=android", ["2"]),
                    ("state=proposed&platform=ios", ["3"]),
                    ("author=\(alice)&state=applied&platform=ios", ["1"]),
                ] {
                    #expect(try await found(query, moment, on: service) == ids, "\(query)")
                }
            }
        }
    }

    @Test func `what needs somebody is narrowed in the same way`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.propose(Self.onAndroid)
            _ = try await service.propose(Edits.minimum("3.1.0"))
            let path = "/v1/apps/harbour/changes?needsMe=true"
            for (query, count) in [("", 2), ("&platform=android", 1), ("&platform=macos", 0)] {
                let list = try await service.send(.get, path + query, as: .approver)
                #expect(list.json["changes"]?.array?.count == count, "\(query)")
            }
        }
    }

    @Test func `a filter that is none is refused, and a cursor counts for its own question`()
        async throws
    {
        try await ServiceFixture.with { service in
            for version in ["3.1.0", "3.2.0"] {
                _ = try await service.propose(Edits.minimum(version))
            }
            let path = "/v1/apps/harbour/changes?limit=1"
            for (name, value) in [("author", "nobody"), ("platform", "palm")] {
                let answer = try await service.send(.get, "\(path)&\(name)=\(value)", as: .viewer)
                #expect(answer.status == .badRequest)
                #expect(answer.faultyParameters == [name])
            }
            let first = try await service.send(.get, "\(path)&platform=ios", as: .viewer)
            let cursor = try #require(first.json["next"]?.string)
            for query in ["", "&platform=android", "&platform=ios&platform=jvm"] {
                let answer = try await service.send(
                    .get,
                    "\(path)\(query)&cursor=\(cursor)",
                    as: .viewer
                )
                #expect(answer.faultyParameters == ["cursor"], "\(query)")
            }
        }
    }
}
