import PlimsollJSON

/// A JSON value as a client's own reader hands it on.
///
/// Other than in ``JSONValue`` numbers may have fractions and keep how they were written, because
/// clients differ in what they take for whole.
enum ClientValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([ClientValue])
    case object(ClientObject)
}

/// The members that a client's reader kept, each name once.
struct ClientObject: Equatable, Sendable {
    struct Member: Equatable, Sendable {
        let key: String
        let value: ClientValue
    }

    private(set) var members: [Member] = []
    private var places: [String: Int] = [:]

    init() {}

    private init(_ members: some Sequence<Member>) {
        for member in members { set(member.key, member.value) }
    }

    subscript(key: String) -> ClientValue? {
        places[key].map { members[$0].value }
    }

    /// Adds a member, or gives one that is there another value.
    mutating func set(_ key: String, _ value: ClientValue) {
        let member = Member(key: key, value: value)
        guard let place = places[key] else {
            places[key] = members.count
            members.append(member)
            return
        }
        members[place] = member
    }

    /// The other's members, and those of this one that the other does not have.
    func overlaid(with other: ClientObject) -> ClientObject {
        ClientObject(members + other.members)
    }

    func mapping(_ change: (ClientValue) -> ClientValue?) -> ClientObject {
        ClientObject(
            members.compactMap { member in
                change(member.value).map { Member(key: member.key, value: $0) }
            }
        )
    }
}

extension ClientValue {
    var object: ClientObject? {
        if case .object(let object) = self { object } else { nil }
    }

    var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var isNull: Bool { self == .null }

    var isNested: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .number, .string: false
        }
    }

    /// The number if it is written as a whole one.
    var whole: Int64? {
        if case .number(let text) = self { Int64(text) } else { nil }
    }

    /// What a reader makes of it that wants text: strings as they are, the rest as JSON.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let flag): String(flag)
        case .number(let text): Int64(text) != nil ? text : Double(text)?.description ?? text
        case .string(let text): text
        case .array(let values): "[\(values.map(\.nestedText).joined(separator: ","))]"
        case .object(let object):
            "{"
                + object.members.map {
                    "\(ClientValue.string($0.key).nestedText):\($0.value.nestedText)"
                }.joined(separator: ",") + "}"
        }
    }

    private var nestedText: String {
        guard case .string(let text) = self else { return text }
        return String(decoding: JSONValue.string(text).canonicalBytes(), as: UTF8.self)
    }

    /// The value as results show it; a number that is not whole becomes text.
    var shown: JSONValue {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number: whole.map(JSONValue.integer) ?? .string(text)
        case .string(let text): .string(text)
        case .array(let values): .array(values.map(\.shown))
        case .object(let object): .object(object.shown)
        }
    }
}

extension ClientObject {
    var shown: JSONObject {
        JSONObject(members.map { JSONObject.Member(key: $0.key, value: $0.value.shown) })
    }
}

extension Double {
    /// Reads a number in digits from 0 to 9; `0x10` is one to Swift and none to Java.
    init?(decimal text: String) {
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        self.init(text)
    }
}
