import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What people are told beforehand: what a rollback will do, and what is frozen.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct OutlookTests {
    @Test func `a rollback tells its side effects once, and its devices each time`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let base = try await service.head()
            try await service.apply(Edits.minimum("3.2.0"))
            let open = try await service.propose(Edits.minimum("3.3.0"))
            let body: JSONValue = ["to": ["event": .integer(base)], "reason": "It never shipped"]
            let path = "/v1/apps/harbour/rollback"
            let tried = try await service.send(.post, "\(path)?dryRun=true", as: .responder, body)
            #expect(tried.json["sideEffects"]?["undone"] == ["2"])
            #expect(tried.json["sideEffects"]?["stale"] == [try #require(open.json["id"])])
            #expect(tried.json["devices"]?.array?.count == 6)
            #expect(tried.json["reach"]?["cacheSeconds"] == 90)
            #expect(tried.json["policy"] == ["role": "responder", "review": .null])
            let headers: HTTPFields = [try #require(.init("Idempotency-Key")): "night"]
            let done = try await service.send(.post, path, as: .responder, body, headers: headers)
            let again = try await service.send(.post, path, as: .responder, body, headers: headers)
            #expect(done.json["sideEffects"] == tried.json["sideEffects"])
            #expect(again.json["sideEffects"] == .null)
            #expect(again.json["position"] == done.json["position"])
            #expect(again.json["devices"] == done.json["devices"])
        }
    }

    // Goal: a responder sees what they would bring back, and whether it was approved. Method: a text
    // that looks left over is approved, then replaced, and the dry run goes back to it.
    @Test func `a dry run says when its target was live, who approved it, and what looks wrong`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let calm = try await service.head()
            try await service.apply(.array([Edits.text("en", "TBD"), Edits.text("en-GB", "TBD")]))
            let base = try await service.head()
            try await service.apply(Edits.minimum("3.2.0"))
            let path = "/v1/apps/harbour/rollback"
            let body: JSONValue = ["to": ["event": .integer(base)], "reason": "It never shipped"]
            let tried = try await service.send(.post, "\(path)?dryRun=true", as: .responder, body)
            let write = tried.json["origin"]?["write"]
            #expect(write?["change"] == "2" && write?["kind"] == "change")
            #expect(write?["author"] == .string(try await service.principal(.proposer)))
            let approver = try await service.principal(.approver)
            #expect(write?["approvers"] == [.string(approver)])
            let last = try await service.send(.get, "/v1/events/\(base)", as: .auditor)
            #expect(tried.json["origin"]?["at"] == last.json["recordedAt"])
            let checks = try #require(tried.json["checks"]?.array).map { $0["check"] }
            #expect(checks == ["minimumLowered", "placeholderLeft", "placeholderLeft"])
            let done = try await service.send(.post, path, as: .responder, body)
            #expect(done.status == .ok)
            #expect(done.json["checks"] == tried.json["checks"])
            #expect(done.json["origin"] == .null)
            let back: JSONValue = ["to": ["event": .integer(calm)], "reason": "And back"]
            let early = try await service.send(.post, "\(path)?dryRun=true", as: .responder, back)
            #expect(early.json["origin"]?["write"]?["change"] == "1")
            #expect(early.json["checks"] == [])
            let rolled = try #require(done.json["position"]?.integer)
            _ = try await service.send(.post, path, as: .responder, back)
            let again: JSONValue = ["to": ["event": .integer(rolled)], "reason": "Again"]
            let late = try await service.send(.post, "\(path)?dryRun=true", as: .responder, again)
            #expect(late.json["origin"]?["write"]?["kind"] == "rollback")
            #expect(late.json["origin"]?["write"]?["approvers"] == [])
        }
    }

    @Test func `a rollback names the texts that are missing where it leads`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let base = try await service.head()
            let emergency = try await service.send(
                .post,
                "/v1/apps/harbour/emergency",
                as: .responder,
                [
                    "title": "Keep 15.0 out", "reason": "It crashes there", "incident": "INC-7",
                    "operations": [
                        [
                            "op": "setValue", "platform": "ios", "threshold": "minimumOS",
                            "value": "15.1",
                        ]
                    ],
                ]
            )
            let missing = try #require(emergency.json["textsMissing"])
            #expect(missing == ["ios.minimumOS.description.en", "ios.minimumOS.description.en-GB"])
            let then = try await service.head()
            for (position, expected) in [(base, JSONValue.array([])), (then, missing)] {
                let answer = try await service.send(
                    .post,
                    "/v1/apps/harbour/rollback",
                    as: .responder,
                    ["to": ["event": .integer(position)], "reason": "To and fro"]
                )
                #expect(answer.json["textsMissing"] == expected)
            }
        }
    }

    @Test func `an app says what freezes it, now and then`() async throws {
        try await ServiceFixture.with { service in
            let path = "/v1/apps/harbour"
            let before = try await service.head()
            #expect(try await service.send(.get, path, as: .viewer).json["freeze"] == .null)
            _ = try await service.send(.post, "/v1/freeze", as: .admin, ["reason": "All"])
            let all = try await service.send(.get, path, as: .viewer).json["freeze"]
            #expect(all?["app"] == .null && all?["reason"] == "All")
            let (between, own) = (try await service.head(), "\(path)/freeze")
            _ = try await service.send(.post, own, as: .responder, ["reason": "Own"])
            let both = try await service.send(.get, path, as: .viewer).json["freeze"]
            #expect(both?["app"] == "harbour" && both?["reason"] == "Own")
            #expect(both?["by"] == .string(try await service.principal(.responder)))
            _ = try await service.send(.delete, own, as: .responder)
            #expect(try await service.send(.get, path, as: .viewer).json["freeze"] == all)
            _ = try await service.send(.delete, "/v1/freeze", as: .admin)
            #expect(try await service.send(.get, path, as: .viewer).json["freeze"] == .null)
            for (position, freeze) in [(before, JSONValue.null), (between, try #require(all))] {
                let then = try await service.send(.get, "\(path)?event=\(position)", as: .viewer)
                #expect(then.json["freeze"] == freeze)
            }
        }
    }
}
