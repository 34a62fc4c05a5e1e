/// The members of a JSON object, in the order they were read or added, no name twice.
///
/// Names that Swift's `==` holds equal are one name, so a look-up is never ambiguous: `é` in one
/// code point and in two is a duplicate. Two objects are equal if they have equal members in any
/// order.
package struct JSONObject: Sendable {
    /// A name and the value that stands behind it.
    package struct Member: Equatable, Sendable {
        package let key: String
        package fileprivate(set) var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    package private(set) var members: [Member]

    package init() {
        members = []
    }

    package init(_ members: some Sequence<Member>) {
        self.members = Array(members)
        precondition(
            firstDuplicate(in: self.members) == nil,
            "a JSON object has each member once"
        )
    }

    /// For the parser, which has looked for duplicates itself.
    init(unique members: [Member]) {
        self.members = members
    }

    package var count: Int { members.count }
    package var isEmpty: Bool { members.isEmpty }
    package var keys: [String] { members.map(\.key) }

    /// The value of a member; setting `nil` removes it, or adds nothing.
    package subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let index = members.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }
}

extension JSONObject: Equatable {
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.count == right.count else { return false }
        return left.members == right.members
            || left.members.sorted { $0.key < $1.key } == right.members.sorted { $0.key < $1.key }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.lazy.map { Member(key: $0, value: $1) })
    }
}

/// Which member repeats the name of an earlier one.
///
/// Canonical objects are in order, and comparing neighbours is enough for them.
func firstDuplicate(in members: [JSONObject.Member]) -> Int? {
    var isRising = true
    for index in members.indices.dropFirst() where isRising {
        isRising = members[index - 1].key < members[index].key
    }
    guard !isRising else { return nil }
    var seen: Set<String> = []
    return members.firstIndex { !seen.insert($0.key).inserted }
}
