import Configuration
import PlimsollClient

/// The values of one document and what it means, by key.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
struct PlimsollSnapshot: ConfigSnapshot {
    static let name = "Plimsoll"

    private let values: [String: JSONValue]

    var providerName: String { Self.name }

    /// `nil` where nothing is known yet.
    init(_ state: AvailabilityState?) {
        var values: [String: JSONValue] = [:]
        if let document = state?.document {
            Self.add(.object(document.members), at: "", to: &values)
        }
        let decision = state?.decision ?? .open
        values["availability.runs"] = .bool(decision.verdict.runs)
        values["availability.verdict"] = .string(decision.verdict.rawValue)
        values["availability.title"] = decision.title.map(JSONValue.string)
        values["availability.description"] = decision.description.map(JSONValue.string)
        values["availability.stale"] = .bool(state?.isStale ?? false)
        self.values = values
    }

    private static func add(
        _ value: JSONValue,
        at path: String,
        to values: inout [String: JSONValue]
    ) {
        switch value {
        case .object(let object):
            for member in object.members {
                add(
                    member.value,
                    at: path.isEmpty ? member.key : "\(path).\(member.key)",
                    to: &values
                )
            }
        case .null: break
        default: values[path] = value
        }
    }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let path = key.components.joined(separator: ".")
        guard let value = values[path] else { return LookupResult(encodedKey: path, value: nil) }
        guard let content = ConfigContent(value, type) else {
            throw ValueOfAnotherType(key: path, wanted: type)
        }
        return LookupResult(encodedKey: path, value: ConfigValue(content, isSecret: false))
    }
}

/// A value that is there, and is not what was asked for.
struct ValueOfAnotherType: Error, Equatable, CustomStringConvertible {
    let key: String
    let wanted: ConfigType

    var description: String {
        "The value of \(key) in the document cannot be read as \(wanted.rawValue)."
    }
}

extension AvailabilityState {
    fileprivate var isStale: Bool {
        if case .stale = freshness { true } else { false }
    }
}
