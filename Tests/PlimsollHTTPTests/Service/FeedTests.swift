import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What a feed refuses before it begins; that it goes on is tried on the whole program.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct FeedTests {
    @Test(arguments: [
        "until=5", "order=newest", "limit=5", "cursor=x", "field=x", "since=yesterday",
    ])
    func `a feed has no end and no parts`(_ query: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(
                .get,
                "/v1/events?\(query)",
                as: .auditor,
                headers: [.accept: "text/event-stream"]
            )
            #expect(answer.status == .badRequest)
            #expect(answer.faultyParameters == [String(query.prefix { $0 != "=" })])
        }
    }

    @Test(arguments: ["", "x", "-1", "1.5"])
    func `a place that is none is refused`(_ place: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.follow(from: place, as: .auditor)
            #expect(answer.status == .badRequest)
            #expect(answer.faultyHeaders == ["Last-Event-ID"])
        }
    }

    @Test func `a place that the record has not reached is none of this record`() async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.follow(from: "1000000", as: .auditor)
            #expect(answer.status == .notFound)
            #expect(answer.codes == ["eventUnknown"])
        }
    }

    @Test func `only who may read the record may follow it`() async throws {
        try await ServiceFixture.with { service in
            let viewer = try await service.follow(from: "0", as: .viewer)
            #expect(viewer.status == .forbidden)
            let nobody = try await service.follow(from: "0", as: nil)
            #expect(nobody.status == .unauthorized)
        }
    }
}

extension ServiceFixture {
    fileprivate func follow(from place: String, as role: Role?) async throws -> ServiceAnswer {
        try await send(
            .get,
            "/v1/events",
            as: role,
            headers: [.accept: "text/event-stream", .init("Last-Event-ID") ?? .accept: place]
        )
    }
}
