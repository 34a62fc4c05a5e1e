import HTTPTypes
import PlimsollDomain
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// Settings over REST: which hold, which are refused, and what was told of earlier ones.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct SettingsRouteTests {
    private static let path = "/v1/apps/harbour/settings"

    @Test func `settings are those of the registration until somebody gives others`() async throws {
        try await ServiceFixture.with { service in
            let first = try await service.send(.get, Self.path, as: .viewer)
            #expect(first.json["settings"] == settings())
            #expect(first.json["reason"] == .null)
            let position = try #require(first.json["position"]?.integer)
            #expect(first.tag == "\"\(position)\"")
            let made = try await service.change(to: settings(["profile": "minimal"]))
            let second = try await service.send(.get, Self.path, as: .viewer)
            #expect(second.json == made.json && second.tag == made.tag)
            #expect(second.json["reason"] == "It is time")
            #expect(second.json["settings"] == settings(["profile": "minimal"]))
            let app = try await service.send(.get, "/v1/apps/harbour", as: .viewer)
            #expect(app.json["profile"] == "minimal")
        }
    }

    // Goal: at an event everything is as it was then. Method: what was answered after each step is
    // asked for again at the end, by its event.
    @Test func `settings, apps and documents of earlier are found by their event`() async throws {
        let paths = [
            Self.path, "/v1/apps/harbour", "/v1/apps/harbour/documents/ios",
            "/v1/apps/harbour/prince-of-versions",
        ]
        try await ServiceFixture.with { service in
            var kept: [(position: Int64, answers: [JSONValue])] = []
            func keep() async throws {
                var answers: [JSONValue] = []
                let head = try await service.head()
                for path in paths {
                    let answer = try await service.send(.get, "\(path)?event=\(head)", as: .viewer)
                    try #require(answer.status == .ok, "\(path)")
                    answers.append(answer.json)
                }
                kept.append((head, answers))
            }
            try await service.apply(Edits.minimum("3.1.0"))
            try await keep()
            try await service.change(to: settings(["profile": "minimal"]))
            try await keep()
            try await service.change(
                to: settings(["platforms": ["ios", "android", "macos"], "princeOfVersions": "all"])
            )
            try await keep()
            for (position, answers) in kept {
                for (path, answer) in zip(paths, answers) {
                    let query = "\(path)?event=\(position)"
                    #expect(try await service.send(.get, query, as: .viewer).json == answer)
                }
            }
            #expect(kept[0].answers[0]["settings"] != kept[1].answers[0]["settings"])
            #expect(kept[1].answers[0]["settings"] != kept[2].answers[0]["settings"])
            #expect(kept[0].answers[2]["document"] != kept[1].answers[2]["document"])
            let macos = "/v1/apps/harbour/documents/macos"
            let early = try await service.send(
                .get,
                "\(macos)?event=\(kept[1].position)",
                as: .viewer
            )
            #expect(early.status == .notFound && early.codes == ["platformUnknown"])
            #expect(try await service.send(.get, macos, as: .viewer).status == .ok)
            for query in ["event=1", "event=100000", "at=2020-01-01T00:00:00Z"] {
                let answer = try await service.send(.get, "\(Self.path)?\(query)", as: .viewer)
                #expect(answer.status == .notFound, "\(query)")
            }
        }
    }

    @Test func `who refuses what is live is told to whoever knows the settings`() async throws {
        try await ServiceFixture.with { service in
            try await service.change(to: settings(["profile": "minimal"]))
            let known = try await service.send(.get, Self.path, as: .viewer)
            try await service.apply(Edits.minimum("3.1.0"))
            let again = try await service.send(
                .get,
                Self.path,
                as: .viewer,
                headers: [.ifNoneMatch: known.tag]
            )
            #expect(again.status == .ok && again.tag == known.tag)
            #expect(again.json["settings"] == known.json["settings"])
            #expect(again.json["refusedBy"] != known.json["refusedBy"])
        }
    }

    @Test func `whoever gives settings has seen those that hold`() async throws {
        try await ServiceFixture.with { service in
            let first = try await service.change(to: settings(["profile": "minimal"]))
            try await service.change(to: settings())
            let end = try await service.logEnd()
            let wanted = settings(["name": "Quay"])
            let unseen = try await service.send(.put, Self.path, as: .admin, wanted)
            #expect(unseen.status == .preconditionRequired && unseen.codes == ["settingsUnseen"])
            for (tag, codes) in [(first.tag, ["settingsDiffer"]), ("\"x\"", ["settingsDiffer"])] {
                let stale = try await service.send(
                    .put,
                    Self.path,
                    as: .admin,
                    wanted,
                    headers: [.ifMatch: tag]
                )
                #expect(stale.status == .preconditionFailed && stale.codes == codes)
                #expect(stale.faultyHeaders == ["If-Match"])
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `of two at once one is taken, and the other one told`() async throws {
        try await ServiceFixture.with { service in
            let seen: HTTPFields = [
                .ifMatch: try await service.send(.get, Self.path, as: .admin).tag
            ]
            @Sendable func change(_ name: JSONValue) async throws -> HTTPResponse.Status {
                try await service.send(
                    .put,
                    Self.path,
                    as: .admin,
                    settings(["name": name]),
                    headers: seen
                ).status
            }
            async let first = change("Quay")
            async let second = change("Pier")
            let codes = try await [first.code, second.code]
            #expect(codes.sorted() == [200, 412])
            let list = try await service.send(
                .get,
                "/v1/events?type=AppSettingsChanged",
                as: .auditor
            )
            #expect(list.json["events"]?.array?.count == 1)
        }
    }

    @Test func `a language without its texts is refused, each of them by name`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1.0"))
            let tag = try await service.send(.get, Self.path, as: .admin).tag
            let end = try await service.logEnd()
            let wanted = settings(["languages": ["cy", "en-GB", "en", "de"]])
            let answer = try await service.send(
                .put,
                Self.path,
                as: .admin,
                wanted,
                headers: [.ifMatch: tag]
            )
            #expect(answer.status == .conflict)
            #expect(answer.codes == ["languageUnwritten", "languageUnwritten"])
            #expect(answer.pointers == ["/languages/0", "/languages/3"])
            let details = answer.json["errors"]?.array?.compactMap { $0["detail"]?.string } ?? []
            #expect(details.first?.contains("ios.minimumApp.description.cy") == true)
            #expect(try await service.logEnd() == end)
            try await service.apply([Edits.text("cy", "Diweddarwch."), Edits.text("de", "Neu.")])
            try await service.change(to: wanted)
            let proposed = try await service.propose(Edits.minimum("3.2.0"))
            #expect(proposed.status == .created)
        }
    }

    @Test func `all that is wrong with settings is said at once, each at its place`() async throws {
        try await ServiceFixture.with { service in
            let tag = try await service.send(.get, Self.path, as: .admin).tag
            for (wanted, pointers) in [
                (
                    settings([
                        "platforms": ["ios", "ios"], "languages": ["en", "EN", "de"],
                        "fallbackLanguage": "cy",
                    ]),
                    ["/platforms/1", "/languages/1", "/fallbackLanguage", "/platforms"]
                ),
                (
                    settings(["platforms": ["ios", "palm"], "languages": ["en", "e"], "name": ""]),
                    ["/name", "/platforms/1", "/languages/1"]
                ),
                (settings(["profile": nil]), ["/profile"]),
                (settings(["princeOfVersions": nil]), ["/princeOfVersions"]),
                (settings(["princeOfVersions": "some"]), ["/princeOfVersions"]),
                (settings(["slug": "quay"]), ["/slug"]),
                (settings(["languages": .array(hundredAndOne)]), ["/languages"]),
            ] {
                let answer = try await service.send(
                    .put,
                    Self.path,
                    as: .admin,
                    wanted,
                    headers: [.ifMatch: tag]
                )
                #expect(answer.status == .unprocessableContent, "\(answer)")
                #expect(answer.pointers == pointers, "\(answer)")
            }
        }
    }

    @Test func `a freeze keeps a profile from changing, and a name not`() async throws {
        try await ServiceFixture.with { service in
            let reason: JSONValue = ["reason": "Launch day"]
            let freeze = "/v1/apps/harbour/freeze"
            let frozen = try await service.send(.post, freeze, as: .responder, reason)
            #expect(frozen.status.kind == .successful)
            let refused = try await service.send(
                .put,
                Self.path,
                as: .admin,
                settings(["profile": "minimal"]),
                headers: [.ifMatch: try await service.send(.get, Self.path, as: .admin).tag]
            )
            #expect(refused.status == .conflict && refused.codes == ["frozen"])
            try await service.change(to: settings(["name": "Quay"]))
        }
    }

    @Test func `nobody but an administrator gives settings, and what is so is nothing to do`()
        async throws
    {
        try await ServiceFixture.with { service in
            let tag = try await service.send(.get, Self.path, as: .admin).tag
            let end = try await service.logEnd()
            for role in Role.allCases {
                let answer = try await service.send(
                    .put,
                    Self.path,
                    as: role,
                    settings(role == .admin ? [:] : ["name": "Mine"]),
                    headers: [.ifMatch: tag]
                )
                #expect(
                    answer.codes == [role == .admin ? "nothingChanges" : "roleMissing"],
                    "\(role)"
                )
            }
            #expect(try await service.logEnd() == end)
        }
    }

    @Test func `the record says what became other settings`() async throws {
        try await ServiceFixture.with { service in
            try await service.change(
                to: settings(["languages": ["en-GB", "en", "de"], "profile": "minimal"])
            )
            let sentence =
                "Settings of harbour changed: languages en-GB, en → en-GB, en, de; profile"
                + " complete → minimal"
            let path = "/v1/events?type=AppSettingsChanged&app=harbour"
            let list = try await service.send(.get, path, as: .auditor)
            let events = try #require(list.json["events"]?.array)
            #expect(events.map { $0["sentence"]?.string } == [sentence])
            #expect(events.first?["data"]?["profile"] == "minimal")
            #expect(
                events.first?["differences"]?.array?.last == [
                    "member": "profile", "subject": "profile", "before": "complete",
                    "after": "minimal",
                ]
            )
            for form in ["application/x-ndjson", "text/csv"] {
                let copy = try await service.send(
                    .get,
                    path,
                    as: .auditor,
                    headers: [.accept: form]
                )
                let text = String(decoding: copy.bytes, as: UTF8.self)
                #expect(text.contains(sentence), "\(form)")
                guard form == "text/csv" else { continue }
                #expect(text.contains(#",languages,"en-GB, en","en-GB, en, de","#))
                #expect(text.contains(",profile,complete,minimal,"))
            }
            let ios = "/v1/apps/harbour/documents/ios/blame"
            #expect(try await service.send(.get, ios, as: .auditor).json["fields"] == [])
        }
    }
}

private let hundredAndOne =
    ["en-GB"].map(JSONValue.string)
    + (1...100).map { .string("en-x-\($0)") }

/// The settings of harbour, some of them others; `nil` leaves one out.
private func settings(_ others: [String: JSONValue?] = [:]) -> JSONValue {
    var settings: JSONObject = [
        "name": "Harbour", "platforms": ["ios", "android"], "languages": ["en-GB", "en"],
        "fallbackLanguage": "en-GB", "profile": "complete", "princeOfVersions": "modern",
    ]
    for (name, value) in others { settings[name] = value }
    return .object(settings)
}

extension ServiceFixture {
    /// Gives harbour other settings in the place of those that it has.
    @discardableResult
    fileprivate func change(to settings: JSONValue) async throws -> ServiceAnswer {
        let path = "/v1/apps/harbour/settings"
        var body = settings.object ?? [:]
        body["reason"] = "It is time"
        let tag = try await send(.get, path, as: .admin).tag
        let answer = try await send(
            .put,
            path,
            as: .admin,
            .object(body),
            headers: [.ifMatch: tag]
        )
        try #require(answer.status == .ok, "\(answer)")
        return answer
    }
}
