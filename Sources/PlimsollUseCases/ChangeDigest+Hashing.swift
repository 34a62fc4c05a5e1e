import Crypto
package import PlimsollDomain
import PlimsollJSON
import PlimsollProjection
import PlimsollStore

extension ChangeDigest {
    /// SHA-256 of the canonical JSON of {app, effect, operations, schedule}.
    ///
    /// Without a schedule its member is null.
    package init(of content: ChangeContent) {
        let hash = SHA256.hash(data: content.canonicalBytes)
        guard let digest = ChangeDigest(hex: hexadecimal(hash)) else {
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
        case .version(let version): value(FieldValue.version(version).json)
        case nil: literal("null")
        }
    }

    fileprivate mutating func write(_ operation: Operation) {
        switch operation.edit {
        case .setValue(let version):
            literal(#"{"op":"setValue""#)
            writePlace(of: operation)
            literal(#","value":"#)
            value(FieldValue.version(version).json)
        case .clearValue:
            literal(#"{"op":"clearValue""#)
            writePlace(of: operation)
        case .clearThreshold:
            literal(#"{"op":"clearThreshold""#)
            writePlace(of: operation)
        case .setText(let part, let language, let text):
            writeBeginning(language, #","op":"setText""#, part)
            literal(#","platform":"#)
            string(operation.platform.rawValue)
            literal(#","text":"#)
            string(text.text)
            literal(#","threshold":"#)
            string(operation.threshold.rawValue)
        case .removeText(let part, let language):
            writeBeginning(language, #","op":"removeText""#, part)
            writePlace(of: operation)
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

    private mutating func writePlace(of operation: Operation) {
        literal(#","platform":"#)
        string(operation.platform.rawValue)
        literal(#","threshold":"#)
        string(operation.threshold.rawValue)
    }
}
