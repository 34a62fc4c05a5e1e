import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// When a change comes into force is said with it, and approved with it.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ScheduleRouteTests {
    private let start = Instant.now.advanced(by: .seconds(86_400))

    @Test func `a proposal brings its time, and what is approved waits for it`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await propose(on: service, ["at": .string(start.rfc3339)])
            #expect(proposed.status == .created)
            #expect(proposed.json["schedule"]?["at"] == .string(start.rfc3339))
            #expect(proposed.json["schedule"]?["timeZone"] == "UTC")
            let approved = try await decide("approve", proposed, on: service, as: .approver)
            #expect(approved.json["state"] == "scheduled")
            #expect(try await service.minimum() == "0")
            let early = try await decide("apply", proposed, on: service, as: .approver)
            #expect(early.codes == ["notDue"])
        }
    }

    @Test func `another time is another thing to approve, and the answer says so`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await propose(on: service, ["at": .string(start.rfc3339)])
            _ = try await decide("approve", proposed, on: service, as: .approver)
            let later = start.advanced(by: .seconds(60)).rfc3339
            for schedule: JSONValue in [["at": .string(later)], .null] {
                let now = try await service.send(.get, path(proposed), as: .viewer)
                let moved = try await service.send(
                    .post,
                    "\(path(proposed))/schedule",
                    as: .proposer,
                    ["schedule": schedule],
                    headers: [.ifMatch: now.tag]
                )
                #expect(moved.status == .ok)
                #expect(moved.tag != now.tag)
                #expect(moved.json["state"] == "proposed")
                #expect(moved.json["approvals"]?.array?.map { $0["counts"] } == [false])
                #expect(moved.json["missing"]?.array?.count == 1)
            }
            let stale = try await decide("approve", proposed, on: service, as: .approver)
            #expect(stale.status == .preconditionFailed)
            #expect(try await service.minimum() == "0")
        }
    }

    @Test func `what cannot be is refused where it stands, and all at once`() async throws {
        try await ServiceFixture.with { service in
            let passed = Instant.now.advanced(by: .seconds(-1)).rfc3339
            let twins: [(JSONValue, [String])] = [
                ([:], ["/schedule"]), (["timeZone": "Europe/London"], ["/schedule"]),
                (["at": .string(passed)], ["/schedule/at"]),
                (
                    ["at": .string(start.rfc3339), "until": .string(start.rfc3339)],
                    ["/schedule/until"]
                ),
                (
                    ["at": .string(passed), "until": .string(passed)],
                    ["/schedule/at", "/schedule/until"]
                ),
                (["at": "9999-12-31T23:59:59Z"], ["/schedule"]),
                (["at": "9999-12-31T23:59", "timeZone": "America/New_York"], ["/schedule"]),
                (["at": "2027-10-31T01:30", "timeZone": "Europe/London"], ["/schedule/at"]),
                (["at": "2027-10-31T01:30"], ["/schedule/at"]),
                (
                    ["at": .string(start.rfc3339), "timeZone": "Europe/Londn"],
                    ["/schedule/timeZone"]
                ),
            ]
            for (schedule, pointers) in twins {
                let answer = try await propose(on: service, schedule)
                #expect(answer.status == .unprocessableContent, "\(schedule)")
                #expect(answer.pointers == pointers, "\(schedule)")
            }
        }
    }

    @Test func `a list has the states that are worked out, page by page`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1.0"))
            _ = try await service.send(.post, "/v1/freeze", as: .admin, ["reason": "Wait"])
            for number in 2...10 {
                let schedule: JSONValue =
                    number.isMultiple(of: 3) ? ["at": .string(start.rfc3339)] : .null
                let proposed = try await propose(on: service, schedule, "en-\(100 + number)")
                guard number != 2 else { continue }
                _ = try await decide("approve", proposed, on: service, as: .approver)
            }
            let expected = [
                "scheduled": ["9", "6", "3"], "approved": ["10", "8", "7", "5", "4"],
                "proposed": ["2"], "suspended": [], "applied": ["1"],
            ]
            for (state, ids) in expected {
                #expect(try await pages(of: "state=\(state)", 2, on: service) == ids, "\(state)")
            }
            let both = try await pages(of: "state=proposed&state=scheduled", 1, on: service)
            #expect(both == ["9", "6", "3", "2"])
            let all = try await pages(of: "", 4, on: service)
            #expect(all == (1...10).reversed().map(String.init))
            let past = try await service.send(
                .get,
                "/v1/apps/harbour/changes?state=approved&event=\(try await service.head())",
                as: .viewer
            )
            #expect(past.status == .badRequest)
            #expect(past.faultyParameters == ["state"])
        }
    }

    // Method: the rollback says which changes it suspends, and no event of theirs does.
    @Test func `a list of then has what a rollback had suspended by then`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let base = try await service.head()
            try await service.apply(Edits.minimum("3.1.0"))
            let proposed = try await propose(on: service, ["at": .string(start.rfc3339)])
            var moments = [(try await service.head(), "proposed", "suspended")]
            let rollback = try await service.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: .responder,
                ["to": ["event": .integer(base)], "reason": "It never shipped"]
            )
            try #require(rollback.status == .ok)
            moments.append((try await service.head(), "suspended", "proposed"))
            let now = try await service.send(.get, path(proposed), as: .viewer)
            let later = start.advanced(by: .seconds(60)).rfc3339
            _ = try await service.send(
                .post,
                "\(path(proposed))/schedule",
                as: .proposer,
                ["schedule": ["at": .string(later)]],
                headers: [.ifMatch: now.tag]
            )
            moments.append((try await service.head(), "proposed", "suspended"))
            for (position, state, other) in moments {
                let query = "event=\(position)&state="
                let list = try await service.send(
                    .get,
                    "/v1/apps/harbour/changes?event=\(position)",
                    as: .viewer
                )
                #expect(list.json["changes"]?.array?.first?["state"] == .string(state))
                #expect(try await pages(of: query + state, 1, on: service) == ["3"])
                #expect(try await pages(of: query + other, 1, on: service) == [])
            }
        }
    }

    @Test func `open and closed changes stand in one list`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1.0"))
            _ = try await propose(on: service, ["at": .string(start.rfc3339)])
            try await service.apply([Edits.text("en", "Another text.")])
            let query = "state=applied&state=proposed"
            #expect(try await pages(of: query, 1, on: service) == ["3", "2", "1"])
            #expect(try await pages(of: "state=applied", 1, on: service) == ["3", "1"])
        }
    }

    private func propose(
        on service: ServiceFixture,
        _ schedule: JSONValue,
        _ language: String = "en"
    ) async throws -> ServiceAnswer {
        try await service.send(
            .post,
            "/v1/apps/harbour/changes",
            as: .proposer,
            [
                "title": "Raise the line", "base": .integer(try await service.head()),
                "schedule": schedule,
                "operations": language == "en"
                    ? Edits.minimum("3.2.0") : [Edits.text(language, "Update, please.")],
            ]
        )
    }

    private func path(_ proposed: ServiceAnswer) -> String {
        "/v1/changes/\(proposed.json["id"]?.string ?? "")"
    }

    private func decide(
        _ verb: String,
        _ proposed: ServiceAnswer,
        on service: ServiceFixture,
        as role: Role
    ) async throws -> ServiceAnswer {
        try await service.send(
            .post,
            "\(path(proposed))/\(verb)",
            as: role,
            headers: [.ifMatch: proposed.tag]
        )
    }

    /// The ids of all pages, in the order in which they come.
    private func pages(
        of query: String,
        _ limit: Int,
        on service: ServiceFixture
    ) async throws -> [String] {
        var ids: [String] = []
        var cursor = ""
        repeat {
            let page = try await service.send(
                .get,
                "/v1/apps/harbour/changes?limit=\(limit)&\(query)\(cursor)",
                as: .viewer
            )
            ids += (page.json["changes"]?.array ?? []).compactMap { $0["id"]?.string }
            guard let next = page.json["next"]?.string else { break }
            cursor = "&cursor=\(next)"
        } while ids.count < 100
        return ids
    }
}
