package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let princeOfVersions: [any EndpointDeclaration] = [getPrinceOfVersions]

    package static let getPrinceOfVersions = Read<AppSlug, PrinceOfVersionsAnswer>(
        .get("getPrinceOfVersions", "/v1/apps/{app}/prince-of-versions"),
        "The document for clients of Prince of Versions, and what it cannot say.",
        query: .moment + [.optional("in", .state)]
    )
}

/// What clients of Prince of Versions are told at a moment, and what they are not, as
/// `GET /v1/apps/{app}/prince-of-versions` answers it.
package struct PrinceOfVersionsAnswer: Answer, Shaped {
    package let app: AppSlug
    /// The position whose state it is: the last of a whole append.
    package let position: Position
    /// The members that clients see.
    package let document: JSONObject
    /// The offers of their own that platforms have, in order; what others are told is derived.
    package let offers: [Platform: [Offer]]
    /// What platforms tell clients before 4.0 word for word, as it was taken over.
    package let legacy: [Platform: LegacyOffer]
    package let notes: [Note]

    /// One thing that the format cannot say, or says differently than one might think.
    package struct Note: Equatable, Sendable {
        package let platform: Platform
        package let code: String
        package let detail: String

        package init(platform: Platform, code: String, detail: String) {
            (self.platform, self.code, self.detail) = (platform, code, detail)
        }

        package static let shape = Shape<Self>(
            nil,
            Self.init(platform:code:detail:),
            .required("platform", \.platform, .names),
            .required("code", \.code, .string),
            .required("detail", \.detail, .string)
        )
    }

    package init(
        app: AppSlug,
        position: Position,
        document: JSONObject,
        offers: [Platform: [Offer]] = [:],
        legacy: [Platform: LegacyOffer] = [:],
        notes: [Note]
    ) {
        self.app = app
        self.position = position
        self.document = document
        self.offers = offers
        self.legacy = legacy
        self.notes = notes
    }

    package static let shape = Shape<Self>(
        "PrinceOfVersions",
        byHand: [
            .required("app", .slug), .required("position", .position),
            .required("document", .anyObject),
            .required(
                "offers",
                .object(
                    Platform.allCases.map {
                        .optional($0.rawValue, .array(of: .offer, atLeast: 1))
                    }
                )
            ),
            .required(
                "legacy",
                .object(
                    Platform.allCases.filter(\.hasLegacyClients).map {
                        .optional($0.rawValue, .legacyOffer)
                    }
                )
            ),
            .required("notes", .array(of: Note.shape.schema)),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let app = reader.member("app", .slug)
        let position = reader.member("position", .position)
        let document = reader.object("document")
        let offers = reader.object("offers") { $0.offersByPlatform() }
        let legacy = reader.optionalObject("legacy") { $0.legacyByPlatform() } ?? [:]
        let notes = reader.objects("notes") { Note.shape.read(&$0) }
        guard let app, let position, let document, let offers, let notes else { return nil }
        self.init(
            app: app,
            position: position,
            document: document,
            offers: offers,
            legacy: legacy,
            notes: notes
        )
    }

    package var json: JSONObject {
        [
            "app": .string(app.text), "position": JSONValue(position),
            "document": .object(document),
            "offers": .object(
                JSONObject(
                    offers.map { .init(key: $0.key.rawValue, value: JSONValue($0.value)) }
                )
            ),
            "legacy": .object(
                JSONObject(
                    legacy.map { .init(key: $0.key.rawValue, value: .object($0.value.json)) }
                )
            ),
            "notes": .array(notes.map { .object(Note.shape.json($0)) }),
        ]
    }
}

extension ObjectReader {
    fileprivate mutating func legacyByPlatform() -> [Platform: LegacyOffer]? {
        var objects: [Platform: LegacyOffer] = [:]
        for platform in Platform.allCases where object[platform.rawValue] != nil {
            objects[platform] = legacyOffer(platform.rawValue, on: platform)
        }
        return objects
    }

    /// Members named as platforms are, each with a list of offers.
    fileprivate mutating func offersByPlatform() -> [Platform: [Offer]]? {
        var lists: [Platform: [Offer]] = [:]
        for platform in Platform.allCases where object[platform.rawValue] != nil {
            lists[platform] = offers(platform.rawValue, on: platform)
        }
        return lists
    }
}

/// ```json
/// {"requiredVersion": "3.2.0", "lastVersion": "3.4.0-15", "notification": "ONCE",
///  "requirements": {"os": "17.0.0", "custom": {"region": "eu"}},
///  "metadata": {"required.title.de": "Zu alt", "hard": true}}
/// ```
/// What a device is not asked, told or offered is left out, or null.
extension Offer {
    package init?(_ reader: inout ObjectReader, on platform: Platform?) {
        let required = reader.offerVersion("requiredVersion", on: platform)
        let last = reader.offerVersion("lastVersion", on: platform)
        let notification = reader.optionalString(
            "notification",
            needing: oneOf(OfferNotification.self),
            OfferNotification.init(rawValue:)
        )
        let requirements = reader.optionalObject("requirements") {
            OfferRequirements(&$0, on: platform)
        }
        let metadata = reader.optionalObject("metadata") { reader in
            reader.values(needing: MetadataName.grammar, MetadataName.init)
        }
        self.init(
            required: required,
            last: last,
            notification: notification ?? .once,
            requirements: requirements ?? OfferRequirements(),
            metadata: metadata ?? [:]
        )
    }
}

extension OfferRequirements {
    fileprivate init?(_ reader: inout ObjectReader, on platform: Platform?) {
        let system = reader.offerSystem("os", on: platform)
        let custom = reader.optionalObject("custom") { reader in
            reader.values(needing: RequirementName.grammar, RequirementName.init)
        }
        self.init(system: system, custom: custom ?? [:])
    }
}

extension JSONValue {
    package init(_ offers: [Offer]) {
        self = .array(offers.map { .object($0.json) })
    }

    init(_ version: OfferVersion?) {
        self =
            switch version {
            case let version?:
                version.number.map { .integer(Int64($0)) }
                    ?? .string(version.description)
            case nil: .null
            }
    }
}

extension ObjectReader {
    package mutating func offers(_ key: String, on platform: Platform?) -> [Offer]? {
        objects(key) { Offer(&$0, on: platform) }
    }

    package mutating func optionalOffers(_ key: String, on platform: Platform?) -> [Offer]? {
        object[key] == nil || object[key] == .null ? skipped(key) : offers(key, on: platform)
    }

    /// The object that clients before 4.0 read, as it stands in their format.
    package mutating func legacyOffer(_ key: String, on platform: Platform?) -> LegacyOffer? {
        let platforms = platform.map { [$0] } ?? Platform.allCases
        return member(key, needing: LegacyOffer.grammar) { json in
            platforms.lazy.compactMap { LegacyOffer(json, on: $0) }.first
        }
    }

    private mutating func skipped(_ key: String) -> [Offer]? {
        _ = value(key)
        return nil
    }

    mutating func offerVersion(_ key: String, on platform: Platform?) -> OfferVersion? {
        optionalMember(key, needing: OfferVersion.grammar(on: platform)) {
            OfferVersion($0, on: platform)
        }
    }

    /// The oldest system that an offer is for.
    fileprivate mutating func offerSystem(_ key: String, on platform: Platform?) -> OfferVersion? {
        let platforms = platform.map { [$0] } ?? Platform.allCases
        let grammar = platforms.map(\.offerSystemGrammar).joined(separator: ", or ")
        return optionalMember(key, needing: grammar) { value in
            platforms.lazy.compactMap { platform in
                OfferVersion(value, platform.systemKind, on: platform.writingSystems)
                    .flatMap { $0.build == nil && !$0.isNothing ? $0 : nil }
            }.first
        }
    }

    /// Every member of the object as a value under its name.
    fileprivate mutating func values<Name: Hashable>(
        needing grammar: String,
        _ name: (String) -> Name?
    ) -> [Name: OfferValue]? {
        var values: [Name: OfferValue] = [:]
        for key in object.keys {
            guard let name = name(key) else {
                _ = value(key)
                refuse(key, "Found another name; \(grammar) are needed.")
                continue
            }
            do throws(OfferValueFault) {
                values[name] = try value(key).map { json throws(OfferValueFault) in
                    try OfferValue(validating: json)
                }
            } catch {
                refuse(key, error.sentence)
            }
        }
        return values
    }
}

extension OfferVersion {
    /// Where the platform is not known, as any of them writes it.
    init?(_ json: JSONValue, on platform: Platform?) {
        let platforms = platform.map { [$0] } ?? Platform.allCases
        let version = platforms.lazy.compactMap { OfferVersion(json, $0.versionKind, on: $0) }.first
        guard let version else { return nil }
        self = version
    }

    static func grammar(on platform: Platform?) -> String {
        (platform.map { [$0] } ?? Platform.allCases).map(grammar).joined(separator: ", or ")
    }
}

extension Platform {
    /// A platform that writes its versions as this one writes those of its system.
    fileprivate var writingSystems: Platform { systemKind == .integer ? .android : self }

    fileprivate var offerSystemGrammar: String {
        switch systemKind {
        case .dotted: "a version above 0.0.0 of three whole numbers between dots, such as 15.0.0"
        case .integer: AndroidVersion.grammar
        }
    }
}
