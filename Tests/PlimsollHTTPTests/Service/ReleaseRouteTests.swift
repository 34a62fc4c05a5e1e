import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// The versions that are known to exist, over REST.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ReleaseRouteTests {
    private static let list = "/v1/apps/harbour/releases"
    private static let path = "\(list)/ios/3.2.0"
    private static let facts: JSONValue = ["build": "412", "os": "15.0"]

    private func versions(
        _ service: ServiceFixture,
        _ query: String = ""
    ) async throws -> [JSONValue] {
        let answer = try await service.send(.get, Self.list + query, as: .viewer)
        return (answer.json["releases"]?.array ?? []).compactMap { $0["version"] }
    }

    @Test func `a job that runs twice registers once`() async throws {
        try await ServiceFixture.with { service in
            let first = try await service.send(.put, Self.path, as: .proposer, Self.facts)
            #expect(first.status == .ok)
            #expect(first.json["version"] == "3.2.0" && first.json["os"] == "15.0")
            #expect(first.json["store"] == .null && first.json["liveSince"] == .null)
            let end = try await service.logEnd()
            for path in [Self.path, "\(Self.list)/ios/3.2"] {
                let again = try await service.send(.put, path, as: .admin, Self.facts)
                #expect(again.status == .ok)
                #expect(again.json["build"] == "412")
                #expect(again.json["version"] == "3.2.0")
            }
            let other = try await service.send(.put, Self.path, as: .proposer, ["os": "16.0"])
            #expect(other.status == .conflict)
            #expect(other.codes == ["releaseExists"])
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `what is amended and withdrawn is told, now and as it was`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.send(.put, Self.path, as: .proposer, Self.facts)
            let registered = try await service.head()
            let amend = "\(Self.path)/amend"
            let body: JSONValue = ["os": "16.0", "unset": ["build"]]
            let amended = try await service.send(.post, amend, as: .proposer, body)
            #expect(amended.json["os"] == "16.0" && amended.json["build"] == .null)
            let end = try await service.logEnd()
            let again = try await service.send(.post, amend, as: .proposer, body)
            #expect(again.json == amended.json)
            #expect(try await service.logEnd() == end)
            _ = try await service.send(.put, "\(Self.list)/android/320", as: .proposer, [:])
            #expect(try await versions(service) == [320, "3.2.0"])
            #expect(try await versions(service, "?platform=ios") == ["3.2.0"])
            for _ in 1...2 {
                let gone = try await service.send(.delete, Self.path, as: .proposer)
                #expect(gone.status == .noContent)
            }
            #expect(try await versions(service) == [320])
            let then = try await service.send(
                .get,
                "\(Self.list)?event=\(registered)",
                as: .viewer
            )
            #expect(then.json["position"] == .integer(registered))
            #expect(then.json["releases"]?.array?.map { $0["os"] } == ["15.0"])
        }
    }

    @Test func `a version code has a name, and a version that people read has none`() async throws {
        try await ServiceFixture.with { service in
            let path = "\(Self.list)/android/320"
            let facts: JSONValue = ["name": "3.2.0", "liveSince": "2026-11-21T08:00:00Z"]
            let named = try await service.send(.put, path, as: .proposer, facts)
            #expect(named.json["name"] == "3.2.0")
            let amend = "\(path)/amend"
            let body: JSONValue = ["unset": ["name"]]
            let bare = try await service.send(.post, amend, as: .proposer, body)
            #expect(bare.status == .ok && bare.json["name"] == .null)
            let short = try await service.send(.post, amend, as: .proposer, ["name": "3.2"])
            #expect(short.status == .unprocessableContent)
            let apple = try await service.send(.put, Self.path, as: .proposer, ["name": "3.2.0"])
            #expect(apple.codes == ["nameUnneeded"])
        }
    }

    @Test(arguments: [
        ("ios/3.2.0.1", HTTPResponse.Status.notFound, "versionUnknown"),
        ("ios/x", .notFound, "versionUnknown"), ("android/3.2.0", .notFound, "versionUnknown"),
        ("android/0", .notFound, "versionUnknown"),
        ("windows/3.2.0", .notFound, "platformUnknown"),
        ("macos/3.2.0", .notFound, "platformNotKept"),
    ])
    func `an address that names no release is not found`(
        _ place: String,
        _ status: HTTPResponse.Status,
        _ code: String
    ) async throws {
        try await ServiceFixture.with { service in
            let path = "\(Self.list)/\(place)"
            let answer = try await service.send(.put, path, as: .proposer, [:])
            #expect(answer.status == status)
            #expect(answer.codes == [code])
        }
    }

    @Test func `what nobody registered is neither amended nor withdrawn`() async throws {
        try await ServiceFixture.with { service in
            let amended = try await service.send(
                .post,
                "\(Self.path)/amend",
                as: .proposer,
                ["os": "16.0"]
            )
            let withdrawn = try await service.send(.delete, Self.path, as: .proposer)
            for answer in [amended, withdrawn] {
                #expect(answer.status == .notFound)
                #expect(answer.codes == ["releaseUnknown"])
            }
        }
    }

    @Test func `a fact is not set and taken away at once`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.send(.put, Self.path, as: .proposer, Self.facts)
            let answer = try await service.send(
                .post,
                "\(Self.path)/amend",
                as: .proposer,
                ["build": "413", "unset": ["os", "build"]]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.pointers == ["/unset/1"])
        }
    }

    @Test func `the matrix says what a change moves`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            let proposed = try await service.propose(Edits.minimum("3.2"))
            for version in ["3.1", "3.2"] {
                let path = "\(Self.list)/ios/\(version)"
                _ = try await service.send(.put, path, as: .proposer, ["os": "13.0"])
            }
            let id = try #require(proposed.json["id"]?.string)
            let path = "/v1/apps/harbour/matrix?platform=ios"
            let live = try await service.send(.get, path, as: .viewer)
            #expect(live.json["moved"] == 0 && live.json["to"] == .null)
            let moved = try await service.send(.get, "\(path)&to=change:\(id)", as: .viewer)
            #expect(moved.json["systems"] == ["12.0", "13.0"])
            #expect(moved.json["moved"] == 1)
            let rows = try #require(moved.json["rows"]?.array)
            #expect(
                rows.first?["cells"] == [
                    nil,
                    [
                        "before": "available", "after": "appTooOld", "moved": true,
                        "offers": [
                            "before": "NO_UPDATE_AVAILABLE", "after": "REQUIRED_UPDATE_NEEDED",
                        ],
                    ],
                ]
            )
            let nowhere = try await service.send(.get, "\(path)&to=change:99", as: .viewer)
            #expect(nowhere.status == .notFound)
            let without = try await service.send(.get, "/v1/apps/harbour/matrix", as: .viewer)
            #expect(without.faultyParameters == ["platform"])
        }
    }

    @Test func `the system is written as the platform does`() async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.put, Self.path, as: .proposer, ["os": 15])
            #expect(answer.status == .unprocessableContent)
            #expect(answer.pointers == ["/os"])
        }
    }
}
