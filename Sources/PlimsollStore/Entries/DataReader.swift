import PlimsollDomain
import PlimsollJSON

/// Reads the members of an event's data, each once, and accepts no others.
struct DataReader {
    let type: EventType
    private let object: JSONObject
    private var read: [String] = []

    init(_ type: EventType, _ object: JSONObject) {
        self.type = type
        self.object = object
    }

    /// The member as whatever it has to be; a failure names it.
    mutating func member<Value>(
        _ key: String,
        _ make: (JSONValue) -> Value?
    ) throws(EntryError) -> Value {
        guard let value = try optional(key, make) else { throw .badMember(type, key) }
        return value
    }

    /// The member, or `nil` if there is none.
    mutating func optional<Value>(
        _ key: String,
        _ make: (JSONValue) -> Value?
    ) throws(EntryError) -> Value? {
        guard let json = object[key] else { return nil }
        read.append(key)
        guard let value = make(json) else { throw .badMember(type, key) }
        return value
    }

    /// The member as something that is written as a string.
    mutating func text<Value>(
        _ key: String,
        _ make: (String) -> Value?
    ) throws(EntryError) -> Value {
        try member(key) { $0.string.flatMap(make) }
    }

    mutating func number<Value>(
        _ key: String,
        _ make: (Int64) -> Value?
    ) throws(EntryError) -> Value {
        try member(key) { $0.integer.flatMap(make) }
    }

    mutating func list<Value>(
        _ key: String,
        _ make: (JSONValue) -> Value?
    ) throws(EntryError) -> [Value] {
        try member(key) { json in
            guard let elements = json.array else { return nil }
            let values = elements.compactMap(make)
            return values.count == elements.count ? values : nil
        }
    }

    /// Refuses members that nobody asked for.
    func finish() throws(EntryError) {
        guard read.count < object.count else { return }
        throw .strangeMembers(type, object.keys.filter { !read.contains($0) })
    }
}

// MARK: - What occurs in several events

extension DataReader {
    mutating func app() throws(EntryError) -> AppSlug { try text("app", AppSlug.init) }

    mutating func principal() throws(EntryError) -> PrincipalID {
        try text("principal", PrincipalID.init)
    }

    mutating func digest() throws(EntryError) -> ChangeDigest {
        try text("digest", ChangeDigest.init(hex:))
    }

    mutating func reason(_ key: String) throws(EntryError) -> Reason? {
        try optional(key) { $0.string.flatMap { try? Reason(validating: $0) } }
    }

    /// The operation that an element of a list is.
    mutating func listedOperation() throws(EntryError) -> Operation {
        let name = try text("op") { $0 }
        if let name = OperationName(rawValue: name) { return try operation(named: name) }
        if let name = LegacyEditName(rawValue: name) {
            return try legacyOperation(isSetting: name == .setLegacyOffer)
        }
        guard let name = OfferEditName(rawValue: name) else { throw .badMember(type, "op") }
        let platform = try text("platform", Platform.init(rawValue:))
        return Operation(platform, offers: try offerEdit(name))
    }

    /// The operation that a field event or an element of a list is.
    mutating func operation(
        named name: OperationName
    ) throws(EntryError) -> Operation {
        let platform = try text("platform", Platform.init(rawValue:))
        let threshold = try text("threshold", ThresholdName.init(rawValue:))
        return Operation(platform, threshold, try edit(name))
    }

    private mutating func edit(_ name: OperationName) throws(EntryError) -> Operation.Edit {
        switch name {
        case .setValue: return .setValue(try member("value", VersionValue.init(json:)))
        case .clearValue: return .clearValue
        case .clearThreshold: return .clearThreshold
        case .setText:
            let (part, language) = try textPlace()
            return .setText(part, language, try text("text") { try? Text(validating: $0) })
        case .removeText:
            let (part, language) = try textPlace()
            return .removeText(part, language)
        }
    }

    private mutating func textPlace() throws(EntryError) -> (TextPart, LanguageTag) {
        (try text("part", TextPart.init(rawValue:)), try text("language", LanguageTag.init))
    }
}

/// What an operation on a threshold is called where several stand in a list.
enum OperationName: String {
    case setValue
    case clearValue
    case clearThreshold
    case setText
    case removeText
}

extension VersionValue {
    /// A dotted version is a string and an integer version a number.
    init?(json: JSONValue) {
        switch json {
        case .string(let written):
            guard let version = AppleVersion(written) else { return nil }
            self = .dotted(version)
        case .integer(let number):
            guard let version = AndroidVersion(number) else { return nil }
            self = .integer(version)
        case .null, .bool, .array, .object: return nil
        }
    }
}
