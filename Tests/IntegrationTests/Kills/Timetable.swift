import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

/// Many changes that are to come into force in the same second.
struct Timetable {
    let start: Instant
    let changes: [String]

    static let changesCount = 100

    /// Proposes them, each with a text in a language of its own; then chooses the second and has all
    /// of them approved for it.
    init(
        round: Int,
        _ servers: [RunningServer],
        _ proposer: String,
        _ approver: String
    ) async throws {
        try await servers.know(approver)
        let begin = ContinuousClock.now
        let base = try await servers[0].head()
        let proposals = try await Self.each { number in
            let edit = Edits.setText(
                "ios",
                "description",
                "en-\(100 + number)",
                "Round \(round)."
            )
            let body: JSONValue = [
                "title": "In time", "base": .integer(base), "operations": [edit],
            ]
            let server = servers[number % servers.count]
            let path = "/v1/apps/harbour/changes"
            let proposed = try await server.send(.post, path, as: proposer, body)
            try #require(proposed.status == 201, "\(proposed.json)")
            return proposed
        }
        // Two requests for each are still to come; at least three times as long as they should take.
        let start = Instant.soon(max((ContinuousClock.now - begin) * 6, .seconds(6)))
        self.start = start
        changes = try await Self.each { number in
            let server = servers[number % servers.count]
            let proposed = proposals[number]
            let scheduled = try await server.decide(
                "schedule",
                on: proposed,
                as: proposer,
                ["schedule": ["at": .string(start.rfc3339), "timeZone": "Europe/London"]]
            )
            let approved = try await server.decide("approve", on: scheduled, as: approver)
            try #require(approved.json["state"] == "scheduled", "\(approved.json)")
            return try #require(proposed.json["id"]?.string)
        }
    }

    /// The body's answer for every change, eight at a time.
    private static func each<Answer: Sendable>(
        _ body: @escaping @Sendable (_ number: Int) async throws -> Answer
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: [(Int, Answer)].self) { group in
            for lane in 0..<8 {
                group.addTask(name: "lane") {
                    var answers: [(Int, Answer)] = []
                    for number in stride(from: lane, to: changesCount, by: 8) {
                        answers.append((number, try await body(number)))
                    }
                    return answers
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// How many milliseconds after its time each change was recorded as applied; fails the test
    /// unless each was, once.
    func delays(in events: [JSONValue]) throws -> [Int64] {
        let known = Set(changes.map { "change/\($0)" })
        var delays: [String: [Int64]] = [:]
        for event in events {
            guard let stream = event["stream"]?.string, known.contains(stream) else { continue }
            let type = try #require(event["type"]?.string)
            #expect(type != "ChangeSuspended", "\(event)")
            guard type == "ChangeApplied" else { continue }
            let recorded = try #require(
                event["recordedAt"]?.string.flatMap(Instant.init(rfc3339:))
            )
            let delay = recorded.millisecondsSince1970 - start.millisecondsSince1970
            delays[stream, default: []].append(delay)
        }
        #expect(delays.count == changes.count)
        #expect(delays.values.allSatisfy { $0.count == 1 })
        return delays.values.flatMap(\.self).sorted()
    }
}

extension Instant {
    static var present: Instant { Instant(Date.now) }

    /// A whole second, at least so long from now.
    fileprivate static func soon(_ lead: Duration) -> Instant {
        let seconds = present.advanced(by: lead).millisecondsSince1970 / 1000
        return Instant(millisecondsSince1970: (seconds + 1) * 1000)
    }
}
