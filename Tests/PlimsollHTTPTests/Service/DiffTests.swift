import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// `GET /v1/apps/{app}/diff`.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct DiffTests {
    private static let value = "ios.minimumApp.value"

    /// 3.1 is live as change 1, 3.2 as change 2, and change 3 would make it 3.3.
    private struct Story {
        let service: ServiceFixture
        let first: Int64
        let second: Int64
        /// When the first was live, and the second not yet.
        let between: String

        init(_ service: ServiceFixture) async throws {
            self.service = service
            try await service.apply(Edits.minimum("3.1"))
            first = try await service.head()
            between = Instant.now.rfc3339
            while Instant.now.rfc3339 == between { await Task.yield() }
            try await service.apply(Edits.minimum("3.2"))
            second = try await service.head()
            _ = try await service.propose(Edits.minimum("3.3"))
        }

        func diff(_ from: String, _ to: String, _ more: String = "") async throws -> ServiceAnswer {
            try await service.send(
                .get,
                "/v1/apps/harbour/diff?from=\(from)&to=\(to)\(more)",
                as: .viewer
            )
        }

        /// What the field holds on both sides; the same on both is nothing.
        func value(_ from: String, _ to: String) async throws -> [JSONValue?]? {
            let answer = try await diff(from, to)
            #expect(answer.status == .ok, "\(from) \(to)")
            let changes = try #require(answer.json["changes"]?.array)
            #expect(answer.json["same"] == .bool(changes.isEmpty))
            return changes.first { $0["field"] == .string(DiffTests.value) }
                .map { [$0["before"], $0["after"]] }
        }
    }

    @Test func `any two states are compared, field by field`() async throws {
        try await ServiceFixture.with { service in
            let story = try await Story(service)
            let (first, second) = ("event:\(story.first)", "event:\(story.second)")
            #expect(try await story.value(first, second) == ["3.1", "3.2"])
            #expect(try await story.value(second, first) == ["3.2", "3.1"])
            #expect(try await story.value(first, "live") == ["3.1", "3.2"])
            #expect(try await story.value("change:1", "change:2") == ["3.1", "3.2"])
            #expect(try await story.value("live", "change:3") == ["3.2", "3.3"])
            #expect(try await story.value("time:\(story.between)", "live") == ["3.1", "3.2"])
            #expect(try await story.value(first, "change:1") == nil)
            #expect(try await story.value("live", "live") == nil)
        }
    }

    @Test func `each line has a sentence, and each side its position`() async throws {
        try await ServiceFixture.with { service in
            let story = try await Story(service)
            let answer = try await story.diff("change:1", "live", "&platform=ios")
            let line = answer.json["changes"]?.array?.first { $0["field"] == .string(Self.value) }
            #expect(line?["sentence"] == "iOS minimum app 3.1 → 3.2")
            #expect(
                answer.json["from"] == ["state": "change:1", "position": .integer(story.first)]
            )
            #expect(answer.json["to"]?["position"] == .integer(try await service.head()))
            let other = try await story.diff("change:1", "live", "&platform=android")
            #expect(other.json["same"] == true)
        }
    }

    @Test(arguments: [
        ("from=live", HTTPResponse.Status.badRequest, "parameterMissing"),
        ("to=live", .badRequest, "parameterMissing"),
        ("from=live&to=", .badRequest, "valueWrong"),
        ("from=live&to=event:x", .badRequest, "valueWrong"),
        ("from=live&to=event:-1", .badRequest, "valueWrong"),
        ("from=live&to=change:0", .badRequest, "valueWrong"),
        ("from=live&to=snapshot:0", .badRequest, "valueWrong"),
        ("from=live&to=file:x", .badRequest, "valueWrong"),
        ("from=live&from=live&to=live", .badRequest, "repeated"),
        ("from=live&to=live&event=1", .badRequest, "parameterUnknown"),
        ("from=live&to=live&platform=amiga", .badRequest, "valueWrong"),
        ("from=live&to=live&platform=macos", .notFound, "platformUnknown"),
        ("from=live&to=event:1000000", .notFound, "targetAhead"),
        ("from=live&to=event:1", .notFound, "targetBeforeApp"),
        ("from=live&to=time:2020-01-01T00:00:00Z", .notFound, "targetBeforeApp"),
        ("from=live&to=time:2999-01-01T00:00:00Z", .notFound, "timeAhead"),
        ("from=live&to=change:99", .notFound, "changeUnknown"),
        ("from=live&to=snapshot:3", .notFound, "snapshotUnknown"),
        ("from=live&to=snapshot:9223372036854775807", .notFound, "snapshotUnknown"),
    ])
    func `a side that is not there is refused by its name`(
        _ query: String,
        _ status: HTTPResponse.Status,
        _ code: String
    ) async throws {
        try await ServiceFixture.with { service in
            let path = "/v1/apps/harbour/diff?\(query)"
            let answer = try await service.send(.get, path, as: .viewer)
            #expect(answer.status == status)
            #expect(answer.json["errors"]?.array?.first?["code"] == .string(code))
        }
    }

    @Test func `a change that was turned down has left no state`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2"))
            let rejected = try await service.send(
                .post,
                "/v1/changes/1/reject",
                as: .approver,
                ["reason": "Too early"],
                headers: [.ifMatch: proposed.tag]
            )
            #expect(rejected.status == .ok)
            let answer = try await service.send(
                .get,
                "/v1/apps/harbour/diff?from=live&to=change:1",
                as: .viewer
            )
            #expect(answer.status == .notFound)
            #expect(answer.json["errors"]?.array?.first?["code"] == "changeNeverApplied")
        }
    }

    @Test func `somebody else's app is nobody's business`() async throws {
        try await ServiceFixture.with { service in
            let path = "/v1/apps/quay/diff?from=live&to=live"
            let stranger = try await service.send(.get, path)
            #expect(stranger.status == .unauthorized)
            let viewer = try await service.send(.get, path, as: .viewer)
            #expect(viewer.status == .notFound)
        }
    }
}
