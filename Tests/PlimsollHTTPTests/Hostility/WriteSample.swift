import HTTPTypes
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollStore
import Testing

@testable import PlimsollHTTP

/// A request that a write route grants, as it stands; its hostile twins differ in one thing.
struct WriteSample {
    let route: EndpointFacts
    let role: Role
    let path: String
    let body: JSONValue
    let headers: HTTPFields

    /// Every route that writes, by name; the router is held against the same table.
    static let routes = RouteTable.service.routes.filter(\.isWrite).map(\.name)

    /// Every route that asks for what was seen.
    static let decisions = RouteTable.service.routes
        .filter { $0.precondition != nil }.map(\.name)

    /// Fails where a route has none yet, so that no new route goes untried.
    init(_ name: String, on service: ServiceFixture) async throws {
        route = try #require(RouteTable.service.routes.first { $0.name == name })
        if name == "overrideCheck" { try await service.refuseRecommendationsBelowMinima() }
        if name == "dropNotifications" { try await service.keepNotification() }
        let entryKey = name == "retireEntryKey" ? try await service.replacedEntryKey() : ""
        let session = name == "endSession" ? try await service.signIn(as: .viewer) : ""
        try await service.apply(Edits.calm)
        let earlier = try await service.head()
        try await service.apply(Edits.minimum("3.1.0"))
        let head = try await service.head()
        let sample = try #require(
            WriteSample.bodies(head, earlier)[name],
            "\(name) has no sample here"
        )
        (role, body) = (sample.role, sample.body)
        let me = try await service.send(.get, "/v1/me", as: .viewer).json
        let token = me["token"]?.string
        let change = try await service.propose(Edits.minimum("3.2.0"))
        let tag: HTTPFields = [.ifMatch: change.tag]
        let id = try #require(change.json["id"]?.string)
        let webhook = try await service.webhook(for: route.path)
        var review: Int64?
        var key = (id: "", tag: "")
        for step in WriteSample.before[name] ?? [] {
            let path = step.path.replacing("{change}", with: id)
                .replacing("{webhook}", with: webhook)
                .replacing("{principal}", with: me["principal"]?.string ?? "")
            let answer = try await service.send(
                step.method,
                path,
                as: step.role,
                step.body,
                headers: ["/policy", "/marketplace"].contains(where: path.hasSuffix) ? [:] : tag
            )
            try #require(answer.status.kind == .successful, "\(path)")
            review =
                answer.json["review"]?["position"]?.integer ?? answer.json["plan"]?.integer
                ?? review
            if path.hasSuffix("/keys") { key = (answer.json["id"]?.string ?? "", answer.tag) }
        }
        path = route.path.replacing("{app}", with: "harbour")
            .replacing("{change}", with: try #require(change.json["id"]?.string))
            .replacing("{platform}", with: "ios").replacing("{version}", with: "3.2.0")
            .replacing("{token}", with: try #require(token))
            .replacing("{webhook}", with: webhook)
            .replacing("{principal}", with: try #require(me["principal"]?.string))
            .replacing("{position}", with: review.map(String.init) ?? "")
            .replacing("{key}", with: key.id).replacing("{marketplace}", with: "harbour")
            .replacing("{entryKey}", with: entryKey).replacing("{session}", with: session)
        var headers: HTTPFields = [.contentType: "application/json"]
        switch route.precondition {
        case .change: headers[.ifMatch] = change.tag
        case .key: headers[.ifMatch] = key.tag
        case .policy, .settings, .marketplace:
            headers[.ifMatch] = try await service.send(.get, path, as: .admin).tag
        case nil: break
        }
        self.headers = headers
    }

    private static let personKey: JSONValue = [
        "key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINKL4CD7QaZDgfNZiW/nUG/DuaZIzVDTdUpgckdQRFJW",
        "reason": "A new laptop",
    ]

    private static func bodies(
        _ head: Int64,
        _ earlier: Int64
    ) -> [String: (role: Role, body: JSONValue)] {
        [
            "registerApp": (.admin, registration), "changeSettings": (.admin, settings),
            "chooseDefaultApp": (.admin, ["from": "quay", "reason": "The sample may go"]),
            "issueToken": (.admin, token), "revokeToken": (.admin, [:]), "eraseName": (.admin, [:]),
            "renewToken": (.viewer, ["expiresAt": .string(tomorrow)]), "endSession": (.viewer, [:]),
            "suspendPrincipal": (.admin, ["reason": "Laptop stolen"]),
            "resumePrincipal": (.admin, ["reason": "New laptop"]),
            "revokeRole": (.admin, ["role": "viewer", "reason": "Left the team"]),
            "addPersonKey": (.admin, personKey), "revokePersonKey": (.admin, personKey),
            "proposeChange": (.proposer, proposal(head)),
            "approveChange": (.approver, ["comment": "Read."]),
            "rejectChange": (.approver, ["reason": "Too early."]),
            "withdrawChange": (.proposer, [:]),
            "requestChanges": (.approver, ["reason": "Welsh is missing."]),
            "commentOnChange": (.approver, ["comment": "At noon."]),
            "reviseChange": (.proposer, proposal(head)), "applyChange": (.proposer, [:]),
            "scheduleChange": (.proposer, ["schedule": schedule]),
            "freezeApp": (.responder, ["reason": "Launch day"]),
            "thawApp": (.responder, ["reason": "It is over"]),
            "freezeAll": (.admin, ["reason": "Launch day"]),
            "thawAll": (.admin, ["reason": "It is over"]),
            "planFreeze": (.responder, freezePlan), "planFreezeOfAll": (.admin, freezePlan),
            "cancelFreezePlan": (.responder, ["reason": "It has moved"]),
            "cancelFreezePlanOfAll": (.admin, ["reason": "It has moved"]),
            "rollBack": (.responder, rollback(earlier)),
            "changeDefaultPolicy": (.admin, policy), "changePolicy": (.admin, policy),
            "resetPolicy": (.admin, ["reason": "One rule for all"]),
            "declareEmergency": (.responder, emergency(head)), "blockVersion": (.responder, block),
            "overrideCheck": (
                .approver, ["check": "minimumAboveRecommended", "reason": "It is the end."]
            ),
            "closeReview": (.approver, ["outcome": "confirmed", "comment": "It was real."]),
            "registerRelease": (.proposer, release),
            "amendRelease": (.proposer, amendment),
            "withdrawRelease": (.admin, ["reason": "The review rejected it"]),
            "replaceVersionShares": (.proposer, shares),
            "removeVersionShares": (.proposer, ["reason": "Nobody counts any more"]),
            "registerWebhook": (.admin, webhook), "rotateWebhookSecret": (.admin, [:]),
            "enableWebhook": (.admin, ["reason": "They are back"]),
            "disableWebhook": (.admin, ["reason": "They move house"]),
            "replayToWebhook": (.admin, ["since": 1, "until": 2]),
            "removeWebhook": (.admin, ["reason": "They are gone"]),
            "setMarketplace": (.admin, marketplace),
            "removeMarketplace": (.admin, ["reason": "It has closed"]),
            "listApp": (.admin, listing), "unlistApp": (.admin, ["reason": "It moves"]),
            "ingestPackage": (.proposer, package),
            "announcePackage": (.proposer, ["package": "p-1", "packageVersion": "v-1"]),
            "dropNotifications": (.admin, drop), "forgetAccount": (.admin, ["account": "7f3c21"]),
            "withdrawPackages": (.responder, ["versions": ["7"], "reason": "It leaks"]),
            "addKey": (.admin, ["reason": "The old one is five years old"]),
            "activateKey": (.admin, ["reason": "Every phone knows it"]),
            "retireKey": (.admin, ["reason": "No phone needs it"]),
            "compromiseKey": (.responder, theft), "addEntryKey": (.admin, theft),
            "retireEntryKey": (.admin, theft),
        ]
    }

    private static let theft: JSONValue = ["reason": "The backup was stolen"]

    private typealias Step = (
        method: HTTPRequest.Method, path: String, role: Role, body: JSONValue
    )

    /// What has to happen first, so that there is something to write.
    private static let before: [String: [Step]] = [
        "closeReview": [(.post, "/v1/apps/harbour/block", .responder, block)],
        "chooseDefaultApp": [
            (.post, "/v1/apps", .admin, registration),
            (.post, "/v1/apps/quay/default", .admin, ["from": "harbour"]),
        ],
        "setMarketplace": [(.put, "/v1/apps/harbour/marketplace", .admin, olderMarketplace)],
        "removeMarketplace": [(.put, "/v1/apps/harbour/marketplace", .admin, marketplace)],
        "listApp": [(.put, "/v1/apps/harbour/marketplace", .admin, marketplace)],
        "unlistApp": [
            (.put, "/v1/apps/harbour/marketplace", .admin, marketplace),
            (.put, "/v1/apps/harbour/listings/harbour", .admin, listing),
        ],
        "amendRelease": [(.put, releasePath, .proposer, release)],
        "withdrawRelease": [(.put, releasePath, .proposer, release)],
        "removeVersionShares": [(.put, "/v1/apps/harbour/shares/ios", .proposer, shares)],
        "enableWebhook": [(.post, "/v1/webhooks/{webhook}/disable", .admin, [:])],
        "activateKey": [(.post, "/v1/apps/harbour/keys", .admin, [:])],
        "retireKey": [(.post, "/v1/apps/harbour/keys", .admin, [:])],
        "compromiseKey": [(.post, "/v1/apps/harbour/keys", .admin, [:])],
        "cancelFreezePlan": [(.post, "/v1/apps/harbour/freeze/plans", .responder, freezePlan)],
        "cancelFreezePlanOfAll": [(.post, "/v1/freeze/plans", .admin, freezePlan)],
        "resumePrincipal": [
            (.post, "/v1/principals/{principal}/suspend", .admin, ["reason": "Laptop stolen"])
        ],
        "revokePersonKey": [
            (.post, "/v1/principals/{principal}/add-key", .admin, personKey)
        ],
        "thawApp": [(.post, "/v1/apps/harbour/freeze", .responder, ["reason": "Launch day"])],
        "thawAll": [(.post, "/v1/freeze", .admin, ["reason": "Launch day"])],
        "changeDefaultPolicy": [(.put, "/v1/policy", .admin, ["rules": [:], "graceSeconds": 60])],
        "changePolicy": [(.put, "/v1/apps/harbour/policy", .admin, ["rules": [:]])],
        "resetPolicy": [(.put, "/v1/apps/harbour/policy", .admin, ["rules": [:]])],
        "applyChange": [
            (.post, "/v1/apps/harbour/freeze", .responder, ["reason": "Launch day"]),
            (.post, "/v1/changes/{change}/approve", .approver, [:]),
            (.delete, "/v1/apps/harbour/freeze", .responder, [:]),
        ],
    ]

    private static let drop: JSONValue = [
        "marketplace": "1", "item": "2", "reason": "It was never ours",
    ]

    private static let marketplace: JSONValue = [
        "item": "6497405838", "domains": ["market.example.com"],
        "restore": "https://market.example.com/restore",
        "updates": "https://market.example.com/updates",
        "dynamicLicense": "https://market.example.com/licenses",
        "signingCertificate": "https://market.example.com/signing.cer",
        "encryptionCertificate": "https://market.example.com/encryption.cer",
        "overrides": [["item": "6497405838", "pollingInterval": 48]],
    ]

    private static let olderMarketplace: JSONValue = [
        "item": "6497405838", "domains": ["market.example.com"],
        "restore": "https://market.example.com/old", "pollingInterval": 48,
        "updates": "https://market.example.com/updates",
        "dynamicLicense": "https://market.example.com/licenses",
        "signingCertificate": "https://market.example.com/signing.cer",
        "encryptionCertificate": "https://market.example.com/encryption.cer",
    ]

    private static let listing: JSONValue = [
        "item": "10737747186", "bundle": "org.example.harbour",
    ]

    private static let package: JSONValue = [
        "version": "878123456789", "shortVersion": "3.2.0", "bundleVersion": "412",
        "minimumSystems": [["platform": "ios", "version": "17.4"]],
        "address": "https://market.example.com/packages/878123456789/",
        "manifest": .string(String(repeating: "0f", count: 32)),
    ]

    private static let registration: JSONValue = [
        "slug": "quay", "name": "Quay", "platforms": ["ios", "android"],
        "languages": ["en-GB", "cy"], "fallbackLanguage": "en-GB", "profile": "minimal",
        "princeOfVersions": "all", "default": false,
    ]

    private static let settings: JSONValue = [
        "name": "Harbour and quay", "platforms": ["android", "ios", "macos"],
        "languages": ["en-GB"], "fallbackLanguage": "en-GB", "profile": "minimal",
        "princeOfVersions": "all", "reason": "It is on Macs too",
    ]

    static let webhook: JSONValue = [
        "url": "https://hooks.example.com/plimsoll", "app": "harbour",
        "types": ["ChangeApplied", "RolledBack"],
    ]

    private static let token: JSONValue = [
        "name": "Alice", "roles": [["app": "harbour", "role": "proposer"], ["role": "viewer"]],
        "expiresAt": "2099-12-31T23:59:59.999Z",
    ]

    private static func proposal(_ head: Int64) -> JSONValue {
        [
            "title": "Raise the line", "reason": "3.1 loses data", "base": .integer(head),
            "schedule": schedule,
            "operations": [
                [
                    "op": "setValue", "platform": "android", "threshold": "minimumApp",
                    "value": 310,
                ],
                text("en-GB", "Please update."), text("en", "Update."),
                ["op": "clearThreshold", "platform": "ios", "threshold": "recommendedOS"],
                [
                    "op": "removeText", "platform": "ios", "threshold": "recommendedApp",
                    "part": "title", "language": "cy",
                ],
            ],
        ]
    }

    private static let tomorrow = Instant.now.advanced(by: .seconds(86_400)).rfc3339

    private static let schedule: JSONValue = [
        "at": .string(tomorrow),
        "until": .string(Instant.now.advanced(by: .seconds(172_800)).rfc3339),
        "timeZone": "Europe/London",
    ]

    private static let freezePlan: JSONValue = [
        "from": .string(Instant.now.advanced(by: .seconds(86_400)).rfc3339),
        "until": .string(Instant.now.advanced(by: .seconds(172_800)).rfc3339),
        "timeZone": "Europe/London", "reason": "The holidays",
    ]

    private static func emergency(_ head: Int64) -> JSONValue {
        var emergency = proposal(head).object ?? [:]
        emergency["incident"] = "INC-731"
        // An emergency is applied at once.
        emergency["schedule"] = nil
        return .object(emergency)
    }

    private static let releasePath = "/v1/apps/harbour/releases/ios/3.2.0"

    private static let release: JSONValue = [
        "build": "412", "os": "15.0", "store": "App Store",
        "liveSince": "2026-11-21T08:00:00.000Z", "reason": "It is in the store",
    ]

    private static let shares: JSONValue = [
        "rows": [
            ["app": "3.1.0", "os": "15.4", "devices": 1200], ["app": "3.0", "devices": 80],
        ],
        "reason": "Week 47",
    ]

    private static let amendment: JSONValue = [
        "os": "16.0", "store": "Marketplace", "unset": ["build", "liveSince"],
        "reason": "It needs a newer system",
    ]

    private static let block: JSONValue = [
        "platform": "ios", "below": "3.3.0", "reason": "3.2 loses data", "incident": "INC-731",
    ]

    private static func text(_ language: String, _ text: String) -> JSONValue {
        [
            "op": "setText", "platform": "android", "threshold": "minimumApp",
            "part": "description", "language": .string(language), "text": .string(text),
        ]
    }

    private static let policy: JSONValue = [
        "reason": "Two for a higher minimum",
        "rules": [
            "raiseMinimum": [
                "approvals": [
                    ["count": 2, "role": "approver"],
                    ["count": 1, "role": "auditor", "people": []],
                ],
                "validSeconds": 86_400,
            ],
            "text": ["approvals": []],
        ],
        "emergencyReview": ["role": "approver", "withinSeconds": 3600],
        "rollbackReview": ["role": "auditor", "withinSeconds": 86_400], "graceSeconds": 0,
        "storeSeconds": 3600, "blockedPercentMaximum": 10,
    ]

    private static func rollback(_ earlier: Int64) -> JSONValue {
        ["to": ["event": .integer(earlier)], "platforms": ["ios"], "reason": "It never shipped"]
    }
}

extension ServiceFixture {
    /// The id of a webhook, where the path needs one.
    fileprivate func webhook(for path: String) async throws -> String {
        guard path.contains("{webhook}") else { return "" }
        let made = try await send(.post, "/v1/webhooks", as: .admin, WriteSample.webhook)
        return try #require(made.json["id"]?.string, "\(made)")
    }

    /// Sends a sample, or a twin of it.
    func send(
        _ sample: WriteSample,
        query: String = "",
        bytes: [UInt8]? = nil,
        headers: HTTPFields? = nil
    ) async throws -> ServiceAnswer {
        try await send(
            sample.route.httpMethod,
            sample.path + query,
            as: sample.role,
            bytes: bytes ?? sample.body.canonicalBytes(),
            headers: headers ?? sample.headers
        )
    }
}

extension ServiceFixture {
    /// One that waits for an app of a marketplace that nobody has registered.
    fileprivate func keepNotification() async throws {
        let text = """
            {"data":{"type":"AppUnavailable","version":1,"attributes":{"marketplaceAppId":"1",\
            "appId":"2"}}}
            """
        let notification = try #require(AppleNotification(Array(text.utf8)))
        _ = try await writer.perform(.init(TakeNotification(notification)))
    }
}
