import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct RecordTests {
    @Test func `the whole record is read part by part, none twice, none left out`() async throws {
        try await ServiceFixture.with { service in
            for order in ["oldest", "newest"] {
                var positions: [Int64] = []
                var next: String? = "/v1/events?order=\(order)&limit=3"
                while let path = next {
                    let part = try await service.send(.get, path, as: .auditor)
                    let events = part.json["events"]?.array ?? []
                    positions += events.compactMap { $0["position"]?.integer }
                    next = part.nextPath
                    #expect((part.json["next"] == .null) == (next == nil))
                }
                let head = try await service.head()
                let all = Array(1...head)
                #expect(positions == (order == "oldest" ? all : all.reversed()))
            }
        }
    }

    @Test func `a cursor belongs to its question`() async throws {
        try await ServiceFixture.with { service in
            let part = try await service.send(.get, "/v1/events?limit=1", as: .auditor)
            let cursor = try #require(part.json["next"]?.string)
            for query in [
                "order=oldest", "type=ThresholdSet", "app=harbour", "since=1", "platform=ios",
                "field=ios.minimumApp.value", "change=1", "reason=data",
                "correlation=01934cf0-0000-7000-8000-000000000005",
            ] {
                let answer = try await service.send(
                    .get,
                    "/v1/events?\(query)&limit=1&cursor=\(cursor)",
                    as: .auditor
                )
                #expect(answer.status == .badRequest)
            }
        }
    }

    @Test(arguments: ["newest", "oldest"])
    func `a cursor that somebody made up leads to the end`(_ order: String) async throws {
        try await ServiceFixture.with { service in
            let cursor = Cursor(after: .max, of: ["events", order, "since=", "until="])
            let path = "/v1/events?order=\(order)&limit=1&cursor=\(cursor.text)"
            let answer = try await service.send(.get, path, as: .auditor)
            #expect(answer.status == .ok)
            #expect(answer.json["events"]?.array?.count == (order == "newest" ? 1 : 0))
        }
    }

    /// PostgreSQL keeps no NUL in a text, so it must not be asked for one either.
    @Test(arguments: ["%00", "a%00b", "%1B", "", "%20", "%E2%80%AE"])
    func `words that no reason can have are refused by name`(_ words: String) async throws {
        try await ServiceFixture.with { service in
            for form in ["application/json", "application/x-ndjson", "text/csv"] {
                let answer = try await service.send(
                    .get,
                    "/v1/events?reason=\(words)",
                    as: .auditor,
                    headers: [.accept: form]
                )
                #expect(answer.status == .badRequest)
                #expect(answer.faultyParameters == ["reason"])
            }
        }
    }

    @Test func `a reason is found however its letters are composed`() async throws {
        try await ServiceFixture.with { service in
            let rejected = try await service.propose(Edits.minimum("3.1"))
            let id = try #require(rejected.json["id"]?.string)
            let answer = try await service.send(
                .post,
                "/v1/changes/\(id)/reject",
                as: .approver,
                ["reason": "the cafe\u{301} is closed"],
                headers: [.ifMatch: rejected.tag]
            )
            #expect(answer.status == .ok)
            for words in ["caf%C3%A9", "cafe%CC%81"] {
                let found = try await service.send(
                    .get,
                    "/v1/events?reason=\(words)",
                    as: .auditor
                )
                #expect(found.json["events"]?.array?.count == 1)
            }
        }
    }

    @Test func `filters narrow the record`() async throws {
        try await ServiceFixture.with { service in
            let issued = try await service.send(
                .get,
                "/v1/events?type=TokenIssued&type=TokenRevoked&order=oldest",
                as: .auditor
            )
            #expect(issued.json["events"]?.array?.count == Role.allCases.count)
            let system = try await service.send(.get, "/v1/events?actor=system", as: .auditor)
            #expect(system.json["events"]?.array?.count == 3)
            let none = try await service.send(
                .get,
                "/v1/events?until=2020-01-01T00:00:00Z",
                as: .auditor
            )
            #expect(none.json["events"]?.array?.isEmpty == true)
        }
    }

    @Test func `an event says before and after of each field, in a sentence too`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            try await service.apply(Edits.minimum("3.2"))
            let path = "/v1/events?field=ios.minimumApp.value&change=2&platform=ios"
            let found = try await service.send(.get, path, as: .auditor)
            let events = try #require(found.json["events"]?.array)
            #expect(events.count == 1)
            let event = try #require(events.first)
            #expect(event["sentence"] == "iOS minimum app 3.1 → 3.2")
            #expect(
                event["fields"] == [
                    ["field": "ios.minimumApp.value", "before": "3.1", "after": "3.2"]
                ]
            )
            #expect(event["change"] == "2")
            #expect(event["app"] == "harbour")
            let position = try #require(event["position"]?.integer)
            let alone = try await service.send(.get, "/v1/events/\(position)", as: .auditor)
            #expect(alone.json == event)
            let why = try await service.send(.get, "/v1/events?reason=LOSES", as: .auditor)
            let reasons = why.json["events"]?.array?.map { $0["reason"] } ?? []
            #expect(!reasons.isEmpty && reasons.allSatisfy { $0 == "3.1 loses data" })
            let correlation = try #require(event["correlation"]?.string)
            let action = try await service.send(
                .get,
                "/v1/events?correlation=\(correlation)&order=oldest",
                as: .auditor
            )
            let types = action.json["events"]?.array?.compactMap { $0["type"]?.string } ?? []
            #expect(types.first == "ChangeApproved")
            #expect(types.last == "ChangeApplied")
        }
    }

    @Test(arguments: [
        "field=minimumApp", "field=ios.minimumApp", "field=ios.minimumApp.title", "field=",
        "change=0", "change=x", "correlation=1", "reason=", "platform=windows", "fields=x",
    ])
    func `a filter that cannot be meant is refused by its name`(_ query: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, "/v1/events?\(query)", as: .auditor)
            #expect(answer.status == .badRequest)
            #expect(answer.faultyParameters == [String(query.prefix { $0 != "=" })])
        }
    }

    @Test func `changes are listed by state, part by part`() async throws {
        try await ServiceFixture.with { service in
            for number in 1...3 { _ = try await service.propose(Edits.minimum("3.\(number)")) }
            let path = "/v1/apps/harbour/changes"
            var ids: [String] = []
            var next: String? = "\(path)?state=proposed&limit=2"
            while let page = next {
                let part = try await service.send(.get, page, as: .viewer)
                ids += (part.json["changes"]?.array ?? []).compactMap { $0["id"]?.string }
                next = part.nextPath
            }
            #expect(ids == ["3", "2", "1"])
            let applied = try await service.send(.get, "\(path)?state=applied", as: .viewer)
            #expect(applied.json["changes"] == [])
        }
    }

    @Test func `keys and snapshots are told, and never a private half`() async throws {
        try await ServiceFixture.with { service in
            let keys = try await service.send(.get, "/v1/keys", as: .viewer)
            let text = String(decoding: keys.bytes, as: UTF8.self)
            #expect(text.contains("BEGIN PUBLIC KEY"))
            #expect(!text.contains("PRIVATE"))
            let snapshots = try await service.send(
                .get,
                "/v1/snapshots?app=harbour",
                as: .viewer
            )
            #expect(snapshots.json["snapshots"] == [])
            let all = try await service.send(.get, "/v1/snapshots", as: .viewer)
            #expect(all.status == .badRequest)
        }
    }

    @Test func `the names of events are the ones that are stored`() {
        #expect(EventBody.types == EventType.allCases.map(\.rawValue).sorted())
    }
}

extension ServiceAnswer {
    /// Where the header `Link` leads.
    fileprivate var nextPath: String? {
        guard let link = headers[.init("Link") ?? .location] else { return nil }
        return link.split(separator: ">").first.map { String($0.dropFirst()) }
    }
}
