package import PlimsollDomain
package import PlimsollJSON

/// The schemas of single values.
extension Schema {
    package static let slug = string(matching: "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$")
        .described("An app's slug: \(AppSlug.grammar).")
    package static let language = string(matching: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
        .described("\(LanguageTag.grammar).")
    package static let platform = names(Platform.self)
    package static let threshold = names(ThresholdName.self)
    package static let part = names(TextPart.self)
    package static let role = names(Role.self)
    package static let position = integer(from: 0).described("A position of the log.")
    package static let sequence = integer(from: 1).described("A snapshot's sequence.")
    package static let instant = string(format: "date-time")
    package static let uuid = string(format: "uuid")
    package static let principal = string(
        matching: "^(system|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$"
    )
    .described("A principal's id.")
    package static let thresholdPlace = string(
        matching: "^(\(either(Platform.self)))\\.(\(either(ThresholdName.self)))$"
    )
    .described("\(ThresholdPlace.grammar).")

    package static let field = string(
        matching: "^(\(either(Platform.self)))\\.(offers|legacy|packages"
            + "|(\(either(ThresholdName.self)))\\.(value|(\(either(TextPart.self)))\\.[A-Za-z0-9-]+))$"
    )
    .described("\(Field.grammar).")
    package static let state = string(
        matching: "^(live|event:[0-9]+|time:.+|change:[1-9][0-9]*|snapshot:[1-9][0-9]*"
            + "|rollback:(event:[0-9]+|time:.+|before-change:[1-9][0-9]*|revert:[1-9][0-9]*|last-good:[1-9][0-9]*))$"
    )
    .described("\(StateName.grammar).")
    package static let change = string(matching: "^[1-9][0-9]{0,18}$").described("A change's id.")
    package static let digest = string(matching: "^[0-9a-f]{64}$")
    package static let entryKey = string(matching: "^[0-9a-f]{32}$")
    package static let title = text(most: Title.scalarsMaximum, without: "\\n")
    package static let reason = text(most: Reason.scalarsMaximum)
    package static let words = text(most: Text.scalarsMaximum)
    package static let languages = string(matching: "^[A-Za-z0-9-]+(,[A-Za-z0-9-]+)*$")
        .described("The language of a phone, then other languages its owner reads: de-DE,fr.")
    package static let clientGeneration = names(ClientGeneration.all.map(\.name))
    package static let simulatedClient = names(["plimsoll"] + ClientGeneration.all.map(\.name))
        .described("An app in people's hands, or plimsoll: whatever links our own client.")
    package static let dottedVersion = string(matching: "^[0-9]{1,10}(\\.[0-9]{1,10}){0,2}$")
    package static let integerVersion = integer(from: 1, to: Int64(Int32.max))
    /// A version of a platform that stands elsewhere.
    package static let anyVersion = oneOf([version(.dotted), version(.integer)])
    package static let cursor = string(matching: "^[A-Za-z0-9_-]{1,128}$")
        .described("Opaque; give it as the parameter cursor.")
    /// The tag of an open change, or that of one which has been decided on.
    package static let digestTag = string(matching: "^\"[0-9a-f]{64}(-[a-z]+)?\"$")
    /// The tag of a policy or of a key: the position of its event.
    package static let positionTag = string(matching: "^\"[0-9]+\"$")

    package static let label = text(most: Label.scalarsMaximum, without: "\\n")
    /// Three numbers of at most nine digits, as clients before 4.0 compare them.
    package static let versionName = string(
        matching: #"^(0|[1-9][0-9]{0,8})(\.(0|[1-9][0-9]{0,8})){2}$"#
    )
    package static let webhookURL = string(matching: "^https?://[a-z0-9:.\\[-].*$")
        .described("\(WebhookURL.grammar).")
    package static let writtenTime = string(
        matching: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}"
            + "(:[0-9]{2}(\\.[0-9]{1,9})?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?$"
    ).described("\(WrittenTime.grammar); one that clocks in the zone do not show once is refused.")
    package static let timeZone = string(matching: "^[A-Za-z0-9_+/-]{1,64}$")
        .described("\(TimeZoneName.grammar).")
    package static let offerPlace = integer(from: 0)
        .described("A place in the list of offers, counted from 0.")
    package static let offerVersion = oneOf([
        string(matching: "^(0|[1-9][0-9]{0,8})(\\.(0|[1-9][0-9]{0,8})){2}(-[1-9][0-9]{0,8})?$"),
        integer(from: 0, to: Int64(Int32.max)),
    ])
    /// A version, a text, a platform's offers, an object for clients before 4.0, or nothing.
    package static let fieldValue = Schema(
        json: [
            "anyOf": [
                ["type": ["string", "integer", "null"]],
                .object(array(of: offer, atLeast: 1).json),
                .object(legacyOffer.json),
                .object(array(of: appleIdentifier, atLeast: 1).json),
            ]
        ],
        within: [offer, legacyOffer]
    )

    /// What a version is written as on platforms of the kind.
    package static func version(_ kind: VersionKind) -> Schema {
        switch kind {
        case .dotted: dottedVersion.described("\(kind.grammar).")
        case .integer: integerVersion.described("\(kind.grammar).")
        }
    }

    /// The platforms whose versions are of the kind.
    package static func platforms(_ kind: VersionKind) -> Schema {
        names(Platform.allCases.filter { $0.versionKind == kind }.map(\.rawValue))
    }

    /// A text without controls and bidirectional overrides, line feeds excepted.
    private static func text(most scalars: Int, without others: String = "") -> Schema {
        let controls = "\\u0000-\\u0009\\u000B-\\u001F\\u007F-\\u009F"
        let overrides = "\\u202A-\\u202E\\u2066-\\u2069"
        return Schema(json: [
            "type": "string", "minLength": 1, "maxLength": .integer(Int64(scalars)),
            "pattern": .string("^[^\(controls)\(overrides)\(others)]*$"),
        ])
    }

    /// The names of a closed set as a pattern has them.
    private static func either<Value: RawRepresentable & CaseIterable>(
        _ type: Value.Type
    ) -> String where Value.RawValue == String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }
}
