import PlimsollAPI
import PlimsollDomain

/// The edits of a proposal, as they are written on the command line.
struct EditArguments: Equatable {
    var clears: [String] = []
    var values: [String] = []
    var texts: [String] = []
    var removals: [String] = []
    var offers: [String] = []

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

private func clearing(_ text: String, _ platform: Platform?) throws -> Operation {
    if let platform = offersPlatform(text, platform) {
        return Operation(platform, offers: .set([]))
    }
    if let platform = legacyPlatform(text, platform) {
        return Operation(platform, legacy: nil)
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
    guard let version = VersionValue(written: value, kind) else {
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

extension VersionValue {
    /// Reads a version as the platform writes it.
    init?(written text: String, _ kind: VersionKind) {
        switch kind {
        case .dotted:
            guard let version = AppleVersion(text) else { return nil }
            self = .dotted(version)
        case .integer:
            guard let number = Int64(text), let version = AndroidVersion(number) else {
                return nil
            }
            self = .integer(version)
        }
    }
}
