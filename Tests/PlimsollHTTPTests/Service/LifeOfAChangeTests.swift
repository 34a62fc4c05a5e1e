import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct LifeOfAChangeTests {
    // Goal: the whole road that the concepts promise, through REST alone.
    // Method: propose, approve, read the document, roll back, and read what the record says.
    @Test func `a change is proposed, approved, live and rolled back`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let before = try await service.head()
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let id = try #require(proposed.json["id"]?.string)
            #expect(proposed.status == .created)
            #expect(proposed.headers[.location] == "/v1/changes/\(id)")
            #expect(proposed.tag == "\"\(try #require(proposed.json["digest"]?.string))\"")
            #expect(proposed.json["state"] == "proposed")
            #expect(proposed.json["effect"]?.array?.count == 3)

            let approved = try await service.send(
                .post,
                "/v1/changes/\(id)/approve",
                as: .approver,
                ["comment": "Looks right."],
                headers: [.ifMatch: proposed.tag]
            )
            #expect(approved.status == .ok)
            #expect(approved.json["state"] == "applied")
            #expect(approved.json["approvals"]?.array?.count == 1)

            let live = try await service.minimum()
            #expect(live == "3.2.0")
            #expect(try await service.minimum("?event=\(before)") == "0")

            let rolledBack = try await service.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: .responder,
                ["to": ["beforeChange": .string(id)], "reason": "3.2.0 is not in the store"]
            )
            #expect(rolledBack.status == .ok)
            #expect(rolledBack.json["changes"]?.array?.count == 3)
            #expect(try await service.minimum() == "0")

            let events = try await service.send(
                .get,
                "/v1/events?app=harbour&type=RolledBack",
                as: .auditor
            )
            #expect(events.json["events"]?.array?.count == 1)
            let reason = events.json["events"]?.array?.first?["reason"]
            #expect(reason == "3.2.0 is not in the store")
        }
    }

    @Test func `an author cannot approve, and is told who can`() async throws {
        try await ServiceFixture.with { service in
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            let answer = try await service.approve(proposed, as: .proposer)
            #expect(answer.status == .forbidden)
            #expect(answer.codes == ["notAskedToApprove"])
            #expect(answer.json["errors"]?.array?.first?["remedy"] != nil)
        }
    }

    @Test func `a rejection and a withdrawal end a change for good`() async throws {
        try await ServiceFixture.with { service in
            for (verb, role, body) in [
                ("reject", Role.approver, JSONValue.object(["reason": "Too early."])),
                ("withdraw", .proposer, .object([:])),
            ] {
                let proposed = try await service.propose(Edits.minimum("3.2.0"))
                let id = try #require(proposed.json["id"]?.string)
                let match: HTTPFields = [.ifMatch: proposed.tag]
                let path = "/v1/changes/\(id)/\(verb)"
                let ended = try await service.send(.post, path, as: role, body, headers: match)
                #expect(ended.status == .ok)
                let again = try await service.approve(proposed)
                #expect(again.status == .conflict)
                #expect(again.codes == ["changeClosed"])
            }
        }
    }

    @Test func `a change that lost its ground says which field, and whose`() async throws {
        try await ServiceFixture.with { service in
            let base = try await service.head()
            let first = try await service.propose(Edits.minimum("3.2.0"))
            _ = try await service.approve(first)
            let late = try await service.send(
                .post,
                "/v1/apps/harbour/changes",
                as: .proposer,
                [
                    "title": "Late", "base": .integer(base),
                    "operations": Edits.minimum("3.3.0"),
                ]
            )
            #expect(late.status == .conflict)
            #expect(Set(late.codes) == ["changedSince"])
            #expect(late.pointers == ["/base", "/base", "/base"])
        }
    }

    @Test func `an open change says what others wrote of it since, and a revision answers that`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.0.0"))
            let base = try await service.head()
            let open = try await service.propose(Edits.minimum("3.2.0"))
            #expect(open.json["conflicts"] == [])
            let path = "/v1/changes/\(try #require(open.json["id"]?.string))"
            try await service.apply(Edits.minimum("3.1.0"))
            let moved = try await service.send(.get, path, as: .viewer)
            let conflicts = try #require(moved.json["conflicts"]?.array)
            #expect(conflicts.count == 3)
            let conflict = try #require(
                conflicts.first { $0["field"] == "ios.minimumApp.value" }
            )
            #expect(conflict["base"] == "3.0.0" && conflict["live"] == "3.1.0")
            // Who decided it is who wrote the change, and why is its reason.
            let author = try await service.send(.get, "/v1/me", as: .proposer)
            #expect(conflict["by"] == author.json["principal"])
            #expect(conflict["change"] == "3" && conflict["reason"] == "3.1 loses data")
            #expect(try #require(conflict["position"]?.integer) > base)
            let list = try await service.send(.get, "/v1/apps/harbour/changes", as: .viewer)
            #expect(list.json["changes"]?.array?.map { $0["inConflict"] } == [false, true, false])
            var body: JSONObject = [
                "base": .integer(try await service.head()), "operations": Edits.minimum("3.2.0"),
            ]
            let headers: HTTPFields = [.ifMatch: moved.tag]
            let silent = try await service.send(
                .post,
                "\(path)/revise",
                as: .proposer,
                .object(body),
                headers: headers
            )
            #expect(silent.status == .conflict)
            #expect(silent.codes == ["changedSince", "changedSince", "changedSince"])
            body["resolve"] = [
                "ios.minimumApp.value": "mine", "ios.minimumApp.description.en": "theirs",
                "ios.minimumApp.description.en-GB": "theirs",
            ]
            let answered = try await service.send(
                .post,
                "\(path)/revise",
                as: .proposer,
                .object(body),
                headers: headers
            )
            #expect(answered.status == .ok, "\(answered.json)")
            #expect(answered.json["conflicts"] == [])
            #expect(answered.json["effect"]?.array?.map { $0["after"] } == ["3.2.0"])
        }
    }

    private static func setting(_ offers: JSONValue) -> JSONValue {
        [["op": "setOffers", "platform": "ios", "offers": offers]]
    }

    @Test func `a change whose edits of offers fit no more is in conflict, and leads to no state`()
        async throws
    {
        let older: JSONValue = ["requiredVersion": "3.2.0", "requirements": ["os": "17.0.0"]]
        try await ServiceFixture.with { service in
            try await service.apply(Self.setting([older, ["lastVersion": "3.3.0"]]))
            let open = try await service.propose(
                [["op": "removeOffer", "platform": "ios", "at": 1]]
            )
            let id = try #require(open.json["id"]?.string)
            try await service.apply(Self.setting([["lastVersion": "3.4.0"]]))
            let moved = try await service.send(.get, "/v1/changes/\(id)", as: .viewer)
            let conflicts = try #require(moved.json["conflicts"]?.array)
            #expect(conflicts.map { $0["field"] } == ["ios.offers"])
            let author = try await service.send(.get, "/v1/me", as: .proposer)
            #expect(conflicts.first?["by"] == author.json["principal"])
            #expect(moved.json["inConflict"] == true)
            let device = "platform=ios&os=17.4&app=3.1.0&language=en"
            for (question, parameter) in [
                ("simulate?\(device)&to=change:\(id)", "to"),
                ("matrix?platform=ios&to=change:\(id)", "to"),
                ("diff?from=change:\(id)&to=live", "from"),
                ("prince-of-versions?in=change:\(id)", "in"),
            ] {
                let path = "/v1/apps/harbour/\(question)"
                let answer = try await service.send(.get, path, as: .viewer)
                #expect(answer.status == .notFound, "\(question)")
                #expect(answer.codes == ["offerPlaceMissing"], "\(question)")
                #expect(answer.faultyParameters == [parameter], "\(question)")
            }
        }
    }

    @Test func `a device is shown what it would meet`() async throws {
        try await ServiceFixture.with { service in
            let path = "/v1/apps/harbour/simulate"
            let query = "?platform=ios&os=15.4&app=3.1.0&language=en"
            let now = try await service.send(.get, path + query, as: .viewer)
            #expect(now.json["verdict"] == "available")
            let then = try await service.send(
                .post,
                path,
                as: .viewer,
                [
                    "device": [
                        "platform": "ios", "os": "15.4", "app": "3.1.0", "language": "en",
                    ],
                    "operations": Edits.minimum("3.2.0"),
                ]
            )
            #expect(then.json["verdict"] == "appTooOld")
            #expect(then.json["description"] == "Update to 3.2.0.")
        }
    }
}

extension ServiceFixture {
    /// The minimum of the app on iOS, as phones read it.
    func minimum(_ query: String = "") async throws -> String? {
        let answer = try await send(
            .get,
            "/v1/apps/harbour/documents/ios\(query)",
            as: .viewer
        )
        return answer.json["document"]?["minimumAppVersion"]?["value"]?.string
    }
}
