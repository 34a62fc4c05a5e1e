package import PlimsollJSON

extension FieldValue {
    /// A dotted version and a text are strings, a version code is a number.
    package var json: JSONValue {
        switch self {
        case .version(.dotted(let version)): .string(version.written)
        case .version(.integer(let version)): .integer(Int64(version.number))
        case .text(let text): .string(text.text)
        case .offers(let offers): .array(offers.map { .object($0.data) })
        case .legacy(let legacy): .object(legacy.json)
        case .packages(let versions): .array(versions.map { .string($0.text) })
        }
    }

    package init?(json: JSONValue, of field: Field) {
        switch (field.part, field.platform.versionKind, json) {
        case (nil, _, .array(let list)) where field == .packages:
            let versions = list.compactMap { $0.string.flatMap(AppleVersionID.init) }
            guard versions.count == list.count, !versions.isEmpty else { return nil }
            self = .packages(versions)
        case (nil, _, .array(let list)):
            let offers = list.compactMap(Offer.init(json:))
            guard offers.count == list.count, !offers.isEmpty else { return nil }
            self = .offers(offers)
        case (nil, _, .object):
            guard let legacy = LegacyOffer(json, on: field.platform) else { return nil }
            self = .legacy(legacy)
        case (.value, .dotted, .string(let written)):
            guard let version = AppleVersion(written) else { return nil }
            self = .version(.dotted(version))
        case (.value, .integer, .integer(let number)):
            guard let version = AndroidVersion(number) else { return nil }
            self = .version(.integer(version))
        case (.text, _, .string(let words)):
            guard let text = try? Text(validating: words) else { return nil }
            self = .text(text)
        default: return nil
        }
    }
}
