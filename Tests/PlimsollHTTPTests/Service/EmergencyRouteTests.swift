import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// What one person does alone in the night, and what others make of it in the morning.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct EmergencyRouteTests {
    private let block: JSONValue = [
        "platform": "ios", "below": "3.2.0", "reason": "3.1 loses bookings", "incident": "INC-731",
    ]
    private let path = "/v1/apps/harbour/block"

    @Test func `a version is blocked in a freeze, once, with a receipt`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.0.0"))
            _ = try await service.send(.post, "/v1/freeze", as: .admin, ["reason": "Launch day"])
            let tried = try await service.send(.post, "\(path)?dryRun=true", as: .responder, block)
            #expect(tried.json["position"] == .null && tried.json["change"] == .null)
            #expect(tried.json["changes"]?.array?.count == 1)
            let done = try await service.send(.post, path, as: .responder, block)
            #expect(done.status == .ok)
            #expect(done.json["changes"] == tried.json["changes"])
            #expect(done.json["textsMissing"] == [])
            #expect(done.json["incident"] == "INC-731")
            #expect(try await service.minimum() == "3.2.0")
            let change = try #require(done.json["change"]?.string)
            let shown = try await service.send(.get, "/v1/changes/\(change)", as: .viewer)
            #expect(shown.json["state"] == "applied")
            #expect(shown.json["title"] == "Block iOS versions below 3.2.0")
            #expect(shown.json["position"] == done.json["position"])

            let again = try await service.send(.post, path, as: .responder, block)
            #expect(again.json["type"]?.string?.hasSuffix("nothing-to-do") == true)
            let lower: JSONValue = ["platform": "ios", "below": "3.1.9", "reason": "Drill"]
            let lowered = try await service.send(.post, path, as: .responder, lower)
            #expect(lowered.codes == ["wouldLower"])
            #expect(lowered.pointers == ["/below"])
            #expect(try await service.minimum() == "3.2.0")
        }
    }

    @Test func `receipts say what clients of Prince of Versions are told`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply([
                [
                    "op": "setOffers", "platform": "ios",
                    "offers": [["requiredVersion": "3.0.0", "metadata": ["store": "x"]]],
                ]
            ])
            func codes(_ answer: ServiceAnswer) -> [String] {
                (answer.json["notes"]?.array ?? []).compactMap { $0["code"]?.string }
            }
            let tried = try await service.send(.post, "\(path)?dryRun=true", as: .responder, block)
            #expect(codes(tried).contains("thresholdsNotTold"), "\(tried.json)")
            let done = try await service.send(.post, path, as: .responder, block)
            #expect(codes(done) == codes(tried))
            let change = try #require(done.json["change"]?.string)
            let back = try await service.send(
                .post,
                "/v1/apps/harbour/rollback",
                as: .responder,
                ["to": ["revert": .string(change)], "reason": "It works after all"]
            )
            #expect(back.status == .ok, "\(back.json)")
            #expect(back.json["notes"]?.array != nil)
        }
    }

    // Goal: what people read is what the block says, and whatever cannot be read is named by its place.
    @Test func `a block brings texts by language, and names those that cannot be`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.0.0"))
            var saying = try #require(block.object)
            saying["texts"] = ["title": ["cy": "Sori"], "description": ["cy": "Ar y ffordd."]]
            let done = try await service.send(.post, path, as: .responder, .object(saying))
            #expect(done.status == .ok)
            #expect(done.json["changes"]?.array?.count == 3)
            let codes = done.json["checks"]?.array?.compactMap { $0.object?["check"]?.string }
            #expect(codes?.contains("textsNotRewritten") == true)
            let change = try #require(done.json["change"]?.string)
            let back = try await service.send(
                .post,
                "/v1/apps/harbour/rollback?dryRun=true",
                as: .responder,
                ["to": ["revert": .string(change)], "reason": "It works after all"]
            )
            #expect(back.status == .ok)
            let found = back.json["checks"]?.array?.compactMap { $0.object?["check"]?.string }
            #expect(found?.contains("textsNotRewritten") == false, "the texts agree again")
            saying["below"] = "3.3.0"
            let wrong: [(JSONValue, [String])] = [
                ([:], []), (["note": ["en": "No"]], ["/texts/note"]),
                (["title": ["en_GB": "No"]], ["/texts/title/en_GB"]),
                (
                    ["title": ["en": ""], "description": ["cy": 3]],
                    [
                        "/texts/description/cy", "/texts/title/en",
                    ]
                ),
                (["title": ["en-gb": "A", "en-GB": "B"]], ["/texts/title/en-gb"]),
                (["title": "No"], ["/texts/title"]), ([], ["/texts"]),
            ]
            for (texts, pointers) in wrong {
                saying["texts"] = texts
                let path = "\(path)?dryRun=true"
                let answer = try await service.send(.post, path, as: .responder, .object(saying))
                #expect(answer.pointers.sorted() == pointers, "\(texts)")
            }
        }
    }

    @Test func `whoever may not act alone is refused, and a proposer is told to propose`()
        async throws
    {
        try await ServiceFixture.with { service in
            for role in Role.allCases where role != .responder {
                let answer = try await service.send(.post, path, as: role, block)
                #expect(answer.status == .forbidden)
                #expect(answer.codes == [role == .proposer ? "proposeInstead" : "roleMissing"])
            }
            #expect(try await service.minimum() == "0")
        }
    }

    @Test func `any edits are an emergency where they have an incident`() async throws {
        try await ServiceFixture.with { service in
            let body: JSONValue = [
                "title": "Keep 15.0 out", "reason": "It crashes there", "incident": "INC-7",
                "operations": [
                    [
                        "op": "setValue", "platform": "ios", "threshold": "minimumOS",
                        "value": "15.1",
                    ]
                ],
            ]
            let path = "/v1/apps/harbour/emergency"
            let done = try await service.send(.post, path, as: .responder, body)
            #expect(done.status == .ok)
            #expect(done.json["textsMissing"]?.array?.count == 2)
            let events = try await service.send(
                .get,
                "/v1/events?type=EmergencyApplied",
                as: .auditor
            )
            #expect(events.json["events"]?.array?.first?["data"]?["incident"] == "INC-7")
        }
    }

    // Goal: what the checks find in a platform's own offers is said of a block and of an emergency, dry
    // or not, and keeps nobody from either. Method: the only known release is older than what is asked.
    @Test func `what the checks find in own offers is said in an emergency too`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.0.0"))
            let release = "/v1/apps/harbour/releases/ios/3.1.0"
            try #require(
                try await service.send(.put, release, as: .proposer, ["os": "15.0"]).status.kind
                    == .successful
            )
            let offers: JSONValue = [
                "op": "setOffers", "platform": "ios", "offers": [["requiredVersion": "9.9.9"]],
            ]
            let body: JSONValue = [
                "title": "Ask for more", "reason": "It loses data", "incident": "INC-1",
                "operations": [offers],
            ]
            let emergency = "/v1/apps/harbour/emergency"
            for path in ["\(emergency)?dryRun=true", emergency] {
                let done = try await service.send(.post, path, as: .responder, body)
                #expect(done.status == .ok, "\(done.json)")
                #expect(done.unreleased == ["ios.offers"])
            }
            var higher = try #require(block.object)
            higher["below"] = "9.9.10"
            for path in ["\(path)?dryRun=true", path] {
                let done = try await service.send(.post, path, as: .responder, .object(higher))
                #expect(done.status == .ok, "\(done.json)")
                #expect(done.unreleased == ["ios.minimumApp.value", "ios.offers"])
                let offered = done.json["changes"]?.array?.last
                #expect(offered?["field"] == "ios.offers")
                #expect(offered?["after"]?.array?.first?["requiredVersion"] == "9.9.10")
            }
        }
    }

    @Test func `a review is listed, shown and closed by somebody else`() async throws {
        try await ServiceFixture.with { service in
            let done = try await service.send(.post, path, as: .responder, block)
            let position = try #require(done.json["review"]?["position"]?.integer)
            let review = "/v1/reviews/\(position)"
            let list = try await service.send(.get, "/v1/reviews?app=harbour", as: .viewer)
            let listed = try #require(list.json["reviews"]?.array?.first)
            #expect(listed["position"] == .integer(position))
            #expect(listed["kind"] == "emergency" && listed["state"] == "open")
            #expect(listed["incident"] == "INC-731")
            #expect(listed["reason"] == "3.1 loses bookings")
            let approver = try await service.principal(.approver)
            #expect(listed["reviewers"] == [.string(approver)])
            #expect(try await service.gauge("plimsoll_reviews_open") == "1")
            #expect(try await service.gauge("plimsoll_reviews_overdue") == "0")

            let verdict: JSONValue = ["outcome": "confirmed", "comment": "It was real."]
            for role in Role.allCases where role != .approver {
                let answer = try await service.send(.post, "\(review)/close", as: role, verdict)
                #expect(answer.status == .forbidden, "\(role)")
            }
            let closed = try await service.send(.post, "\(review)/close", as: .approver, verdict)
            #expect(closed.json["state"] == "closed")
            #expect(closed.json["verdict"]?["by"] == .string(approver))
            let shown = try await service.send(.get, review, as: .viewer)
            #expect(shown.bytes == closed.bytes)
            let again = try await service.send(.post, "\(review)/close", as: .approver, verdict)
            #expect(again.codes == ["reviewUnknown"])
            #expect(try await service.gauge("plimsoll_reviews_open") == "0")
        }
    }

    // Goal: a review shows what was done, and nothing that others did.
    @Test func `a review says from where on what was done is seen`() async throws {
        try await ServiceFixture.with { service in
            for version in ["3.2.0", "3.3.0"] {
                let order: JSONValue = [
                    "platform": "ios", "below": .string(version), "reason": "Broken",
                ]
                _ = try await service.send(.post, path, as: .responder, order)
            }
            let list = try await service.send(.get, "/v1/reviews", as: .viewer)
            let reviews = try #require(list.json["reviews"]?.array)
            for (review, values) in zip(reviews, [("0", "3.2.0"), ("3.2.0", "3.3.0")]) {
                let from = try #require(review["before"]?.integer)
                let to = try #require(review["position"]?.integer)
                let diff = try await service.send(
                    .get,
                    "/v1/apps/harbour/diff?from=event:\(from)&to=event:\(to)",
                    as: .viewer
                )
                let changes = try #require(diff.json["changes"]?.array)
                #expect(changes.map { $0["field"] } == ["ios.minimumApp.value"])
                #expect(changes.first?["before"]?.string ?? "0" == values.0)
                #expect(changes.first?["after"]?.string == values.1)
                let shown = try await service.send(.get, "/v1/reviews/\(to)", as: .viewer)
                #expect(shown.json == review)
            }
        }
    }

    @Test func `whoever objects says to what`() async throws {
        try await ServiceFixture.with { service in
            let done = try await service.send(.post, path, as: .responder, block)
            let position = try #require(done.json["review"]?["position"]?.integer)
            let path = "/v1/reviews/\(position)/close"
            let silent = try await service.send(.post, path, as: .approver, ["outcome": "objected"])
            #expect(silent.pointers == ["/comment"])
            let said = try await service.send(
                .post,
                path,
                as: .approver,
                ["outcome": "objected", "comment": "3.1.9 was fine"]
            )
            #expect(said.json["verdict"]?["outcome"] == "objected")
        }
    }

    @Test func `reviews are narrowed, and come in parts`() async throws {
        try await ServiceFixture.with { service in
            for version in ["3.2.0", "3.3.0", "3.4.0"] {
                let block: JSONValue = [
                    "platform": "ios", "below": .string(version), "reason": "Broken",
                ]
                _ = try await service.send(.post, path, as: .responder, block)
            }
            let owner = try await service.principal(.responder)
            let first = try await service.send(
                .get,
                "/v1/reviews?owner=\(owner)&limit=2",
                as: .viewer
            )
            #expect(first.json["reviews"]?.array?.count == 2)
            let cursor = try #require(first.json["next"]?.string)
            let last = try await service.send(
                .get,
                "/v1/reviews?owner=\(owner)&limit=2&cursor=\(cursor)",
                as: .viewer
            )
            #expect(last.json["reviews"]?.array?.count == 1)
            #expect(last.json["next"] == .null)
            let other = try await service.principal(.viewer)
            for query in ["owner=\(other)", "overdue=true"] {
                let none = try await service.send(.get, "/v1/reviews?\(query)", as: .viewer)
                #expect(none.json["reviews"] == [])
            }
        }
    }

    @Test func `closed reviews are listed, the one that was closed last first`() async throws {
        try await ServiceFixture.with { service in
            var positions: [String] = []
            for version in ["3.2.0", "3.3.0", "3.4.0"] {
                let block: JSONValue = [
                    "platform": "ios", "below": .string(version), "reason": "Broken",
                ]
                let receipt = try await service.send(.post, path, as: .responder, block)
                let review = try #require(receipt.json["review"])
                positions.append(try #require(review["position"]?.integer).description)
            }
            let query = "/v1/reviews?closed=true"
            let none = try await service.send(.get, query, as: .viewer)
            #expect(none.json["reviews"] == [])
            for position in [positions[1], positions[0]] {
                let verdict: JSONValue = ["outcome": "objected", "comment": "It ran"]
                let place = "/v1/reviews/\(position)/close"
                let closed = try await service.send(.post, place, as: .approver, verdict)
                #expect(closed.status == .ok)
            }
            var found: [String] = []
            var next = ""
            repeat {
                let list = try await service.send(.get, "\(query)&limit=1\(next)", as: .viewer)
                for review in list.json["reviews"]?.array ?? [] {
                    found.append(try #require(review["position"]?.integer).description)
                    #expect(review["state"] == "closed")
                    let place = "/v1/reviews/\(found.last ?? "")"
                    #expect(try await service.send(.get, place, as: .viewer).json == review)
                }
                next = list.json["next"]?.string.map { "&cursor=\($0)" } ?? ""
            } while !next.isEmpty
            #expect(found == [positions[0], positions[1]])
            let open = try await service.send(.get, "/v1/reviews", as: .viewer)
            #expect(open.json["reviews"]?.array?.count == 1)
            let overdue = try await service.send(.get, "\(query)&overdue=true", as: .admin)
            #expect(overdue.json["reviews"] == [])
            let stranger = try await service.send(.get, "\(query)&app=ferry", as: .admin)
            #expect(stranger.status == .notFound)
        }
    }

    // Method: a part of the list has room for one, and one of somebody else was closed last.
    @Test func `closed reviews of somebody are found behind those of others`() async throws {
        try await ServiceFixture.with { service in
            let owner = try await service.principal(.approver)
            let own = JSONValue.string(owner)
            var positions: [Int64] = []
            for (version, owner) in [("3.2.0", own), ("3.3.0", own), ("3.4.0", .null)] {
                let block: JSONValue = [
                    "platform": "ios", "below": .string(version), "reason": "Broken",
                    "owner": owner,
                ]
                let receipt = try await service.send(.post, path, as: .responder, block)
                let review = try #require(receipt.json["review"]?["position"]?.integer)
                let place = "/v1/reviews/\(review)/close"
                let verdict: JSONValue = ["outcome": "confirmed"]
                let closed = try await service.send(.post, place, as: .approver, verdict)
                try #require(closed.status == .ok, "\(closed)")
                if owner == own { positions.insert(review, at: 0) }
            }
            let query = "/v1/reviews?closed=true&owner=\(owner)&limit=1"
            let list = try await service.send(.get, query, as: .viewer)
            let cursor = try #require(list.json["next"]?.string)
            let rest = try await service.send(.get, "\(query)&cursor=\(cursor)", as: .viewer)
            let found = [list, rest].flatMap { $0.json["reviews"]?.array ?? [] }
            #expect(found.compactMap { $0["position"]?.integer } == positions, "\(list) \(rest)")
            #expect(rest.json["next"] == .null)
        }
    }

    @Test(arguments: ["0", "1", "999999", "x"])
    func `what is no review is not found`(_ position: String) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, "/v1/reviews/\(position)", as: .admin)
            #expect(answer.status == .notFound)
        }
    }
}

extension ServiceFixture {
    /// The id of the principal in a role.
    func principal(_ role: Role) async throws -> String {
        let identity = try await send(.get, "/v1/me", as: role)
        return try #require(identity.json["principal"]?.string)
    }

    /// What stands behind a name in the metrics, which nobody needs a token for.
    func gauge(_ name: String) async throws -> String? {
        let metrics = try await send(.get, "/metrics")
        return String(decoding: metrics.bytes, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("\(name) ") }?.split(separator: " ").last.map(String.init)
    }
}

extension ServiceAnswer {
    /// The fields that ask for a version which no known release is.
    fileprivate var unreleased: [String] {
        (json["checks"]?.array ?? []).filter { $0["check"] == "minimumUnreleased" }
            .compactMap { $0["field"]?.string }.sorted()
    }
}
