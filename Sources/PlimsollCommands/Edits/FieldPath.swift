import PlimsollAPI
import PlimsollDomain

/// A place in a document, as it is written on the command line: `minimumApp`,
/// `ios.minimumApp.value`, `minimumApp.description.en-GB`.
///
/// The platform may stand in front; otherwise it is the one that `--platform` says.
struct FieldPath: Equatable {
    let platform: Platform
    let threshold: ThresholdName
    /// What follows the threshold.
    let rest: [String]

    init(_ text: String, on usual: Platform?) throws(PathFault) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let first = parts.first, let named = Platform(rawValue: first) {
            parts.removeFirst()
            platform = named
        } else if let usual {
            platform = usual
        } else {
            throw PathFault(
                "\(legible(text)) names no platform; put one in front or use --platform."
            )
        }
        guard let first = parts.first, let name = ThresholdName(written: first) else {
            let names = platform.thresholds.map(\.rawValue).joined(separator: ", ")
            throw PathFault("\(legible(text)) names no threshold; \(platform.name) has \(names).")
        }
        threshold = name
        rest = Array(parts.dropFirst())
    }

    /// The field, where the path names one.
    func field(_ text: String) throws(PathFault) -> Field {
        switch rest.count {
        case 1 where rest[0] == "value": return Field(platform, threshold, .value)
        case 2:
            if let part = TextPart(rawValue: rest[0]), let language = LanguageTag(rest[1]) {
                return Field(platform, threshold, .text(part, language))
            }
        default: break
        }
        throw PathFault(
            "\(legible(text)) names no field; those are such as minimumApp.value and"
                + " minimumApp.description.en-GB."
        )
    }
}

extension Field {
    /// Reads a field as it is written on the command line: `minimumApp.value`, `ios.offers`.
    init(written text: String, on usual: Platform?) throws(PathFault) {
        if let platform = offersPlatform(text, usual) {
            self = .offers(of: platform)
        } else if let platform = legacyPlatform(text, usual) {
            self = .legacy(of: platform)
        } else {
            self = try FieldPath(text, on: usual).field(text)
        }
    }
}

/// Whose offers `ios.offers`, or `offers` beside a platform, are.
func offersPlatform(_ text: String, _ usual: Platform?) -> Platform? {
    let full = usual.map { "\($0.rawValue).\(text)" } ?? text
    return [text, full].lazy.compactMap(Field.init(path:))
        .first { $0 == .offers(of: $0.platform) }?.platform
}

/// Whose object for clients before 4.0 `ios.legacy`, or `legacy` beside a platform, is.
func legacyPlatform(_ text: String, _ usual: Platform?) -> Platform? {
    let full = usual.map { "\($0.rawValue).\(text)" } ?? text
    return [text, full].lazy.compactMap(Field.init(path:))
        .first { $0 == .legacy(of: $0.platform) }?.platform
}

/// What is wrong with a path or an edit, as a sentence.
struct PathFault: Error, Equatable {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

extension ThresholdName {
    /// Also the names that documents use: `minimumAppVersion`, `minimumSDKVersion`.
    init?(written name: String) {
        let stem = name.hasSuffix("Version") ? String(name.dropLast(7)) : name
        self.init(rawValue: stem == "minimumSDK" ? "minimumOS" : stem)
    }
}
