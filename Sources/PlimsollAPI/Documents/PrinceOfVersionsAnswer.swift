package import PlimsollDomain
package import PlimsollJSON

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
