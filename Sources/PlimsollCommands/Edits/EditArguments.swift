import PlimsollAPI
import PlimsollDomain

/// The edits of a proposal, as they are written on the command line.
struct EditArguments: Equatable {
    var clears: [String] = []
    var values: [String] = []
    var texts: [String] = []
    var removals: [String] = []
    var offers: [String] = []
    var packages: String?

    var isEmpty: Bool { self == EditArguments() }

    /// The operations in an order that makes sense, or everything that is wrong with them.
    ///
    /// A text that begins with `@` is the content of the file it names.
    func operations(
        on platform: Platform?,
        contentsOf file: (String) throws -> [UInt8]
    ) throws -> [Operation] {
        var operations: [Operation] = []
        var faults: [String] = []
        func collect(_ texts: [String], _ read: (String) throws -> Operation) throws {
            for text in texts {
                do {
                    operations.append(try read(text))
                } catch let fault as PathFault {
                    faults.append(fault.sentence)
                }
            }
        }
        try collect(clears) { try clearing($0, platform) }
        try collect(values) { try settingValue($0, platform) }
        try collect(texts) { try settingText($0, platform, file) }
        try collect(removals) { try removingText($0, platform) }
        try collect(offers) { try settingOffers($0, file) }
        try collect([packages].compactMap(\.self)) { try settingPackages($0) }
        guard faults.isEmpty else {
            throw Failure(
                .usage,
                "The edits cannot be read.",
                checks: faults.map { Failure.Check(detail: $0, remedy: nil) },
                next: "plimsoll propose --help"
            )
        }
        return operations
    }
}

/// Reads `878123456789,878123456700`: the versions that take the place of those that are offered.
private func settingPackages(_ text: String) throws -> Operation {
    let versions = try text.split(separator: ",", omittingEmptySubsequences: false).map { text in
        guard let version = AppleVersionID(String(text)) else {
            throw PathFault(
                "\"\(excerpt(String(text)))\" is no AppleVersionID; write them as --packages"
                    + " 878123456789,878123456700."
            )
        }
        return version
    }
    return Operation(.ios, .packages(.set(versions)))
}

private func clearing(_ text: String, _ platform: Platform?) throws -> Operation {
    if let field = fieldOfNoThreshold(text, platform) {
        switch field.subject {
        case .offers: return Operation(field.platform, offers: .set([]))
        case .legacy: return Operation(field.platform, legacy: nil)
        case .packages: return Operation(field.platform, .packages(.set([])))
        case .threshold: break
        }
    }
    let path = try FieldPath(text, on: platform)
    guard path.rest.isEmpty || path.rest == ["value"] else {
        throw PathFault("\(legible(text)) names a text; --clear needs a threshold or its value.")
    }
    let edit = path.rest.isEmpty ? Operation.Edit.clearThreshold : .clearValue
    return Operation(path.platform, path.threshold, edit)
}

private func settingValue(_ text: String, _ platform: Platform?) throws -> Operation {
    let (name, value) = try assignment(text, "--set minimumApp.value=3.2.0")
    let path = try FieldPath(name, on: platform)
    guard path.rest.isEmpty || path.rest == ["value"] else {
        throw PathFault("\(legible(name)) names no value; texts are set with --text.")
    }
    let kind = path.platform.versionKind
    guard let version = VersionValue(text: value, kind) else {
        throw PathFault(
            "\(path.platform.name) \(path.threshold.name) is \"\(excerpt(value))\"; it needs to be"
                + " \(kind.grammar)."
        )
    }
    return Operation(path.platform, path.threshold, .setValue(version))
}

private func settingText(
    _ text: String,
    _ platform: Platform?,
    _ file: (String) throws -> [UInt8]
) throws -> Operation {
    let (name, value) = try assignment(text, "--text minimumApp.description.en-GB=…")
    let field = try FieldPath(name, on: platform).field(name)
    guard case .threshold(let threshold, .text(let part, let language)) = field.subject else {
        throw PathFault("\(legible(name)) names no text; values are set with --set.")
    }
    let words = try words(value, name, file)
    do throws(TextFault) {
        let text = try Text(validating: words)
        return Operation(field.platform, threshold, .setText(part, language, text))
    } catch {
        throw PathFault("\(legible(name)): \(error.sentence)")
    }
}

/// The line feed at the end of a file belongs to the file and not to the text.
private func words(
    _ value: String,
    _ name: String,
    _ file: (String) throws -> [UInt8]
) throws -> String {
    guard value.hasPrefix("@") else { return value }
    let bytes = try file(String(value.dropFirst()))
    guard let words = String(validating: bytes, as: UTF8.self) else {
        throw PathFault("\(legible(name)): \(value.dropFirst()) is not UTF-8.")
    }
    return words.hasSuffix("\r\n") || words.hasSuffix("\n") ? String(words.dropLast()) : words
}

private func removingText(_ text: String, _ platform: Platform?) throws -> Operation {
    let field = try FieldPath(text, on: platform).field(text)
    guard case .threshold(let threshold, .text(let part, let language)) = field.subject else {
        throw PathFault("\(legible(text)) names no text; a threshold is cleared with --clear.")
    }
    return Operation(field.platform, threshold, .removeText(part, language))
}

func assignment(
    _ text: String,
    _ example: String
) throws(PathFault) -> (name: String, value: String) {
    guard let equals = text.firstIndex(of: "=") else {
        throw PathFault("\(legible(text)) has no equals sign; write it as \(example).")
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
}

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
            let names = Platform.allCases.map(\.rawValue).joined(separator: ", ")
            throw PathFault(
                "\(legible(text)) names no platform; put one of \(names) in front or use --platform."
            )
        }
        guard let first = parts.first, let name = ThresholdName(written: first) else {
            let names = platform.thresholds.map(\.rawValue).joined(separator: ", ")
            let known = names.isEmpty ? "none, but offers (plimsoll offers)" : names
            throw PathFault("\(legible(text)) names no threshold; \(platform.name) has \(known).")
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
        if let field = fieldOfNoThreshold(text, usual) {
            self = field
        } else {
            self = try FieldPath(text, on: usual).field(text)
        }
    }
}

/// Reads `ios.offers`, or `offers` beside a platform, and so on.
private func fieldOfNoThreshold(_ text: String, _ usual: Platform?) -> Field? {
    let full = usual.map { "\($0.rawValue).\(text)" } ?? text
    return [text, full].lazy.compactMap(Field.init(path:)).first { $0.threshold == nil }
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
