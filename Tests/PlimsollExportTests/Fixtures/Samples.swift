import PlimsollDomain

let harbour = slug("harbour")

func slug(_ text: String) -> AppSlug {
    guard let slug = AppSlug(text) else { preconditionFailure("\(text) is no slug") }
    return slug
}

func tag(_ text: String) -> LanguageTag {
    guard let tag = LanguageTag(text) else { preconditionFailure("\(text) is no language tag") }
    return tag
}

func dotted(_ text: String) -> VersionValue {
    guard let version = AppleVersion(text) else { preconditionFailure("\(text) is no version") }
    return .dotted(version)
}

func code(_ number: Int64) -> VersionValue {
    guard let version = AndroidVersion(number) else { preconditionFailure("\(number) is no code") }
    return .integer(version)
}

func sampleSettings(_ platforms: [Platform] = [.ios, .android]) throws -> AppSettings {
    AppSettings(
        name: try Title(validating: "Harbour"),
        platforms: platforms,
        languages: [tag("en")],
        fallbackLanguage: tag("en")
    )
}

func sampleDigest() -> ChangeDigest {
    guard let digest = ChangeDigest(hex: String(repeating: "0", count: 64)) else {
        preconditionFailure("64 digits are a digest")
    }
    return digest
}
