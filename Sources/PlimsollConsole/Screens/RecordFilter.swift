import Foundation
import PlimsollAPI
import PlimsollDomain

/// Which events the address asks for, as the interface takes it.
struct RecordFilter {
    /// The filters, without what is empty, and in the words of the interface.
    private(set) var pairs: [(name: String, value: String)]
    let cursor: String?

    /// Those that may be repeated, and mean either then.
    private static let repeatable = [
        "app", "type", "actor", "platform", "field", "change", "correlation", "reason",
    ]
    /// All of them, in the order in which a page shows them.
    static let names = repeatable + ["since", "until", "order"]

    init(_ query: FormFields) {
        pairs = Self.names.flatMap { name in
            query.all(name).map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty }
                .map { (name: name, value: Self.bound(name, $0)) }
        }
        cursor = query["cursor"]
    }

    subscript(_ name: String) -> String? { all(name).first }

    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    mutating func narrow(to apps: [AppSlug]) { pairs += apps.map { ("app", $0.text) } }

    /// The app whose states can be compared: the only one that is asked for.
    var app: AppSlug? {
        let apps = all("app")
        return apps.count == 1 ? AppSlug(apps[0]) : nil
    }

    /// The only field that is asked for, where nothing else is asked but its app.
    var onlyField: Field? {
        let rest = pairs.filter { $0.name != "app" }
        guard rest.count == 1, rest[0].name == "field" else { return nil }
        return Field(path: rest[0].value)
    }

    /// What the live feed takes of it; `nil` where nothing new is going to be shown.
    var feed: [(name: String, value: String)]? {
        guard cursor == nil, self["until"] == nil, self["order"] != "oldest" else { return nil }
        return pairs.filter { Self.repeatable.contains($0.name) }
    }

    /// The address of the page without one of the filters.
    func address(without index: Int) -> String {
        var rest = pairs
        rest.remove(at: index)
        return "/history?\(FormFields(rest).encoded)"
    }

    /// A day or a time in UTC as an instant: the beginning of what is meant, or its end.
    private static func bound(_ name: String, _ text: String) -> String {
        let time: LocalTime? =
            switch name {
            case "since": LocalTime(text + "T00:00") ?? LocalTime(text)
            case "until": LocalTime(endOf: text)
            default: nil
            }
        return time?.inUTC.rfc3339 ?? text
    }
}

/// What belongs together, in the order in which the first of each comes.
func grouped<Element, Key: Hashable>(
    _ elements: [Element],
    by key: (Element) -> Key
) -> [[Element]] {
    var places: [Key: Int] = [:]
    var groups: [[Element]] = []
    for element in elements {
        if let place = places[key(element)] {
            groups[place].append(element)
        } else {
            places[key(element)] = groups.count
            groups.append([element])
        }
    }
    return groups
}

extension LocalTime {
    /// The last moment of a day, or a time of day.
    init?(endOf text: String) {
        guard let time = LocalTime(text + "T23:59:59.999") ?? LocalTime(text) else { return nil }
        self = time
    }
}
