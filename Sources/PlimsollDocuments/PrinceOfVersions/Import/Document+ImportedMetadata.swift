import PlimsollDomain
import PlimsollJSON

extension Document {
    /// Takes over what has the names under which it is published; gives what is lost.
    mutating func take(own meta: JSONObject?, under key: String) -> [String] {
        take(meta, under: key, of: platform.thresholds)
    }

    /// The same of what stands beside all platforms, where nothing says whose system is meant.
    mutating func take(shared meta: JSONObject?) -> [String] {
        take(meta, under: "meta", of: platform.thresholds.filter { !$0.isOfSystem })
    }

    private mutating func take(
        _ meta: JSONObject?,
        under key: String,
        of thresholds: [ThresholdName]
    ) -> [String] {
        var losses: [String] = []
        for member in meta?.members ?? [] {
            let place = MetadataPlace(member.key)
            if let place, thresholds.contains(place.threshold),
                case let field = Field(platform, place.threshold, place.part),
                let value = field.value(written: member.value.string)
            {
                self[field] = value
            } else {
                losses.append("\(key): “\(member.key)” is not kept")
            }
        }
        return losses
    }
}

extension Field {
    fileprivate func value(written text: String?) -> FieldValue? {
        guard let text else { return nil }
        guard part == .value else { return (try? Text(validating: text)).map(FieldValue.text) }
        let version: VersionValue? =
            switch platform.versionKind {
            case .dotted: AppleVersion(text).map(VersionValue.dotted)
            case .integer: Int64(text).flatMap(AndroidVersion.init).map(VersionValue.integer)
            }
        return version.map(FieldValue.version)
    }
}

/// What a name in the metadata is of: `required.title.de-AT`, `required.os`, `required.os.title.de`.
private struct MetadataPlace {
    let threshold: ThresholdName
    let part: FieldPart

    init?(_ name: String) {
        var words = name.split(separator: ".", omittingEmptySubsequences: false)[...]
        let isOfSystem = words.count > 1 && words[1] == "os"
        let thresholds: [Substring: ThresholdName] =
            isOfSystem
            ? ["required": .minimumOS, "recommended": .recommendedOS]
            : ["required": .minimumApp, "recommended": .recommendedApp]
        guard let first = words.popFirst(), let threshold = thresholds[first] else { return nil }
        if isOfSystem { words.removeFirst() }
        let rest = words.map(String.init)
        if rest.isEmpty, isOfSystem {
            part = .value
        } else if rest.count == 2, let kind = TextPart(rawValue: rest[0]),
            let language = LanguageTag(rest[1])
        {
            part = .text(kind, language)
        } else {
            return nil
        }
        self.threshold = threshold
    }
}
