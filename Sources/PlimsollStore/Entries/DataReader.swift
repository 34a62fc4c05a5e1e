import PlimsollDomain
import PlimsollJSON

/// Reads the members of an event's data, each once, and accepts no others.
struct DataReader {
    let type: EventType
    private let object: JSONObject
    private var read: [String] = []

    init(_ type: EventType, _ object: JSONObject) {
        self.type = type
        self.object = object
    }

    /// The member as whatever it has to be; a failure names it.
    mutating func member<Value>(
        _ key: String,
        _ make: (JSONValue) -> Value?
    ) throws(EntryError) -> Value {
        guard let value = try optional(key, make) else { throw .badMember(type, key) }
        return value
    }

    /// The member, or `nil` if there is none.
    mutating func optional<Value>(
        _ key: String,
        _ make: (JSONValue) -> Value?
    ) throws(EntryError) -> Value? {
        guard let json = object[key] else { return nil }
        read.append(key)
        guard let value = make(json) else { throw .badMember(type, key) }
        return value
    }

    /// The member as something that is written as a string.
    mutating func text<Value>(
        _ key: String,
        _ make: (String) -> Value?
    ) throws(EntryError) -> Value {
        try member(key) { $0.string.flatMap(make) }
    }

    mutating func number<Value>(
        _ key: String,
        _ make: (Int64) -> Value?
    ) throws(EntryError) -> Value {
        try member(key) { $0.integer.flatMap(make) }
    }

    mutating func list<Value>(
        _ key: String,
        _ make: (JSONValue) -> Value?
    ) throws(EntryError) -> [Value] {
        try member(key) { json in
            guard let elements = json.array else { return nil }
            let values = elements.compactMap(make)
            return values.count == elements.count ? values : nil
        }
    }

    /// Refuses members that nobody asked for.
    func finish() throws(EntryError) {
        guard read.count < object.count else { return }
        throw .strangeMembers(type, object.keys.filter { !read.contains($0) })
    }
}

// MARK: - What occurs in several events

extension DataReader {
    mutating func app() throws(EntryError) -> AppSlug { try text("app", AppSlug.init) }

    mutating func principal() throws(EntryError) -> PrincipalID {
        try text("principal", PrincipalID.init)
    }

    mutating func digest() throws(EntryError) -> ChangeDigest {
        try text("digest", ChangeDigest.init(hex:))
    }

    mutating func reason(_ key: String) throws(EntryError) -> Reason? {
        try optional(key) { $0.string.flatMap { try? Reason(validating: $0) } }
    }

    /// The operation that an element of a list is.
    mutating func listedOperation() throws(EntryError) -> Operation {
        let name = try text("op") { $0 }
        if let name = OperationName(rawValue: name) { return try operation(named: name) }
        if let name = LegacyEditName(rawValue: name) {
            return try legacyOperation(isSetting: name == .setLegacyOffer)
        }
        guard let name = OfferEditName(rawValue: name) else { throw .badMember(type, "op") }
        let platform = try text("platform", Platform.init(rawValue:))
        return Operation(platform, offers: try offerEdit(name))
    }

    /// The operation that a field event or an element of a list is.
    mutating func operation(
        named name: OperationName
    ) throws(EntryError) -> Operation {
        let platform = try text("platform", Platform.init(rawValue:))
        let threshold = try text("threshold", ThresholdName.init(rawValue:))
        return Operation(platform, threshold, try edit(name))
    }

    private mutating func edit(_ name: OperationName) throws(EntryError) -> Operation.Edit {
        switch name {
        case .setValue: return .setValue(try member("value", VersionValue.init(json:)))
        case .clearValue: return .clearValue
        case .clearThreshold: return .clearThreshold
        case .setText:
            let (part, language) = try textPlace()
            return .setText(part, language, try text("text") { try? Text(validating: $0) })
        case .removeText:
            let (part, language) = try textPlace()
            return .removeText(part, language)
        }
    }

    private mutating func textPlace() throws(EntryError) -> (TextPart, LanguageTag) {
        (try text("part", TextPart.init(rawValue:)), try text("language", LanguageTag.init))
    }
}

/// What an operation on a threshold is called where several stand in a list.
enum OperationName: String {
    case setValue
    case clearValue
    case clearThreshold
    case setText
    case removeText
}

extension VersionValue {
    /// A dotted version is a string and an integer version a number.
    init?(json: JSONValue) {
        switch json {
        case .string(let written):
            guard let version = AppleVersion(written) else { return nil }
            self = .dotted(version)
        case .integer(let number):
            guard let version = AndroidVersion(number) else { return nil }
            self = .integer(version)
        case .null, .bool, .array, .object: return nil
        }
    }
}

extension DataReader {
    /// The policy that is a member, or `nil` where the member is null.
    mutating func policy() throws(EntryError) -> Policy? {
        try inner("policy") { reader throws(EntryError) in
            Policy(
                rules: try reader.rules(),
                emergencyReview: try reader.reviewRule("emergencyReview"),
                rollbackReview: try reader.optionalReviewRule("rollbackReview"),
                graceSeconds: try reader.number("graceSeconds") { $0 },
                checks: try reader.checks(),
                storeSeconds: try reader.optional("storeSeconds", \.integer)
                    ?? Policy.storeSecondsUsual,
                blockedPercentMaximum: try reader.optional("blockedPercentMaximum", \.integer),
                releases: try reader.factRule("releases"),
                shares: try reader.factRule("shares")
            )
        }
    }

    mutating func schedule() throws(EntryError) -> Schedule? {
        try inner("schedule") { reader throws(EntryError) in
            Schedule(
                at: try reader.optional("at") { $0.string.flatMap(Instant.init(rfc3339:)) },
                until: try reader.optional("until") { $0.string.flatMap(Instant.init(rfc3339:)) },
                timeZone: try reader.text("timeZone", TimeZoneName.init)
            )
        }
    }

    /// What happened to a planned freeze, of an app or of everything.
    mutating func freezePlan() throws(EntryError) -> FreezePlanEvent {
        switch type {
        case .freezePlanned, .serviceFreezePlanned:
            .planned(
                FreezeWindow(
                    from: try text("from", Instant.init(rfc3339:)),
                    until: try text("until", Instant.init(rfc3339:)),
                    timeZone: try text("timeZone", TimeZoneName.init)
                )
            )
        case .freezePlanCancelled, .serviceFreezePlanCancelled: .cancelled(try plan())
        case .plannedFreezeStarted, .servicePlannedFreezeStarted: .started(try plan())
        default: .ended(try plan())
        }
    }

    private mutating func plan() throws(EntryError) -> Position {
        try number("plan", Position.init(rawValue:))
    }

    mutating func reviewOrder() throws(EntryError) -> ReviewOrder {
        ReviewOrder(
            owner: try text("owner", PrincipalID.init),
            role: try text("role", Role.init(rawValue:)),
            due: try text("due", Instant.init(rfc3339:))
        )
    }

    mutating func verdict() throws(EntryError) -> ReviewVerdict {
        ReviewVerdict(
            try text("outcome", ReviewVerdict.Outcome.init(rawValue:)),
            comment: try reason("comment")
        )
    }

    private mutating func rules() throws(EntryError) -> [ChangeKind: ApprovalRule] {
        let rules = try member("rules") { $0.object }
        var read: [ChangeKind: ApprovalRule] = [:]
        for name in rules.keys {
            guard let kind = ChangeKind(rawValue: name), let object = rules[name]?.object else {
                throw .badMember(type, "rules")
            }
            var reader = DataReader(type, object)
            read[kind] = try reader.rule()
            try reader.finish()
        }
        return read
    }

    private mutating func checks() throws(EntryError) -> [CheckName: CheckRule] {
        guard let checks = try optional("checks", \.object) else { return [:] }
        var read: [CheckName: CheckRule] = [:]
        for name in checks.keys {
            guard let check = CheckName(rawValue: name), let object = checks[name]?.object else {
                throw .badMember(type, "checks")
            }
            var reader = DataReader(type, object)
            read[check] = CheckRule(
                try reader.text("severity", CheckRule.Severity.init(rawValue:)),
                overridableBy: try reader.optional("overridableBy") {
                    $0.string.flatMap(Role.init(rawValue:))
                }
            )
            try reader.finish()
        }
        return read
    }

    private mutating func factRule(_ key: String) throws(EntryError) -> FactRule {
        guard let object = try optional(key, \.object) else { return .usual }
        var reader = DataReader(type, object)
        let rule = FactRule(
            roles: try reader.list("roles") { $0.string.flatMap(Role.init(rawValue:)) },
            people: try reader.list("people") { $0.string.flatMap(PrincipalID.init) }
        )
        try reader.finish()
        return rule
    }

    private mutating func rule() throws(EntryError) -> ApprovalRule {
        var requirements: [ApprovalRequirement] = []
        for object in try list("approvals", \.object) {
            var reader = DataReader(type, object)
            requirements.append(
                ApprovalRequirement(
                    try reader.number("count") { Int(exactly: $0) },
                    of: try reader.text("role", Role.init(rawValue:)),
                    people: try reader.list("people") { $0.string.flatMap(PrincipalID.init) }
                )
            )
            try reader.finish()
        }
        return ApprovalRule(
            requirements: requirements,
            validSeconds: try optional("validSeconds", \.integer)
        )
    }

    private mutating func reviewRule(_ key: String) throws(EntryError) -> ReviewRule {
        guard let rule = try optionalReviewRule(key) else { throw .badMember(type, key) }
        return rule
    }

    private mutating func optionalReviewRule(_ key: String) throws(EntryError) -> ReviewRule? {
        guard let object = try optional(key, \.object) else { return nil }
        var reader = DataReader(type, object)
        let rule = ReviewRule(
            role: try reader.text("role", Role.init(rawValue:)),
            withinSeconds: try reader.number("withinSeconds") { $0 }
        )
        try reader.finish()
        return rule
    }

    /// An object that is a member and may be null, read to its end.
    private mutating func inner<Value>(
        _ key: String,
        _ read: (inout DataReader) throws(EntryError) -> Value
    ) throws(EntryError) -> Value? {
        let json = try member(key) { $0 }
        if json == .null { return nil }
        guard let object = json.object else { throw .badMember(type, key) }
        var reader = DataReader(type, object)
        let value = try read(&reader)
        try reader.finish()
        return value
    }
}
