package import PlimsollDomain
package import PlimsollJSON

// Values of the domain, each refused in its own words.

extension ValueShape {
    /// A string whose faults are told in words of their own.
    static func text(
        _ schema: Schema,
        _ make: @escaping @Sendable (String) throws(TextFault) -> Value,
        _ text: @escaping @Sendable (Value) -> String
    ) -> ValueShape {
        ValueShape(needed: "a string", schema: schema, write: { .string(text($0)) }) {
            found,
            place,
            reader in
            guard let string = ValueShape<String>.string.read(found, place, &reader) else {
                return nil
            }
            do throws(TextFault) {
                return try make(string)
            } catch {
                reader.refuse(JSONIssue(pointer: place, detail: error.sentence))
                return nil
            }
        }
    }
}

extension ValueShape<String> {
    /// Where the next part of a list begins.
    package static let cursor = string.described(as: .cursor)
    /// As the clocks of a zone show it.
    package static let localTime = string.described(as: .instant)
}

extension ValueShape<AppSlug> {
    package static let slug = slug(needing: "an app's slug: \(AppSlug.grammar)")

    static func slug(needing grammar: String) -> ValueShape {
        string(needing: grammar, .slug, AppSlug.init, \.text)
    }
}

extension ValueShape<Title> {
    package static let title = text(.title, Title.init(validating:), \.text)
}

extension ValueShape<Reason> {
    package static let reason = text(.reason, Reason.init(validating:), \.text)
}

extension ValueShape<Label> {
    package static let label = text(.label, Label.init(validating:), \.text)
}

extension ValueShape<Text> {
    package static let words = text(.words, Text.init(validating:), \.text)
}

extension ValueShape<LanguageTag> {
    package static let language = string(
        needing: LanguageTag.grammar,
        .language,
        LanguageTag.init,
        \.text
    )
}

extension ValueShape<Platform> {
    package static let platform = names
}

extension ValueShape<Position> {
    package static let position = ValueShape(
        Position.grammar,
        .position,
        { $0.integer.flatMap(Position.init(rawValue:)) },
        { .integer($0.rawValue) }
    )
}

extension ValueShape<SnapshotSequence> {
    package static let sequence = ValueShape(
        SnapshotSequence.grammar,
        .sequence,
        { $0.integer.flatMap(SnapshotSequence.init(rawValue:)) },
        { .integer($0.rawValue) }
    )
}

extension ValueShape<Instant> {
    package static let instant = string(
        needing: Instant.grammar,
        .instant,
        Instant.init(rfc3339:),
        \.rfc3339
    )
}

extension ValueShape<ChangeID> {
    package static let change = string(
        needing: ChangeID.grammar,
        .change,
        ChangeID.init,
        \.description
    )
}

extension ValueShape<ChangeDigest> {
    package static let digest = string(
        needing: ChangeDigest.grammar,
        .digest,
        ChangeDigest.init(hex:),
        \.hex
    )
}

extension ValueShape<PrincipalID> {
    package static let principal = string(
        needing: "a principal's id",
        .principal,
        PrincipalID.init,
        \.text
    )
}

extension ValueShape<TokenID> {
    package static let token = string(
        needing: "a token's id",
        .uuid,
        TokenID.init,
        \.description
    )
}

extension ValueShape<SessionID> {
    package static let session = string(
        needing: "a session's id",
        .uuid,
        SessionID.init,
        \.description
    )
}

extension ValueShape<KeyID> {
    package static let key = key(needing: "a key's id")

    static func key(needing grammar: String) -> ValueShape {
        string(needing: grammar, .uuid, { KeyID($0) }, \.text)
    }
}

extension ValueShape<EntryKeyID> {
    package static let entryKey = string(
        needing: EntryKeyID.grammar,
        .entryKey,
        { EntryKeyID($0) },
        \.text
    )
}

extension ValueShape<PersonKey> {
    package static let personKey = string(
        needing: PersonKey.grammar,
        .string,
        { PersonKey($0) },
        \.text
    )
}

extension ValueShape<WebhookID> {
    package static let webhook = string(needing: "a webhook's id", .uuid, WebhookID.init, \.text)
}

extension ValueShape<WebhookURL> {
    package static let webhookURL = string(
        needing: WebhookURL.grammar,
        .webhookURL,
        WebhookURL.init,
        \.text
    )
}

extension ValueShape<Field> {
    package static let field = string(
        needing: Field.grammar,
        .field,
        Field.init(path:),
        \.path
    )
}

extension ValueShape<ThresholdPlace> {
    package static let thresholdPlace = string(
        needing: ThresholdPlace.grammar,
        .thresholdPlace,
        ThresholdPlace.init(path:),
        \.path
    )
}

extension ValueShape<StateName> {
    package static let state = string(
        needing: StateName.grammar,
        .state,
        StateName.init,
        \.text
    )
}

extension ValueShape<ClientGeneration> {
    package static let client = string(
        needing: ClientGeneration.grammar,
        .clientGeneration,
        ClientGeneration.init,
        \.name
    )
}

extension ValueShape<EventName> {
    package static let eventName = string(
        needing: EventName.grammar,
        .names(EventBody.types),
        EventName.init,
        \.text
    )
}

extension ValueShape<TimeZoneName> {
    package static let timeZone = string(
        needing: TimeZoneName.grammar,
        .timeZone,
        TimeZoneName.init,
        \.text
    )
}

extension ValueShape<VersionValue> {
    /// A version of a platform that stands elsewhere.
    package static let version = ValueShape(
        VersionKind.grammar(of: VersionKind.kinds(on: nil)),
        .anyVersion,
        { value in VersionKind.kinds(on: nil).lazy.compactMap { VersionValue(value, $0) }.first },
        { JSONValue($0) }
    )
}

extension ValueShape<VersionName> {
    package static let versionName = string(
        needing: VersionName.grammar,
        .versionName,
        VersionName.init,
        \.text
    )
}

extension ValueShape<EnvironmentName> {
    package static let environment = string(
        needing: EnvironmentName.grammar,
        .string.described("\(EnvironmentName.grammar)."),
        EnvironmentName.init,
        \.text
    )
}

extension ValueShape<KeyServiceName> {
    package static let keyService = string(
        needing: KeyServiceName.grammar,
        .string.described("\(KeyServiceName.grammar)."),
        KeyServiceName.init,
        \.text
    )
}

extension ValueShape<OfferVersion> {
    package static let offerVersion = ValueShape(
        OfferVersion.grammar(on: nil),
        .offerVersion,
        { OfferVersion($0, on: nil) },
        { JSONValue($0) }
    )
}

extension ValueShape<Int> {
    /// A place in a list of offers, counted from 0.
    package static let offerPlace = ValueShape(
        "the place of an offer: a whole number from 0 on",
        .offerPlace,
        { $0.integer.flatMap { $0 < 0 ? nil : Int(exactly: $0) } },
        { .integer(Int64($0)) }
    )
}
