import PlimsollDomain
import PlimsollJSON

extension Policy {
    /// What ``DataReader/policy(_:)`` reads.
    var data: JSONObject {
        var rules: JSONObject = [:]
        for (kind, rule) in self.rules { rules[kind.rawValue] = .object(rule.data) }
        var data: JSONObject = [
            "emergencyReview": .object(emergencyReview.data),
            "graceSeconds": .integer(graceSeconds),
            "releases": .object(releases.data),
            "rules": .object(rules),
            "shares": .object(shares.data),
            "storeSeconds": .integer(storeSeconds),
        ]
        data["blockedPercentMaximum"] = blockedPercentMaximum.map { .integer($0) }
        data["rollbackReview"] = rollbackReview.map { .object($0.data) }
        guard !checks.isEmpty else { return data }
        var checks: JSONObject = [:]
        for (name, rule) in self.checks { checks[name.rawValue] = .object(rule.data) }
        data["checks"] = .object(checks)
        return data
    }
}

extension FactRule {
    fileprivate var data: JSONObject {
        [
            "people": .array(people.map { .string($0.text) }),
            "roles": .array(roles.map { .string($0.rawValue) }),
        ]
    }
}

extension CheckRule {
    fileprivate var data: JSONObject {
        var data: JSONObject = ["severity": .string(severity.rawValue)]
        data["overridableBy"] = overridableBy.map { .string($0.rawValue) }
        return data
    }
}

extension ApprovalRule {
    fileprivate var data: JSONObject {
        var data: JSONObject = ["approvals": .array(requirements.map { .object($0.data) })]
        data["validSeconds"] = validSeconds.map { .integer($0) }
        return data
    }
}

extension ApprovalRequirement {
    fileprivate var data: JSONObject {
        [
            "count": .integer(Int64(count)),
            "people": .array(people.map { .string($0.text) }),
            "role": .string(role.rawValue),
        ]
    }
}

extension ReviewRule {
    fileprivate var data: JSONObject {
        ["role": .string(role.rawValue), "withinSeconds": .integer(withinSeconds)]
    }
}

extension ReviewOrder {
    var data: JSONObject {
        [
            "due": .string(due.rfc3339), "owner": .string(owner.text),
            "role": .string(role.rawValue),
        ]
    }
}

extension ReviewVerdict {
    /// The verdict, and the position that names the review.
    func data(of review: Position) -> JSONObject {
        var data: JSONObject = [
            "outcome": .string(outcome.rawValue), "review": .integer(review.rawValue),
        ]
        data["comment"] = comment.map { .string($0.text) }
        return data
    }
}

extension Emergency {
    var data: JSONObject {
        var data = review.data
        data["incident"] = .string(incident.text)
        return data
    }
}

extension FreezePlanEvent {
    var data: JSONObject {
        switch self {
        case .planned(let window):
            [
                "from": .string(window.from.rfc3339),
                "timeZone": .string(window.timeZone.text),
                "until": .string(window.until.rfc3339),
            ]
        case .cancelled(let plan), .started(let plan), .ended(let plan):
            ["plan": .integer(plan.rawValue)]
        }
    }
}

extension Schedule {
    var data: JSONObject {
        var data: JSONObject = ["timeZone": .string(timeZone.text)]
        data["at"] = at.map { .string($0.rfc3339) }
        data["until"] = until.map { .string($0.rfc3339) }
        return data
    }
}

extension Release {
    /// What ``DataReader/release()`` reads.
    var data: JSONObject {
        var data: JSONObject = [
            "platform": .string(platform.rawValue), "version": version.data,
        ]
        data["build"] = facts.build.map { .string($0.text) }
        data["liveSince"] = facts.liveSince.map { .string($0.rfc3339) }
        data["name"] = facts.name.map { .string($0.text) }
        data["os"] = facts.system?.data
        data["store"] = facts.store.map { .string($0.text) }
        return data
    }
}

extension VersionValue {
    /// A dotted version is a string and an integer version a number.
    var data: JSONValue {
        switch self {
        case .dotted(let version): .string(version.written)
        case .integer(let version): .integer(Int64(version.number))
        }
    }
}

extension DataReader {
    mutating func release() throws(EntryError) -> Release {
        let (platform, version) = try releaseName()
        return Release(
            platform: platform,
            version: version,
            facts: ReleaseFacts(
                name: try optional("name") { $0.string.flatMap(VersionName.init) },
                build: try label("build"),
                system: try optional("os", VersionValue.init(json:)),
                store: try label("store"),
                liveSince: try optional("liveSince") { $0.string.flatMap(Instant.init(rfc3339:)) }
            )
        )
    }

    mutating func releaseName() throws(EntryError) -> (Platform, VersionValue) {
        (
            try text("platform", Platform.init(rawValue:)),
            try member("version", VersionValue.init(json:))
        )
    }

    private mutating func label(_ key: String) throws(EntryError) -> Label? {
        try optional(key) { $0.string.flatMap { try? Label(validating: $0) } }
    }
}

extension VersionShares {
    /// What ``DataReader/versionShares()`` reads: of each row the app's version, that of the system
    /// or null, and the number of devices.
    func data(on platform: Platform) -> JSONObject {
        [
            "platform": .string(platform.rawValue),
            "rows": .array(
                rows.map { row in
                    [row.app.data, row.system?.data ?? .null, .integer(row.devices)]
                }
            ),
        ]
    }
}

extension DataReader {
    mutating func versionShares() throws(EntryError) -> AppEvent {
        let platform = try text("platform", Platform.init(rawValue:))
        let rows = try list("rows", VersionShares.Row.init(json:))
        return .versionSharesReplaced(platform, VersionShares(rows: rows))
    }
}

extension VersionShares.Row {
    fileprivate init?(json: JSONValue) {
        guard let cells = json.array, cells.count == 3, let app = VersionValue(json: cells[0]),
            let devices = cells[2].integer
        else { return nil }
        let system = VersionValue(json: cells[1])
        guard system != nil || cells[1] == .null else { return nil }
        self.init(app: app, system: system, devices: devices)
    }
}

extension WebhookEvent {
    /// What the event says, as its entry holds it.
    var data: JSONObject {
        var data: JSONObject = ["id": .string(webhook.text)]
        switch self {
        case .webhookRegistered(_, let settings, let key):
            data["key"] = .string(key.text)
            data["types"] = .array(settings.types.map { .string($0.text) })
            data["url"] = .string(settings.url.text)
            if case .app(let app) = settings.scope { data["app"] = .string(app.text) }
            data["format"] = .string(settings.format.rawValue)
            data["grouped"] = .bool(settings.isGrouped)
            data["names"] = .bool(settings.tellsNames)
        case .webhookSecretRotated(_, let key, let previousUntil):
            data["key"] = .string(key.text)
            data["previousUntil"] = .string(previousUntil.rfc3339)
        case .webhookDisabled(_, let cause): data["cause"] = cause.map { .string($0) }
        case .webhookEnabled, .webhookRemoved: break
        case .webhookReplayOrdered(_, let since, let until):
            data["since"] = .integer(since.rawValue)
            data["until"] = .integer(until.rawValue)
        }
        return data
    }
}

extension DataReader {
    mutating func webhookEvent() throws(EntryError) -> WebhookEvent {
        let id = try text("id", WebhookID.init)
        return switch type {
        case .webhookRegistered:
            .webhookRegistered(id, try webhookSettings(), try text("key", WebhookKeyID.init))
        case .webhookSecretRotated:
            .webhookSecretRotated(
                id,
                try text("key", WebhookKeyID.init),
                previousUntil: try text("previousUntil", Instant.init(rfc3339:))
            )
        case .webhookDisabled: .webhookDisabled(id, cause: try optional("cause", \.string))
        case .webhookEnabled: .webhookEnabled(id)
        case .webhookReplayOrdered:
            .webhookReplayOrdered(
                id,
                since: try number("since", Position.init(rawValue:)),
                until: try number("until", Position.init(rawValue:))
            )
        case .webhookRemoved: .webhookRemoved(id)
        default: preconditionFailure("the events of webhooks were told apart before")
        }
    }

    private mutating func webhookSettings() throws(EntryError) -> WebhookSettings {
        var settings = WebhookSettings(
            url: try text("url", WebhookURL.init),
            scope: try optional("app") { $0.string.flatMap(AppSlug.init) }.map(Scope.app) ?? .all,
            types: try list("types") { $0.string.flatMap(EventName.init) }
        )
        // The first shape did not say them.
        if let format = try optional("format", { $0.string.flatMap(WebhookFormat.init) }) {
            settings.format = format
        }
        settings.isGrouped = try optional("grouped", \.bool) ?? false
        settings.tellsNames = try optional("names", \.bool) ?? false
        return settings
    }
}
