package import PlimsollDomain
import PlimsollJSON

extension ChangeDigest {
    /// SHA-256 of the canonical JSON of {app, effect, operations, schedule}.
    ///
    /// Without a schedule its member is null.
    package init(of content: ChangeContent) {
        let hash = ContentDigest(of: content.canonicalBytes)
        guard let digest = ChangeDigest(hex: hash.hex) else {
            preconditionFailure("SHA-256 has 64 hexadecimal digits")
        }
        self = digest
    }
}

extension ChangeContent {
    /// Written without a tree: whoever decides a log again writes every change of it.
    var canonicalBytes: [UInt8] {
        var json = CanonicalWriter(capacity: 256 * (operations.count + effect.count + 1))
        json.literal(#"{"app":"#)
        json.string(app.text)
        json.literal(#","effect":["#)
        for (index, change) in effect.enumerated() {
            if index > 0 { json.literal(",") }
            json.write(change)
        }
        json.literal(#"],"operations":["#)
        for (index, operation) in operations.enumerated() {
            if index > 0 { json.literal(",") }
            json.write(operation)
        }
        json.literal(#"],"schedule":"#)
        json.value(schedule?.json ?? .null)
        json.literal("}")
        return json.bytes
    }
}

extension Schedule {
    fileprivate var json: JSONValue {
        [
            "at": at.map { .string($0.rfc3339) } ?? .null,
            "timeZone": .string(timeZone.text),
            "until": until.map { .string($0.rfc3339) } ?? .null,
        ]
    }
}

extension CanonicalWriter {
    fileprivate mutating func write(_ change: FieldChange) {
        literal(#"{"after":"#)
        write(change.after)
        literal(#","before":"#)
        write(change.before)
        literal(#","field":"#)
        string(change.field.path)
        literal("}")
    }

    private mutating func write(_ field: FieldValue?) {
        switch field {
        case .text(let text): string(text.text)
        case .version, .offers, .legacy, .packages: value(field?.json ?? .null)
        case nil: literal("null")
        }
    }

    fileprivate mutating func write(_ operation: Operation) {
        switch operation.subject {
        case .threshold(let name, let edit): write(edit, operation.platform, name)
        case .offers, .legacy, .packages: value(.object(operation.data))
        }
    }

    private mutating func write(
        _ edit: Operation.Edit,
        _ platform: Platform,
        _ threshold: ThresholdName
    ) {
        switch edit {
        case .setValue(let version):
            literal(#"{"op":"setValue""#)
            writePlace(platform, threshold)
            literal(#","value":"#)
            value(FieldValue.version(version).json)
        case .clearValue:
            literal(#"{"op":"clearValue""#)
            writePlace(platform, threshold)
        case .clearThreshold:
            literal(#"{"op":"clearThreshold""#)
            writePlace(platform, threshold)
        case .setText(let part, let language, let text):
            writeBeginning(language, #","op":"setText""#, part)
            literal(#","platform":"#)
            string(platform.rawValue)
            literal(#","text":"#)
            string(text.text)
            literal(#","threshold":"#)
            string(threshold.rawValue)
        case .removeText(let part, let language):
            writeBeginning(language, #","op":"removeText""#, part)
            writePlace(platform, threshold)
        }
        literal("}")
    }

    private mutating func writeBeginning(
        _ language: LanguageTag,
        _ name: String,
        _ part: TextPart
    ) {
        literal(#"{"language":"#)
        string(language.text)
        literal(name)
        literal(#","part":"#)
        string(part.rawValue)
    }

    private mutating func writePlace(_ platform: Platform, _ threshold: ThresholdName) {
        literal(#","platform":"#)
        string(platform.rawValue)
        literal(#","threshold":"#)
        string(threshold.rawValue)
    }
}
