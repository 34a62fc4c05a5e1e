package import PlimsollDomain
package import PlimsollJSON

/// The names under which edits of thresholds go over the wire.
package enum EditName: String, CaseIterable {
    case setValue
    case clearValue
    case clearThreshold
    case setText
    case removeText
}

/// The names under which edits of offers go over the wire.
package enum OfferEditName: String, CaseIterable {
    case setOffers
    case insertOffer
    case moveOffer
    case replaceOffer
    case removeOffer
}

/// The names under which edits of the object for clients before 4.0 go over the wire.
package enum LegacyEditName: String, CaseIterable {
    case setLegacyOffer
    case removeLegacyOffer
}

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
/// ```
extension Operation: Form, Shaped {
    package static let shape = Shape<Self>("Operation", byHand: Schema.operation)

    package init?(_ reader: inout ObjectReader) {
        let names =
            EditName.allCases.map(\.rawValue) + OfferEditName.allCases.map(\.rawValue)
            + LegacyEditName.allCases.map(\.rawValue)
        let name = reader.string("op", needing: "one of \(names.joined(separator: ", "))") { name in
            names.contains(name) ? name : nil
        }
        let platform = reader.member("platform", .platform)
        if let name = name.flatMap(OfferEditName.init) {
            let edit = OfferEdit(name, &reader, on: platform)
            guard let platform, let edit else { return nil }
            self.init(platform, offers: edit)
            return
        }
        if let name = name.flatMap(LegacyEditName.init) {
            let legacy = name == .setLegacyOffer ? reader.legacyOffer("legacy", on: platform) : nil
            guard let platform, legacy != nil || name == .removeLegacyOffer else { return nil }
            self.init(platform, legacy: legacy)
            return
        }
        guard let name = name.flatMap(EditName.init) else {
            // Which other members belong to it is not known, so none of them is called unknown.
            _ = reader.name("threshold", as: ThresholdName.self)
            for key in reader.object.keys { _ = reader.value(key) }
            return nil
        }
        let threshold = reader.name("threshold", as: ThresholdName.self)
        let edit: Edit? =
            switch name {
            case .setValue: reader.version("value", on: platform).map(Edit.setValue)
            case .clearValue: .clearValue
            case .clearThreshold: .clearThreshold
            case .setText: Edit(settingText: &reader)
            case .removeText: Edit(removingText: &reader)
            }
        guard let platform, let threshold, let edit else { return nil }
        self.init(platform, threshold, edit)
    }
}

extension Operation.Edit {
    fileprivate init?(settingText reader: inout ObjectReader) {
        let part = reader.name("part", as: TextPart.self)
        let language = reader.member("language", .language)
        let text = reader.member("text", .words)
        guard let part, let language, let text else { return nil }
        self = .setText(part, language, text)
    }

    fileprivate init?(removingText reader: inout ObjectReader) {
        let part = reader.name("part", as: TextPart.self)
        let language = reader.member("language", .language)
        guard let part, let language else { return nil }
        self = .removeText(part, language)
    }
}

extension OfferEdit {
    fileprivate init?(
        _ name: OfferEditName,
        _ reader: inout ObjectReader,
        on platform: Platform?
    ) {
        switch name {
        case .setOffers:
            guard let offers = reader.offers("offers", on: platform) else { return nil }
            self = .set(offers)
        case .insertOffer, .replaceOffer:
            let place = reader.offerPlace("at")
            let offer = reader.object("offer") { Offer(&$0, on: platform) }
            guard let place, let offer else { return nil }
            self = name == .insertOffer ? .insert(offer, at: place) : .replace(place, with: offer)
        case .moveOffer:
            let (from, to) = (reader.offerPlace("from"), reader.offerPlace("to"))
            guard let from, let to else { return nil }
            self = .move(from: from, to: to)
        case .removeOffer:
            guard let place = reader.offerPlace("at") else { return nil }
            self = .remove(place)
        }
    }
}

extension ObjectReader {
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

extension VersionValue {
    package init?(_ value: JSONValue, _ kind: VersionKind) {
        switch (kind, value) {
        case (.dotted, .string(let text)):
            guard let version = AppleVersion(text) else { return nil }
            self = .dotted(version)
        case (.integer, .integer(let number)):
            guard let version = AndroidVersion(number) else { return nil }
            self = .integer(version)
        default: return nil
        }
    }
}

/// Operations: what a member has to be depends on the platform, and the members on the name.
extension Schema {
    /// The member `op` says which of them it is.
    static let operation = discriminated(
        by: "op",
        edits.map { ($0.name, named(operationName($0.name), $0.schema)) }
    )

    /// Such as `SetValueOperation`.
    private static func operationName(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst() + "Operation"
    }

    private static let text: [Member] = [
        .required("part", .part), .required("language", .language),
    ]
    private static let anOffer = Member.required("offer", offer)

    private static let edits: [(name: String, schema: Schema)] = [
        (EditName.setValue.rawValue, .oneOf([setValue(.dotted), setValue(.integer)])),
        edit(EditName.clearValue), edit(EditName.clearThreshold),
        edit(EditName.setText, text + [.required("text", .words)]),
        edit(EditName.removeText, text),
        edit(OfferEditName.setOffers, [.required("offers", .array(of: offer))]),
        edit(OfferEditName.insertOffer, [.required("at", .offerPlace), anOffer]),
        edit(
            OfferEditName.moveOffer,
            [.required("from", .offerPlace), .required("to", .offerPlace)]
        ),
        edit(OfferEditName.replaceOffer, [.required("at", .offerPlace), anOffer]),
        edit(OfferEditName.removeOffer, [.required("at", .offerPlace)]),
        edit(LegacyEditName.setLegacyOffer, [.required("legacy", legacyOffer)]),
        edit(LegacyEditName.removeLegacyOffer),
    ]

    private static func edit(
        _ name: some RawRepresentable<String>,
        _ members: [Member] = []
    ) -> (name: String, schema: Schema) {
        let threshold = name is EditName ? [Member.required("threshold", .threshold)] : []
        return (name.rawValue, edit(name.rawValue, on: .platform, threshold + members))
    }

    private static func setValue(_ kind: VersionKind) -> Schema {
        edit(
            EditName.setValue.rawValue,
            on: platforms(kind),
            [.required("threshold", .threshold), .required("value", .version(kind))]
        )
    }

    private static func edit(
        _ name: String,
        on platform: Schema,
        _ members: [Member]
    ) -> Schema {
        .object(
            [.required("op", .constant(.string(name))), .required("platform", platform)] + members
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
