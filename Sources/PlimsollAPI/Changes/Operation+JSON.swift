package import PlimsollDomain
package import PlimsollJSON

/// ```json
/// {"op": "setValue", "platform": "ios", "threshold": "minimumApp", "value": "3.2.0"}
/// {"op": "setText", "platform": "ios", "threshold": "minimumApp", "part": "description",
///  "language": "en-GB", "text": "…"}
/// {"op": "clearValue", "platform": "ios", "threshold": "minimumApp"}
/// {"op": "clearThreshold", "platform": "ios", "threshold": "recommendedOS"}
/// {"op": "removeText", "platform": "ios", "threshold": "minimumApp", "part": "title",
///  "language": "cy"}
/// {"op": "setOffers", "platform": "ios", "offers": [{"lastVersion": "3.4.0"}]}
/// {"op": "insertOffer", "platform": "ios", "at": 0, "offer": {"requiredVersion": "3.2.0"}}
/// {"op": "moveOffer", "platform": "ios", "from": 2, "to": 0}
/// {"op": "replaceOffer", "platform": "ios", "at": 1, "offer": {"lastVersion": "3.4.0"}}
/// {"op": "removeOffer", "platform": "ios", "at": 1}
/// {"op": "setLegacyOffer", "platform": "ios", "legacy": {"latest_version": {"version": "3.4"}}}
/// {"op": "removeLegacyOffer", "platform": "ios"}
/// {"op": "setPackages", "platform": "ios", "packages": ["10737747186"]}
/// {"op": "insertPackage", "platform": "ios", "version": "10737747186", "at": 0}
/// {"op": "movePackage", "platform": "ios", "version": "10737747186", "to": 2}
/// {"op": "removePackage", "platform": "ios", "version": "10737747186"}
/// ```
extension Operation: Form, Shaped {
    package static let shape = Shape<Self>("Operation", byHand: Schema.operation)

    package init?(_ reader: inout ObjectReader) {
        let name = reader.name("op", as: OperationName.self)
        let platform = reader.member("platform", .platform)
        guard let name else {
            // Which other members belong to it is not known, so none of them is called unknown.
            _ = reader.name("threshold", as: ThresholdName.self)
            for key in reader.object.keys { _ = reader.value(key) }
            return nil
        }
        guard let subject = Subject(name, &reader, on: platform), let platform else { return nil }
        self.init(platform, subject)
    }
}

extension Operation.Subject {
    fileprivate init?(
        _ name: OperationName,
        _ reader: inout ObjectReader,
        on platform: Platform?
    ) {
        switch name {
        case .setValue:
            self.init(&reader) { $0.version("value", on: platform).map(Operation.Edit.setValue) }
        case .clearValue: self.init(&reader) { _ in .clearValue }
        case .clearThreshold: self.init(&reader) { _ in .clearThreshold }
        case .setText: self.init(&reader) { .settingText(&$0) }
        case .removeText: self.init(&reader) { .removingText(&$0) }
        case .setOffers:
            guard let offers = reader.offers("offers", on: platform) else { return nil }
            self = .offers(.set(offers))
        case .insertOffer, .replaceOffer:
            let place = reader.member("at", .offerPlace)
            let offer = reader.object("offer") { Offer(&$0, on: platform) }
            guard let place, let offer else { return nil }
            self = .offers(
                name == .insertOffer ? .insert(offer, at: place) : .replace(place, with: offer)
            )
        case .moveOffer:
            let from = reader.member("from", .offerPlace)
            let to = reader.member("to", .offerPlace)
            guard let from, let to else { return nil }
            self = .offers(.move(from: from, to: to))
        case .removeOffer:
            guard let place = reader.member("at", .offerPlace) else { return nil }
            self = .offers(.remove(place))
        case .setLegacyOffer:
            guard let legacy = reader.legacyOffer("legacy", on: platform) else { return nil }
            self = .legacy(legacy)
        case .removeLegacyOffer: self = .legacy(nil)
        case .setPackages:
            guard let versions = reader.packages("packages") else { return nil }
            self = .packages(.set(versions))
        case .insertPackage:
            let version = reader.member("version", .appleVersionID)
            let place = reader.optionalMember("at", needing: "a place: a whole number from 0 on") {
                $0.integer.flatMap { $0 < 0 ? nil : Int(exactly: $0) }
            }
            guard let version else { return nil }
            self = .packages(.insert(version, at: place))
        case .movePackage:
            let version = reader.member("version", .appleVersionID)
            let place = reader.member("to", .offerPlace)
            guard let version, let place else { return nil }
            self = .packages(.move(version, to: place))
        case .removePackage:
            guard let version = reader.member("version", .appleVersionID) else { return nil }
            self = .packages(.remove(version))
        }
    }

    private init?(
        _ reader: inout ObjectReader,
        _ edit: (inout ObjectReader) -> Operation.Edit?
    ) {
        let threshold = reader.name("threshold", as: ThresholdName.self)
        guard let edit = edit(&reader), let threshold else { return nil }
        self = .threshold(threshold, edit)
    }
}

extension Operation.Edit {
    fileprivate static func settingText(_ reader: inout ObjectReader) -> Self? {
        let part = reader.name("part", as: TextPart.self)
        let language = reader.member("language", .language)
        let text = reader.member("text", .words)
        guard let part, let language, let text else { return nil }
        return .setText(part, language, text)
    }

    fileprivate static func removingText(_ reader: inout ObjectReader) -> Self? {
        let part = reader.name("part", as: TextPart.self)
        let language = reader.member("language", .language)
        guard let part, let language else { return nil }
        return .removeText(part, language)
    }
}

extension ObjectReader {
    mutating func packages(_ key: String) -> [AppleVersionID]? {
        member(key, .array(of: .appleVersionID))
    }

    mutating func optionalPackages(_ key: String) -> [AppleVersionID]? {
        optionalMember(key, .array(of: .appleVersionID))
    }

    /// A version as the platform writes it: a string or a whole number.
    ///
    /// Where the platform could not be read, either form may be what it wants.
    package mutating func version(_ key: String, on platform: Platform?) -> VersionValue? {
        let kinds = VersionKind.kinds(on: platform)
        return member(key, needing: VersionKind.grammar(of: kinds)) { value in
            kinds.lazy.compactMap { VersionValue(value, $0) }.first
        }
    }

    /// A version of the system that the platform's devices run.
    mutating func systemVersion(_ key: String, on platform: Platform?) -> VersionValue? {
        let kinds = platform.map { [$0.systemKind] } ?? VersionKind.kinds(on: nil)
        return member(key, needing: VersionKind.grammar(of: kinds)) { value in
            kinds.lazy.compactMap { VersionValue(value, $0) }.first
        }
    }

    package mutating func optionalVersion(
        _ key: String,
        on platform: Platform?
    ) -> VersionValue? {
        let kinds = VersionKind.kinds(on: platform)
        return optionalMember(key, needing: VersionKind.grammar(of: kinds)) { value in
            kinds.lazy.compactMap { VersionValue(value, $0) }.first
        }
    }
}

extension VersionKind {
    static func kinds(on platform: Platform?) -> [VersionKind] {
        platform.map { [$0.versionKind] } ?? [.dotted, .integer]
    }

    static func grammar(of kinds: [VersionKind]) -> String {
        kinds.map(\.grammarWithForm).joined(separator: ", or ")
    }

    /// What has to be sent, the JSON type included.
    package var grammarWithForm: String {
        switch self {
        case .dotted: "a string of \(grammar)"
        case .integer: grammar
        }
    }
}

/// Operations: what a member has to be depends on the platform, and the members on the name.
extension Schema {
    /// The member `op` says which of them it is.
    static let operation = discriminated(
        by: "op",
        OperationName.allCases.map {
            ($0.rawValue, named(operationName($0.rawValue), schema(of: $0)))
        }
    )

    /// Such as `SetValueOperation`.
    private static func operationName(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst() + "Operation"
    }

    private static let aThreshold = Member.required("threshold", .threshold)
    private static let aPackage = Member.required("version", .appleIdentifier)
    private static let text: [Member] = [
        .required("part", .part), .required("language", .language),
    ]
    private static let anOffer = Member.required("offer", offer)

    /// The members of each, beside its name and the platform; what a value is depends on that.
    private static func schema(of name: OperationName) -> Schema {
        switch name {
        case .setValue: .oneOf([setValue(.dotted), setValue(.integer)])
        case .clearValue, .clearThreshold: edit(name, [aThreshold])
        case .setText: edit(name, [aThreshold] + text + [.required("text", .words)])
        case .removeText: edit(name, [aThreshold] + text)
        case .setOffers: edit(name, [.required("offers", .array(of: offer))])
        case .insertOffer, .replaceOffer: edit(name, [.required("at", .offerPlace), anOffer])
        case .moveOffer:
            edit(name, [.required("from", .offerPlace), .required("to", .offerPlace)])
        case .removeOffer: edit(name, [.required("at", .offerPlace)])
        case .setLegacyOffer: edit(name, [.required("legacy", legacyOffer)])
        case .removeLegacyOffer: edit(name, [])
        case .setPackages:
            edit(name, [.required("packages", .array(of: .appleIdentifier))], on: .onlyIOS)
        case .insertPackage: edit(name, [aPackage, .optional("at", .offerPlace)], on: .onlyIOS)
        case .movePackage: edit(name, [aPackage, .required("to", .offerPlace)], on: .onlyIOS)
        case .removePackage: edit(name, [aPackage], on: .onlyIOS)
        }
    }

    private static func setValue(_ kind: VersionKind) -> Schema {
        edit(.setValue, [aThreshold, .required("value", .version(kind))], on: platforms(kind))
    }

    private static func edit(
        _ name: OperationName,
        _ members: [Member],
        on platform: Schema = .platform
    ) -> Schema {
        .object(
            [
                .required("op", .constant(.string(name.rawValue))),
                .required("platform", platform),
            ] + members
        )
    }
}

/// Offers as people write them, and as clients before 4.0 read them.
extension Schema {
    static let offer = named("Offer", object(ofOffer))

    private static let ofOffer: [Member] = [
        .optional("requiredVersion", .offerVersion), .optional("lastVersion", .offerVersion),
        .optional("notification", .names(OfferNotification.self)),
        .optional(
            "requirements",
            .object([
                .optional("os", offerSystem),
                .optional("custom", values(named: "^[A-Za-z][A-Za-z0-9_]{0,63}$")),
            ])
        ),
        .optional("metadata", values(named: "^[A-Za-z0-9._-]{1,100}$")),
    ]

    static let legacyOffer = named("LegacyOffer", object(ofLegacyOffer))

    private static let ofLegacyOffer: [Member] = [
        .optional("minimum_version", legacyVersion),
        .optional("minimum_version_min_sdk", legacySystem),
        .optional(
            "latest_version",
            .object([
                .required("version", legacyVersion),
                .optional("notification_type", .names(OfferNotification.self)),
                .optional("min_sdk", legacySystem),
            ])
        ),
    ]

    private static let legacyVersion = string(
        matching: "^[0-9]{1,9}(\\.[0-9]{1,9}){0,2}(-[0-9]{1,9})?$"
    )
    private static let legacySystem = oneOf([dottedVersion, integerVersion])
    private static let offerSystem = oneOf([versionName, integerVersion])

    /// An object whose members are values of any type but null, with names of a kind.
    private static func values(named pattern: String) -> Schema {
        Schema(json: [
            "type": "object",
            "additionalProperties": [
                "type": ["string", "integer", "boolean", "array", "object"]
            ],
            "propertyNames": ["pattern": .string(pattern)],
        ])
    }
}
