import Foundation
import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct WebhookTests {
    private let id = WebhookID(UUID())
    private let warden = PrincipalID(UUID())

    private func key(_ digit: Character = "a") throws -> WebhookKeyID {
        try #require(WebhookKeyID(String(repeating: digit, count: 16)))
    }

    private func settings(_ scope: Scope = .all, _ types: [String] = []) throws -> WebhookSettings {
        let url = try #require(WebhookURL("https://hooks.example.com/"))
        return WebhookSettings(url: url, scope: scope, types: types.compactMap(EventName.init))
    }

    private func register(
        _ scope: Scope = .all,
        _ types: [String] = [],
        by principal: PrincipalID = root
    ) throws -> RegisterWebhook {
        RegisterWebhook(id, try settings(scope, types), key: try key(), by: principal)
    }

    /// Harbour, with an administrator of that app alone.
    private func given() throws -> Given {
        try Given.harbourApp().when(
            root,
            (.access, .access(.principalAdded(warden))),
            (.access, .access(.roleGranted(warden, RoleGrant(.admin, in: .app(harbour)))))
        )
    }

    @Test func `whoever administers all that is sent may have it sent`() throws {
        let given = try given().when(try register())
        #expect(given.logState.webhooks[id]?.isEnabled == true)
        #expect(given.logState.webhooks[id]?.registeredAt == given.logState.position)
        _ = try self.given().when(try register(.app(harbour), by: warden))
        try self.given().when(try register(by: warden), refusedBy: .roleMissing(.admin, .all))
        for principal in [alice, bob, rita] {
            try self.given().when(
                try register(.app(harbour), by: principal),
                refusedBy: .roleMissing(.admin, .app(harbour))
            )
        }
    }

    @Test func `an app that is not there and a type that stands twice are refused at once`() throws
    {
        try given().when(
            try register(.app(slug("quay")), ["TextSet", "TextSet"]),
            refusedBy: .scopeUnknown(slug("quay"), at: "/app"),
            .repeated("TextSet", at: "/types/1")
        )
    }

    @Test func `there are no more than there may be`() throws {
        var given = try given()
        for _ in 0..<Webhooks.countMaximum {
            given = given.when(
                RegisterWebhook(WebhookID(UUID()), try settings(), key: try key(), by: root)
            )
        }
        given.when(try register(), refusedBy: .webhooksFull(.all, maximum: Webhooks.countMaximum))
        let oldest = try #require(given.logState.webhooks.all.first)
        _ = given.when(RemoveWebhook(oldest.id, reason: nil, by: root)).when(try register())
    }

    @Test func `one app leaves room for the others`() throws {
        var given = try given()
        for _ in 0..<Webhooks.countMaximumOfApp {
            let order = try settings(.app(harbour))
            given = given.when(
                RegisterWebhook(WebhookID(UUID()), order, key: try key(), by: warden)
            )
        }
        given.when(
            try register(.app(harbour), by: warden),
            refusedBy: .webhooksFull(.app(harbour), maximum: Webhooks.countMaximumOfApp)
        )
        _ = given.when(try register())
    }

    @Test func `to strangers a webhook does not exist, and others may not touch it`() throws {
        let given = try given().when(try register(.app(harbour)))
        let stranger = PrincipalID(UUID())
        for command in [
            DisableWebhook(id, reason: nil, by: stranger), DisableWebhook(id, reason: nil, by: bob),
        ] {
            let isStranger = command.by == stranger
            given.when(
                command,
                refusedBy: isStranger ? .webhookUnknown(id) : .roleMissing(.admin, .app(harbour))
            )
        }
        given.when(
            ReplayToWebhook(id, since: Position(1), until: nil, by: bob),
            refusedBy: .roleMissing(.admin, .app(harbour))
        )
        given.when(
            RotateWebhookSecret(of: id, key: try key(), by: bob),
            refusedBy: .roleMissing(.admin, .app(harbour))
        )
        given.when(
            RemoveWebhook(id, reason: nil, by: bob),
            refusedBy: .roleMissing(.admin, .app(harbour))
        )
        given.when(
            EnableWebhook(id, reason: nil, by: bob),
            refusedBy: .roleMissing(.admin, .app(harbour))
        )
        _ = given.when(DisableWebhook(id, reason: nil, by: warden))
    }

    @Test func `it is disabled and enabled in turn, and only the service tells a cause`() throws {
        let given = try given().when(try register())
        given.when(EnableWebhook(id, reason: nil, by: root), refusedBy: .nothingChanges)
        let stopped = given.when(DisableWebhook(id, because: "it answered 410"))
        #expect(stopped.logState.webhooks[id]?.stop?.cause == "it answered 410")
        #expect(stopped.logState.webhooks[id]?.stop?.by == .system)
        stopped.when(DisableWebhook(id, reason: nil, by: root), refusedBy: .nothingChanges)
        let again = stopped.when(EnableWebhook(id, reason: nil, by: root))
        #expect(again.logState.webhooks[id]?.isEnabled == true)
        #expect(again.logState.webhooks[id]?.enabledAt == again.logState.position)
    }

    @Test func `the secret before the newest signs for a day`() throws {
        let given = try given().at(testNow).when(try register())
            .when(RotateWebhookSecret(of: id, key: try key("b"), by: root))
        let end = testNow.advanced(by: .seconds(86_400))
        let webhook = try #require(given.logState.webhooks[id])
        #expect(webhook.secrets(at: testNow).map(\.generation) == [2, 1])
        #expect(webhook.secrets(at: testNow).map(\.key) == [try key("b"), try key("a")])
        #expect(webhook.secrets(at: end.advanced(by: .milliseconds(-1))).count == 2)
        #expect(webhook.secrets(at: end).map(\.generation) == [2])
    }

    // Goal: who rotates again because an answer was lost does not end what the receiver has.
    @Test func `a second rotation ends no secret before its time`() throws {
        let (soon, day) = (testNow.advanced(by: .seconds(300)), Duration.seconds(86_400))
        let rotate = RotateWebhookSecret(of: id, key: try key(), by: root)
        var given = try given().at(testNow).when(try register()).when(rotate).at(soon).when(rotate)
        let webhook = try #require(given.logState.webhooks[id])
        func signers(_ now: Instant) -> [Int] { webhook.secrets(at: now).map(\.generation) }
        #expect(signers(soon) == [3, 2, 1])
        #expect(signers(testNow.advanced(by: day)) == [3, 2])
        #expect(signers(soon.advanced(by: day)) == [3])
        for _ in 1...Webhook.secretsMaximum { given = given.when(rotate) }
        #expect(given.logState.webhooks[id]?.secrets(at: soon).count == Webhook.secretsMaximum)
    }

    @Test func `a replay lies within the log`() throws {
        let given = try given().when(try register())
        let head = given.logState.position
        given.when(
            ReplayToWebhook(id, since: Position(2), until: nil, by: root),
            then: [.webhook(.webhookReplayOrdered(id, since: Position(2), until: head))]
        )
        for since in [0, Int(head.rawValue) + 1] {
            given.when(
                ReplayToWebhook(id, since: Position(since), until: nil, by: root),
                refusedBy: .numberOutside(1...head.rawValue, at: "/since")
            )
        }
        for until in [1, Int(head.rawValue) + 1] {
            given.when(
                ReplayToWebhook(id, since: Position(2), until: Position(until), by: root),
                refusedBy: .numberOutside(2...head.rawValue, at: "/until")
            )
        }
    }

    @Test(arguments: [
        "", "Change Applied", "ChangeApplied1", "ÄA", String(repeating: "a", count: 61),
    ])
    func `what is no name of a type is refused`(_ text: String) {
        #expect(EventName(text) == nil)
    }

    @Test(arguments: ["", "0123456789abcde", "0123456789ABCDEF", "0123456789abcdefa"])
    func `what is no id of a key is refused`(_ text: String) {
        #expect(WebhookKeyID(text) == nil)
    }
}
