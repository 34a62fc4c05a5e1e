package import PlimsollJSON

extension FieldValue {
    /// A dotted version and a text are strings, a version code is a number.
    package var json: JSONValue {
        switch self {
        case .version(let version): version.json
        case .text(let text): .string(text.text)
        case .offers(let offers): .array(offers.map { .object($0.data) })
        case .legacy(let legacy): .object(legacy.json)
        case .packages(let versions): .array(versions.map { .string($0.text) })
        }
    }

    package init?(json: JSONValue, of field: Field) {
        switch (field.part, json) {
        case (nil, .array(let list)) where field == .packages:
            let versions = list.compactMap { $0.string.flatMap(AppleVersionID.init) }
            guard versions.count == list.count, !versions.isEmpty else { return nil }
            self = .packages(versions)
        case (nil, .array(let list)):
            let offers = list.compactMap(Offer.init(json:))
            guard offers.count == list.count, !offers.isEmpty else { return nil }
            self = .offers(offers)
        case (nil, .object):
            guard let legacy = LegacyOffer(json, on: field.platform) else { return nil }
            self = .legacy(legacy)
        case (.value, _):
            guard let version = VersionValue(json, field.platform.versionKind) else { return nil }
            self = .version(version)
        case (.text, .string(let words)):
            guard let text = try? Text(validating: words) else { return nil }
            self = .text(text)
        default: return nil
        }
    }
}

extension VersionValue {
    /// A dotted version is a string, a version code is a number.
    package var json: JSONValue {
        switch self {
        case .dotted(let version): .string(version.written)
        case .integer(let version): .integer(Int64(version.number))
        }
    }

    /// Reads a version as platforms of a kind write it.
    package init?(_ json: JSONValue, _ kind: VersionKind) {
        switch (kind, json) {
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

extension OfferVersion {
    package var json: JSONValue { number.map { .integer(Int64($0)) } ?? .string(description) }

    /// Reads a version of a kind as Prince of Versions writes it.
    package init?(_ json: JSONValue, _ kind: VersionKind, on platform: Platform) {
        switch (kind, json) {
        case (.dotted, .string(let written)): self.init(written: written, on: platform)
        case (.integer, .integer(let number)): self.init(written: String(number), on: platform)
        default: return nil
        }
    }
}
