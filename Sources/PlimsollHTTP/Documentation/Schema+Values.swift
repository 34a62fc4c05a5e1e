import PlimsollAPI
import PlimsollDomain

/// The schemas of single values.
extension Schema {
    static let slug = string(matching: "^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$")
        .described("An app's slug: \(AppSlug.grammar).")
    static let language = string(matching: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")
        .described("\(LanguageTag.grammar).")
    static let platform = names(Platform.self)
    static let threshold = names(ThresholdName.self)
    static let part = names(TextPart.self)
    static let role = names(Role.self)
    static let position = integer(from: 0).described("A position of the log.")
    static let sequence = integer(from: 1).described("A snapshot's sequence.")
    static let instant = string(format: "date-time")
    static let uuid = string(format: "uuid")
    static let principal = string(
        matching: "^(system|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$"
    )
    .described("A principal's id.")
    static let thresholdPlace = string(
        matching: "^(\(either(Platform.self)))\\.(\(either(ThresholdName.self)))$"
    )
    .described("\(ThresholdPlace.grammar).")

    static let field = string(
        matching: "^(\(either(Platform.self)))\\.(offers|legacy|(\(either(ThresholdName.self)))"
            + "\\.(value|(\(either(TextPart.self)))\\.[A-Za-z0-9-]+))$"
    )
    .described("\(Field.grammar).")
    static let state = string(
        matching: "^(live|event:[0-9]+|time:.+|change:[1-9][0-9]*|snapshot:[1-9][0-9]*"
            + "|rollback:(event:[0-9]+|time:.+|before-change:[1-9][0-9]*|revert:[1-9][0-9]*|last-good:[1-9][0-9]*))$"
    )
    .described("\(StateName.grammar).")
    static let change = string(matching: "^[1-9][0-9]{0,18}$").described("A change's id.")
    static let digest = string(matching: "^[0-9a-f]{64}$")
    static let title = text(most: Title.scalarsMaximum, without: "\\n")
    static let reason = text(most: Reason.scalarsMaximum)
    static let words = text(most: Text.scalarsMaximum)
    static let profile = names(DocumentProfile.self)
    static let languages = string(matching: "^[A-Za-z0-9-]+(,[A-Za-z0-9-]+)*$")
        .described("The language of a phone, then other languages its owner reads: de-DE,fr.")
    static let clientGeneration = names(ClientGeneration.all.map(\.name))
    static let simulatedClient = names(["plimsoll"] + ClientGeneration.all.map(\.name))
        .described("An app in people's hands, or plimsoll: whatever links our own client.")
    static let princeClients = names(PrinceClients.self)
    static let dottedVersion = string(matching: "^[0-9]{1,10}(\\.[0-9]{1,10}){0,2}$")
    static let integerVersion = integer(from: 1, to: Int64(Int32.max))
    /// A version of a platform that stands elsewhere.
    static let anyVersion = oneOf([version(.dotted), version(.integer)])
    static let cursor = string(matching: "^[A-Za-z0-9_-]{1,128}$")
        .described("Opaque; give it as the parameter cursor.")
    /// The tag of an open change, or that of one which has been decided on.
    static let digestTag = string(matching: "^\"[0-9a-f]{64}(-[a-z]+)?\"$")
    /// The tag of a policy or of a key: the position of its event.
    static let positionTag = string(matching: "^\"[0-9]+\"$")

    /// What a version is written as on platforms of the kind.
    static func version(_ kind: VersionKind) -> Schema {
        switch kind {
        case .dotted: dottedVersion.described("\(kind.grammar).")
        case .integer: integerVersion.described("\(kind.grammar).")
        }
    }

    /// The platforms whose versions are of the kind.
    static func platforms(_ kind: VersionKind) -> Schema {
        names(Platform.allCases.filter { $0.versionKind == kind }.map(\.rawValue))
    }

    /// The names of a closed set as a pattern has them.
    private static func either<Value: RawRepresentable & CaseIterable>(
        _ type: Value.Type
    ) -> String where Value.RawValue == String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }
}
