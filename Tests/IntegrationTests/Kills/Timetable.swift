import Foundation
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON
import Testing

/// Many changes that are to come into force in the same second.
struct Timetable {
    let start: Instant
    let changes: [String]

    static let changesCount = 100

    /// Proposes and approves them, each of the text in a language of its own.
    init(
        at start: Instant,
        round: Int,
        _ servers: [RunningServer],
        _ proposer: String,
        _ approver: String
    ) async throws {
        self.start = start
        let base = try await servers[0].head()
        changes = try await withThrowingTaskGroup(of: [String].self) { group in
            for lane in 0..<8 {
                group.addTask(name: "lane") {
                    var ids: [String] = []
                    for number in stride(from: lane, to: Self.changesCount, by: 8) {
                        let server = servers[number % servers.count]
                        let edit = Edits.setText(
                            "ios",
                            "description",
                            "en-\(100 + number)",
                            "Round \(round)."
                        )
                        let body: JSONValue = [
                            "title": "In time", "base": .integer(base), "operations": [edit],
                            "schedule": [
                                "at": .string(start.rfc3339), "timeZone": "Europe/London",
                            ],
                        ]
                        let path = "/v1/apps/harbour/changes"
                        let proposed = try await server.send(.post, path, as: proposer, body)
                        try #require(proposed.status == 201, "\(proposed.json)")
                        let approved = try await server.decide(
                            "approve",
                            on: proposed,
                            as: approver
                        )
                        try #require(approved.json["state"] == "scheduled", "\(approved.json)")
                        ids.append(try #require(proposed.json["id"]?.string))
                    }
                    return ids
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
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
