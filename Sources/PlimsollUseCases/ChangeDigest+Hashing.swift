import Crypto
package import PlimsollDomain
import PlimsollJSON
import PlimsollProjection

extension ChangeDigest {
    /// SHA-256 of the canonical JSON of {app, effect, operations, schedule}.
    ///
    /// Without a schedule its member is null.
    package init(of content: ChangeContent) {
        let json: JSONValue = [
            "app": .string(content.app.text),
            "effect": .array(content.effect.map(\.json)),
            "operations": .array(content.operations.map(\.json)),
            "schedule": content.schedule?.json ?? .null,
        ]
        let hash = SHA256.hash(data: json.canonicalBytes())
        guard let digest = ChangeDigest(hex: hexadecimal(hash)) else {
            preconditionFailure("SHA-256 has 64 hexadecimal digits")
        }
        self = digest
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

extension Operation {
    fileprivate var json: JSONValue {
        var members: JSONObject = [
            "platform": .string(platform.rawValue), "threshold": .string(threshold.rawValue),
        ]
        switch edit {
        case .setValue(let value):
            members["op"] = "setValue"
            members["value"] = FieldValue.version(value).json
        case .clearThreshold: members["op"] = "clearThreshold"
        case .setText(let part, let language, let text):
            members["op"] = "setText"
            members["part"] = .string(part.rawValue)
            members["language"] = .string(language.text)
            members["text"] = .string(text.text)
        case .removeText(let part, let language):
            members["op"] = "removeText"
            members["part"] = .string(part.rawValue)
            members["language"] = .string(language.text)
        }
        return .object(members)
    }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in
        text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
