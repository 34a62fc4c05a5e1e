import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// `GET /v1/apps/{app}/simulate`: one device in any state.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct SimulationTests {
    private static let path = "/v1/apps/harbour/simulate"
    private static let device = "?platform=ios&os=15.4&app=3.1.0&language=en"

    /// A device on each side of every line that the changes below draw.
    private static let devices = [
        "?platform=ios&os=15.4&app=3.1.0&language=en",
        "?platform=ios&os=15.4&app=3.1.0&language=en&store=3.2.0",
        "?platform=ios&os=15.4&app=3.2&language=en-GB",
        "?platform=ios&os=14.8&app=3.2.0&language=en-US",
        "?platform=ios&os=14.8&app=2&language=cy&store=3.3",
    ]

    private static func set(_ threshold: String, _ version: String) -> JSONValue {
        [
            "op": "setValue", "platform": "ios", "threshold": .string(threshold),
            "value": .string(version),
        ]
    }

    private static func texts(_ threshold: String, _ part: String = "description") -> [JSONValue] {
        ["en-GB", "en"].map { language in
            [
                "op": "setText", "platform": "ios", "threshold": .string(threshold),
                "part": .string(part), "language": .string(language),
                "text": .string("The \(part) of \(threshold) in \(language)."),
            ]
        }
    }

    /// Each moves some of the devices, and is laid over what the ones before it left.
    private static let changes: [JSONValue] = [
        Edits.minimum("3.2.0"),
        .array([set("minimumOS", "15.0")] + texts("minimumOS")),
        .array([Edits.text("en", "Another text."), set("minimumApp", "3.1.0")]),
        .array(
            [set("minimumOS", "14.0"), set("recommendedApp", "3.2.0")] + texts("recommendedApp")
                + texts("recommendedApp", "title")
        ),
        [["op": "clearThreshold", "platform": "ios", "threshold": "minimumApp"]],
        [
            [
                "op": "setOffers", "platform": "ios",
                "offers": [
                    ["requiredVersion": "3.2.0", "requirements": ["os": "15.0.0"]],
                    ["lastVersion": "3.3.0"],
                ],
            ]
        ],
        [["op": "removeOffer", "platform": "ios", "at": 0]],
    ]

    /// What the device is told: nothing of where that was found.
    private func shown(
        _ service: ServiceFixture,
        _ device: String,
        _ state: String = ""
    ) async throws -> [JSONValue?] {
        let answer = try await service.send(.get, Self.path + device + state, as: .viewer)
        try #require(answer.status == .ok, "\(answer)")
        return ["verdict", "runs", "title", "description", "because", "offers"].map {
            answer.json[$0]
        }
    }

    // Goal: what is promised of a change and of a rollback is what happens. Method: changes, one after
    // the other; each device is asked under the open change, and after it is live; then the
    // same back to every event on the way.
    @Test func `what a device is promised is what it shows afterwards`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            var positions = [try await service.head()]
            var pictures: [[[JSONValue?]]] = []
            for (number, operations) in zip(2..., Self.changes) {
                let change = try await service.propose(operations)
                #expect(change.json["id"] == .string("\(number)"))
                var promised: [[JSONValue?]] = []
                for device in Self.devices {
                    promised.append(try await shown(service, device, "&to=change:\(number)"))
                }
                _ = try await service.approve(change)
                for (device, promise) in zip(Self.devices, promised) {
                    #expect(try await shown(service, device) == promise, "\(device) \(number)")
                    let then = try await shown(service, device, "&from=change:\(number)")
                    #expect(then == promise, "\(device) \(number)")
                }
                positions.append(try await service.head())
                pictures.append(promised)
            }
            for (before, after) in zip(pictures, pictures.dropFirst()) {
                #expect(before != after, "each change moves some device")
            }
            for position in positions {
                let state = "&to=rollback:event:\(position)"
                var promised: [[JSONValue?]] = []
                for device in Self.devices {
                    promised.append(try await shown(service, device, state))
                }
                _ = try await service.send(
                    .post,
                    "/v1/apps/harbour/rollback",
                    as: .responder,
                    ["to": ["event": .integer(position)], "reason": "To and fro"]
                )
                for (device, promise) in zip(Self.devices, promised) {
                    #expect(try await shown(service, device) == promise, "\(device) \(position)")
                }
            }
        }
    }

    /// No release satisfies the change; an approver says why that is right, and approves it.
    private func applyUnreleased(_ change: ServiceAnswer, at service: ServiceFixture) async throws {
        let override: JSONValue = ["check": "minimumUnreleased", "reason": "It is the end."]
        for (verb, body) in [("override", override), ("approve", [:])] {
            let answer = try await service.send(
                .post,
                "/v1/changes/2/\(verb)",
                as: .approver,
                body,
                headers: [.ifMatch: change.tag]
            )
            #expect(answer.status == .ok, "\(answer.json)")
        }
    }

    // Goal: an edit of offers that requires an update of every device is not shown as if nothing
    // moved, wherever somebody looks before they agree.
    @Test func `offers that require an update of everybody are seen before they are in force`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let base = try await service.head()
            let path = "/v1/apps/harbour/shares/ios"
            _ = try await service.send(
                .put,
                path,
                as: .proposer,
                ["rows": [["app": "3.1.0", "devices": 7]]]
            )
            let release = "/v1/apps/harbour/releases/ios/3.1.0"
            _ = try await service.send(.put, release, as: .proposer, ["os": "13.0"])
            let offers: JSONValue = [
                [
                    "op": "setOffers", "platform": "ios",
                    "offers": [["requiredVersion": "99.0.0"]],
                ]
            ]
            let change = try await service.propose(offers)
            #expect(change.json["blocked"]?.array?.first?["after"] == 7)
            let under = try await service.send(
                .get,
                Self.path + Self.device + "&to=change:2",
                as: .viewer
            )
            #expect(under.json["moved"] == true && under.json["verdict"] == "available")
            #expect(under.json["before"]?["offers"]?["status"] == "NO_UPDATE_AVAILABLE")
            #expect(under.json["offers"]?["status"] == "REQUIRED_UPDATE_NEEDED")
            #expect(under.json["offers"]?["version"] == "99.0.0")
            let matrix = "/v1/apps/harbour/matrix?platform=ios&to=change:2"
            // The release runs on one of the two systems that are looked at.
            #expect(try await service.send(.get, matrix, as: .viewer).json["moved"] == 1)
            let told = "/v1/apps/harbour/prince-of-versions?in=change:2"
            let document = try await service.send(.get, told, as: .viewer).json["document"]
            #expect(document?["ios"]?.array?.first?["required_version"] == "99.0.0")
            try await applyUnreleased(change, at: service)
            let dryRun = try await service.send(
                .post,
                "/v1/apps/harbour/rollback?dryRun=true",
                as: .responder,
                ["to": ["event": .integer(base)], "reason": "To and fro"]
            )
            let devices = try #require(dryRun.json["devices"]?.array)
            let below = try #require(
                devices.first {
                    $0["kind"] == "belowMinimum" && $0["device"]?["platform"] == "ios"
                }
            )
            #expect(below["before"]?["offers"]?["status"] == "REQUIRED_UPDATE_NEEDED")
            #expect(below["after"]?["offers"]?["status"] == "NO_UPDATE_AVAILABLE")
            #expect(dryRun.json["blocked"]?.array?.first?["after"] == 0)
        }
    }

    // Goal: an open change that no longer fits what is live is refused by name wherever its state
    // is asked for, and the service lives on. Method: two changes put an offer for every device
    // first, and one of them is in force.
    @Test func `a change whose offers do not fit what is live has no state to show`()
        async throws
    {
        try await ServiceFixture.with { service in
            func first(_ version: String) -> JSONValue {
                let offer: JSONValue = ["lastVersion": .string(version)]
                return [["op": "insertOffer", "platform": "ios", "at": 0, "offer": offer]]
            }
            _ = try await service.propose(first("3.5.0"))
            try await service.apply(first("3.4.0"))
            let app = "/v1/apps/harbour"
            for (path, parameter) in [
                ("\(app)/prince-of-versions?in=change:1", "in"),
                (Self.path + Self.device + "&to=change:1", "to"),
                ("\(app)/matrix?platform=ios&to=change:1", "to"),
                ("\(app)/diff?from=live&to=change:1", "to"),
            ] {
                let answer = try await service.send(.get, path, as: .viewer)
                #expect(answer.status == .notFound, "\(path)")
                let fault = answer.json["errors"]?.array?.first
                #expect(fault?["code"] == "offerRefused", "\(path)")
                #expect(fault?["parameter"] == .string(parameter), "\(path)")
            }
        }
    }

    @Test func `both sides are told, and whether anything moves`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let base = try await service.head()
            try await service.apply(Edits.minimum("3.2.0"))
            let head = try await service.head()
            _ = try await service.propose(Edits.minimum("3.3.0"))
            let state = "&event=\(base)&to=change:3"
            let answer = try await service.send(.get, Self.path + Self.device + state, as: .viewer)
            #expect(
                answer.json["from"] == [
                    "state": .string("event:\(base)"), "position": .integer(base),
                ]
            )
            #expect(answer.json["to"]?["state"] == "change:3")
            #expect(answer.json["position"] == answer.json["to"]?["position"])
            #expect(answer.json["before"]?["verdict"] == "available")
            #expect(answer.json["verdict"] == "appTooOld")
            #expect(answer.json["because"] == "the app is older than 3.3.0")
            #expect(answer.json["moved"] == true)
            for target in [
                "event:\(base)", "before-change:2", "time:2999-01-01T00:00:00Z", "last-good:999999",
            ] {
                let answer = try await service.send(
                    .get,
                    "\(Self.path)\(Self.device)&to=rollback:\(target)",
                    as: .viewer
                )
                let isPast = target.hasPrefix("event") || target.hasPrefix("before")
                #expect(answer.status == (isPast ? .ok : .notFound), "\(target)")
                guard isPast else { continue }
                #expect(answer.json["to"]?["state"] == .string("rollback:\(target)"))
                #expect(answer.json["before"]?["verdict"] == "appTooOld")
                #expect(answer.json["verdict"] == "available")
            }
            let alone = try await service.send(.get, Self.path + Self.device, as: .viewer)
            #expect(alone.json["to"] == .null && alone.json["moved"] == false)
            #expect(alone.json["position"]?.integer ?? 0 > head)
        }
    }

    @Test(arguments: [
        ("&from=live&event=3", HTTPResponse.Status.badRequest, "twoMoments"),
        ("&to=change:99", .notFound, "changeUnknown"),
        ("&to=rollback:event:1000000", .notFound, "targetAhead"),
        ("&to=rollback:event:1", .notFound, "targetBeforeApp"),
        ("&to=rollback:before-change:1", .notFound, "changeNeverApplied"),
        ("&to=rollback:42", .badRequest, "valueWrong"),
        ("&to=rollback:last-good:0", .badRequest, "valueWrong"),
        ("&to=rollback:rollback:event:3", .badRequest, "valueWrong"),
        ("&change=1", .badRequest, "parameterUnknown"),
    ])
    func `a state that there is not is refused by its name`(
        _ state: String,
        _ status: HTTPResponse.Status,
        _ code: String
    ) async throws {
        try await ServiceFixture.with { service in
            let answer = try await service.send(.get, Self.path + Self.device + state, as: .viewer)
            #expect(answer.status == status)
            #expect(answer.codes == [code])
        }
    }

    @Test(arguments: ["simulate\(device)", "matrix?platform=ios"])
    func `a state that there is not is refused at the parameter that names it`(
        _ question: String
    ) async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.calm)
            let (head, ahead) = (try await service.head(), "event:1000000")
            var cases = [
                ("&from=\(ahead)", "from"), ("&to=\(ahead)", "to"),
                ("&from=event:\(head)&to=\(ahead)", "to"), ("&from=\(ahead)&to=live", "from"),
            ]
            if question.hasPrefix("simulate") {
                cases += [
                    ("&event=\(head)&to=\(ahead)", "to"), ("&event=1000000&to=live", "event"),
                ]
            }
            for (states, parameter) in cases {
                let path = "/v1/apps/harbour/\(question)\(states)"
                let answer = try await service.send(.get, path, as: .viewer)
                #expect(answer.status == .notFound, "\(states)")
                #expect(answer.codes == ["targetAhead"], "\(states)")
                #expect(answer.faultyParameters == [parameter], "\(states)")
            }
        }
    }

    @Test(arguments: [("change:99", "changeUnknown"), ("snapshot:1000000", "snapshotUnknown")])
    func `an unknown change or snapshot is refused at the parameter that names it too`(
        _ state: String,
        _ code: String
    ) async throws {
        let cases = [
            ("simulate\(Self.device)&from=\(state)&to=live", "from"),
            ("simulate\(Self.device)&to=\(state)", "to"),
            ("matrix?platform=ios&from=\(state)", "from"),
            ("matrix?platform=ios&to=\(state)", "to"), ("diff?from=\(state)&to=live", "from"),
            ("diff?from=live&to=\(state)", "to"), ("prince-of-versions?in=\(state)", "in"),
        ]
        try await ServiceFixture.with { service in
            for (question, parameter) in cases {
                let path = "/v1/apps/harbour/\(question)"
                let answer = try await service.send(.get, path, as: .viewer)
                #expect(answer.status == .notFound, "\(question)")
                #expect(answer.codes == [code], "\(question)")
                #expect(answer.faultyParameters == [parameter], "\(question)")
            }
        }
    }

    @Test func `what a rollback may not leave is not promised either`() async throws {
        try await ServiceFixture.with { service in
            let empty = try await service.head()
            try await service.apply(Edits.minimum("3.2.0"))
            let state = "&to=rollback:event:\(empty)"
            let answer = try await service.send(.get, Self.path + Self.device + state, as: .viewer)
            #expect(answer.status == .notFound)
            #expect(answer.codes == ["documentEmptied"])
        }
    }

    private static let strangeEdits: [(code: String, operations: [JSONValue])] = [
        ("repeated", [set("minimumApp", "3.2.0"), set("minimumApp", "3.1.0")]),
        ("offerPlaceMissing", [["op": "removeOffer", "platform": "ios", "at": 3]]),
        (
            "platformUnknown",
            [["op": "clearValue", "platform": "macos", "threshold": "minimumApp"]]
        ),
    ]

    @Test(arguments: strangeEdits)
    func `edits that may not be proposed are not tried either`(
        _ code: String,
        _ operations: [JSONValue]
    ) async throws {
        try await ServiceFixture.with { service in
            let device: JSONValue = [
                "platform": "ios", "os": "15.4", "app": "3.1.0", "language": "en",
            ]
            let answer = try await service.send(
                .post,
                Self.path,
                as: .viewer,
                ["device": device, "operations": .array(operations)]
            )
            #expect(answer.status == .unprocessableContent)
            #expect(answer.codes == [code])
            #expect(Contract.service.faults(in: answer, to: .post, Self.path) == [])
        }
    }
}
