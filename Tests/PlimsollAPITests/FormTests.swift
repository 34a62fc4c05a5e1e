import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import Testing

@Suite struct RegistrationFormTests {
    private let complete = #"""
        {"slug": "harbour", "name": "Harbour", "platforms": ["ios", "android"],
         "languages": ["en-GB", "en"], "fallbackLanguage": "en-GB"}
        """#

    @Test func `the documented body is read`() throws {
        let form = try RegistrationForm(body: Array(complete.utf8))
        #expect(form.slug.text == "harbour")
        #expect(form.settings.platforms == [.ios, .android])
        #expect(form.settings.profile == .complete)
        #expect(form.settings.princeClients == .modern)
        #expect(form.isDefault == nil)
        #expect(try RegistrationForm(body: form.bytes) == form)
    }

    @Test(arguments: PrinceOfVersionsClients.allCases)
    func `which clients Prince of Versions is for may be said`(
        clients: PrinceOfVersionsClients
    ) throws {
        let member = #", "princeOfVersions": "\#(clients.rawValue)"}"#
        let form = try RegistrationForm(body: Array((complete.dropLast() + member).utf8))
        #expect(form.settings.princeClients == clients)
        #expect(try RegistrationForm(body: form.bytes) == form)
    }

    @Test func `every bad entry of a list is named`() throws {
        let body = #"""
            {"slug": "Harbour", "name": "", "platforms": ["ios", "symbian", 3],
             "languages": ["en_GB", null], "fallbackLanguage": "", "profile": "maximal",
             "princeOfVersions": "legacy", "default": "yes", "colour": "red"}
            """#
        let problem = try #require(throws: Problem.self) {
            try RegistrationForm(body: Array(body.utf8))
        }
        #expect(
            Set(pointers(problem)) == [
                "/slug", "/name", "/platforms/1", "/platforms/2", "/languages/0", "/languages/1",
                "/fallbackLanguage", "/profile", "/princeOfVersions", "/default", "/colour",
            ]
        )
    }

    @Test(arguments: ["keys", "log", "", "-a", "a-", "Ä", "a/b", "1a"])
    func `a slug that cannot stand in an address is refused`(_ slug: String) throws {
        let body = complete.replacing("\"harbour\"", with: "\"\(slug)\"")
        let problem = try #require(throws: Problem.self) {
            try RegistrationForm(body: Array(body.utf8))
        }
        #expect(pointers(problem) == ["/slug"])
    }
}

@Suite struct RollbackFormTests {
    @Test func `each way to name a target is read and written`() throws {
        let reason = try Reason(validating: "3.2.0 never reached the store")
        let time = try #require(Instant(rfc3339: "2026-11-21T08:00:00.250Z"))
        let change = try #require(ChangeID("17"))
        let most = ChangePolicy.secondsMaximum
        for target in [
            RollbackTarget.event(Position(42)), .time(time), .beforeChange(change),
            .lastGood(seconds: 1), .lastGood(seconds: most),
        ] {
            let form = RollbackForm(target: target, platforms: [.ios], undoing: 2, reason: reason)
            #expect(try RollbackForm(body: form.bytes) == form)
        }
        let revert = RollbackForm(
            target: .revert(change),
            keep: [Field(.ios, .minimumApp, .value)],
            reason: reason
        )
        #expect(try RollbackForm(body: revert.bytes) == revert)
    }

    @Test(arguments: [
        (#"{"to": {}, "reason": "r"}"#, ["/to"]),
        (#"{"to": {"event": 1, "time": "2026-11-21T08:00:00Z"}, "reason": "r"}"#, ["/to"]),
        (#"{"to": {"event": -1}, "reason": "r"}"#, ["/to/event"]),
        (#"{"to": {"time": "yesterday"}, "reason": "r"}"#, ["/to/time"]),
        (#"{"to": {"beforeChange": 17}, "reason": "r"}"#, ["/to/beforeChange"]),
        (#"{"to": {"revert": "0"}, "reason": "r"}"#, ["/to/revert"]),
        (#"{"to": {"revert": "1", "beforeChange": "1"}, "reason": "r"}"#, ["/to"]),
        (#"{"to": {"revert": "1"}, "platforms": ["ios"], "reason": "r"}"#, ["/platforms"]),
        (
            #"{"to": {"revert": "1"}, "undoing": 1, "target": 4, "reason": "r"}"#,
            ["/target", "/undoing"]
        ),
        (#"{"to": {"revert": "1"}, "keep": ["ios"], "reason": "r"}"#, ["/keep/0"]),
        (#"{"to": {"event": 1}, "keep": ["ios.minimumApp.value"], "reason": "r"}"#, ["/keep"]),
        (#"{"to": {"event": 1}, "undoing": -1, "reason": "r"}"#, ["/undoing"]),
        (#"{"to": {"lastGood": 0}, "reason": "r"}"#, ["/to/lastGood"]),
        (#"{"to": {"lastGood": 3162240001}, "reason": "r"}"#, ["/to/lastGood"]),
        (#"{"to": {"lastGood": 9223372036854}, "reason": "r"}"#, ["/to/lastGood"]),
        (#"{"to": {"event": 1, "version": 2}, "reason": "r"}"#, ["/to/version"]),
        (#"{"to": 42, "reason": "r"}"#, ["/to"]),
        (#"{"to": {"event": 1}}"#, ["/reason"]),
        (#"{"to": {"event": 1}, "reason": " "}"#, ["/reason"]),
        (#"{"to": {"event": 1}, "reason": "r", "platforms": ["tv"]}"#, ["/platforms/0"]),
    ])
    func `a target that is none, or two, is refused`(_ body: String, _ expected: [String]) throws {
        let problem = try #require(throws: Problem.self) {
            try RollbackForm(body: Array(body.utf8))
        }
        #expect(pointers(problem) == expected)
    }
}

@Suite struct RevisionFormTests {
    private func body(_ resolve: String) -> [UInt8] {
        let operation = #"{"op": "clearValue", "platform": "ios", "threshold": "minimumApp"}"#
        return Array(
            #"{"base": 4, "operations": [\#(operation)], "resolve": \#(resolve)}"#.utf8
        )
    }

    @Test func `a revision says of each field whose it is to be`() throws {
        let form = try RevisionForm(
            body: body(#"{"ios.minimumApp.value": "mine", "ios.minimumApp.title.en": "theirs"}"#)
        )
        let title = try #require(Field(path: "ios.minimumApp.title.en"))
        #expect(form.resolve == [Field(.ios, .minimumApp, .value): .mine, title: .theirs])
        #expect(try RevisionForm(body: form.bytes).resolve == form.resolve)
        #expect(try RevisionForm(body: body("null")).resolve == [:])
    }

    @Test(arguments: [
        (#"{"ios.minimumApp": "mine"}"#, "/resolve/ios.minimumApp"),
        (#"{"ios.minimumApp.value": "ours"}"#, "/resolve/ios.minimumApp.value"),
        (#"{"ios.minimumApp.value": null}"#, "/resolve/ios.minimumApp.value"), ("[]", "/resolve"),
        (
            #"{"ios.minimumApp.title.en-GB": "mine", "ios.minimumApp.title.en-gb": "theirs"}"#,
            "/resolve/ios.minimumApp.title.en-gb"
        ),
    ])
    func `what is no field, or no choice, or stands there twice, is refused`(
        _ resolve: String,
        _ place: String
    ) throws {
        let problem = try #require(throws: Problem.self) {
            try RevisionForm(body: body(resolve))
        }
        #expect(pointers(problem) == [place])
    }
}

@Suite struct TokenFormTests {
    @Test func `a role without an app holds for all`() throws {
        let body = #"""
            {"name": "alice", "roles": [{"app": "harbour", "role": "proposer"}, {"role": "admin"}]}
            """#
        let form = try TokenForm(body: Array(body.utf8))
        let harbour = try #require(AppSlug("harbour"))
        #expect(
            form.roles == [RoleGrant(.proposer, in: .app(harbour)), RoleGrant(.admin, in: .all)]
        )
        #expect(try TokenForm(body: form.bytes) == form)
    }

    @Test(arguments: [
        (#"{"roles": []}"#, ["/name"]),
        (#"{"name": "a\u202Eb", "roles": []}"#, ["/name"]),
        (#"{"name": "a", "roles": [{"role": "king"}]}"#, ["/roles/0/role"]),
        (#"{"name": "a", "roles": [{"app": "*", "role": "viewer"}]}"#, ["/roles/0/app"]),
        (#"{"name": "a", "roles": {"role": "viewer"}}"#, ["/roles"]),
        (#"{"principal": "alice", "roles": []}"#, ["/principal"]),
        (
            #"{"name": "a", "principal": "6d1f8a52-4f0e-4a3c-9b1e-0d2c7a9e5b31", "roles": []}"#,
            ["/name"]
        ),
        (#"{"name": "a", "roles": [], "expiresAt": "2026-02-30T00:00:00Z"}"#, ["/expiresAt"]),
    ])
    func `a token for nobody or nothing known is refused`(
        _ body: String,
        _ expected: [String]
    ) throws {
        let problem = try #require(throws: Problem.self) { try TokenForm(body: Array(body.utf8)) }
        #expect(pointers(problem) == expected)
    }
}

@Suite struct DecisionFormTests {
    @Test func `an approval needs no word, a rejection does`() throws {
        #expect(try ApprovalForm(body: Array("{}".utf8)) == ApprovalForm())
        let problem = try #require(throws: Problem.self) {
            try MandatoryReasonForm(body: Array("{}".utf8))
        }
        #expect(pointers(problem) == ["/reason"])
    }

    @Test func `nothing but nothing is read where nothing is needed`() throws {
        #expect(try EmptyForm(body: Array("{}".utf8)) == EmptyForm())
        let problem = try #require(throws: Problem.self) {
            try EmptyForm(body: Array(#"{"force": true}"#.utf8))
        }
        #expect(pointers(problem) == ["/force"])
    }
}

@Suite struct SimulationFormTests {
    @Test func `versions are read as the platform writes them`() throws {
        let body = #"""
            {"device": {"platform": "android", "os": 33, "app": 35, "store": null,
             "language": "de"}}
            """#
        let form = try SimulationForm(body: Array(body.utf8))
        #expect(form.device.platform == .android)
        #expect(form.device.store == nil)
        #expect(form.operations.isEmpty)
        #expect(try SimulationForm(body: form.bytes) == form)
    }

    @Test func `a device that no platform has is refused`() throws {
        let body = #"""
            {"device": {"platform": "ios", "os": 15, "app": "1.2.3.4", "store": 3,
             "language": "x"}, "operations": [{}]}
            """#
        let problem = try #require(throws: Problem.self) {
            try SimulationForm(body: Array(body.utf8))
        }
        #expect(
            Set(pointers(problem)) == [
                "/device/os", "/device/app", "/device/store", "/device/language",
                "/operations/0/op", "/operations/0/platform", "/operations/0/threshold",
            ]
        )
    }
}
