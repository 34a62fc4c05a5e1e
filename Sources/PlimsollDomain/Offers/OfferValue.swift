package import PlimsollJSON

/// What an app is handed on with an offer, or asked before it: any value that JSON has, but null.
///
/// An app asks for the type that it once wrote, and is silently given nothing where another one
/// stands, so a value keeps its type from the import to the phone. Strings and names are checked as
/// texts are; an empty string is a value like others.
package struct OfferValue: Hashable, Sendable {
    /// With the members of objects in order, so that equal values are the same bytes.
    package let json: JSONValue

    /// How many arrays and objects may stand inside one another.
    package static let depthMaximum = 8

    package static let grammar =
        "a string, a whole number, true, false, or an array or object of such values"

    package init(_ text: Text) { json = .string(text.text) }

    package init(validating json: JSONValue) throws(OfferValueFault) {
        self.json = try Self.validated(json, depth: 0)
    }

    package static func == (left: OfferValue, right: OfferValue) -> Bool {
        left.json == right.json
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(json.canonicalBytes()) }

    /// Whether it is an array or an object, which some clients cannot read.
    package var isNested: Bool { json.array != nil || json.object != nil }

    /// A string as it stands, everything else as JSON writes it.
    package var text: String {
        json.string ?? String(decoding: json.canonicalBytes(), as: UTF8.self)
    }

    /// As people are shown it: a string as it stands, but in quotation marks where it would read as
    /// a value of another type.
    package var words: String {
        guard let written = json.string, let other = try? JSONValue(parsing: Array(written.utf8)),
            other.string == nil
        else { return text }
        return String(decoding: json.canonicalBytes(), as: UTF8.self)
    }

    /// Its bytes in canonical JSON.
    var weight: Int { json.canonicalBytes().count }

    private static func validated(
        _ json: JSONValue,
        depth: Int
    ) throws(OfferValueFault) -> JSONValue {
        guard depth <= depthMaximum else { throw .tooDeep }
        switch json {
        case .null: throw .null
        case .bool, .integer: return json
        case .string(let written): return .string(try validated(written))
        case .array(let values):
            var list: [JSONValue] = []
            for value in values { list.append(try validated(value, depth: depth + 1)) }
            return .array(list)
        case .object(let object):
            var members = JSONObject()
            for member in object.members.sorted(by: { $0.key < $1.key }) {
                let name = try validated(member.key)
                guard members[name] == nil else { throw .twice(name) }
                members[name] = try validated(member.value, depth: depth + 1)
            }
            return .object(members)
        }
    }

    private static func validated(_ written: String) throws(OfferValueFault) -> String {
        guard !written.isEmpty else { return written }
        do throws(TextFault) {
            return try Text(validating: written).text
        } catch {
            throw .text(error)
        }
    }
}

extension OfferValue: Codable {
    package init(from decoder: any Decoder) throws {
        json = try JSONValue(parsing: Array(String(from: decoder).utf8))
    }

    package func encode(to encoder: any Encoder) throws {
        try String(decoding: json.canonicalBytes(), as: UTF8.self).encode(to: encoder)
    }
}

/// What is wrong with a value that an app shall be handed on.
package enum OfferValueFault: Error, Equatable, Sendable {
    case null
    case text(TextFault)
    /// Two names that are one and the same once they are normalised.
    case twice(String)
    case tooDeep

    /// What was found and what is needed.
    package var sentence: String {
        switch self {
        case .null: "Found null, which clients read differently; leave the member out."
        case .text(let fault): fault.sentence
        case .twice(let name): "The member “\(name)” stands here twice; each may stand once."
        case .tooDeep:
            "The value is nested too deeply; at most \(OfferValue.depthMaximum) levels are kept."
        }
    }
}
