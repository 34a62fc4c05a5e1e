import Foundation
import PlimsollJSON

/// All that the interface says in one language: `Languages/en.json` and its neighbours.
struct Language: Sendable {
    /// The tag, as `lang` has it.
    let tag: String
    /// What the language calls itself.
    var name: String { self["language.name"] }
    private let words: [String: String]
    /// For templates, which look `change.approve` up part by part.
    let tree: [String: any Sendable]
    /// How it says what the interface says; nothing in English, which the interface itself says.
    let translations: Translations

    init(_ tag: String, _ bytes: [UInt8]) {
        guard case .object(var object)? = try? JSONValue(parsing: bytes) else {
            preconditionFailure("the language \(tag) is no JSON object")
        }
        self.tag = tag
        translations = Translations(object["said"]?.object ?? [:])
        object["said"] = nil
        words = object.texts(under: "")
        tree = object.tree
    }

    /// The text of a key such as `change.approve`.
    subscript(_ key: String) -> String { words[key] ?? key }

    var keys: Set<String> { Set(words.keys) }

    /// The text with what stands in braces replaced: `{count}` by the value of `count`.
    ///
    /// Braces in a value stay what somebody wrote.
    func callAsFunction(_ key: String, _ values: Fields = [:]) -> String {
        let parts = self[key].split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let end = part.firstIndex(of: "}") ?? part.endIndex
            guard let value = values[String(part[..<end])] else { return "\(text){\(part)" }
            return "\(text)\(value)\(part[end...].dropFirst())"
        }
    }

    /// The text for a number: that of `key.one` for 1, that of `key.other` else.
    func callAsFunction(_ key: String, count: Int) -> String {
        self(count == 1 ? "\(key).one" : "\(key).other", ["count": count])
    }
}

extension JSONObject {
    fileprivate var tree: [String: any Sendable] {
        var tree: [String: any Sendable] = [:]
        for member in members {
            switch member.value {
            case .object(let object): tree[member.key] = object.tree
            case .string(let text): tree[member.key] = text
            default: preconditionFailure("\(member.key) is no text")
            }
        }
        return tree
    }

    fileprivate func texts(under prefix: String) -> [String: String] {
        var texts: [String: String] = [:]
        for member in members {
            let key = prefix + member.key
            switch member.value {
            case .string(let text): texts[key] = text
            case .object(let object): texts.merge(object.texts(under: "\(key).")) { $1 }
            default: preconditionFailure("\(key) is no text")
            }
        }
        return texts
    }
}

extension Language {
    static let all = [
        Language("en", PackageResources.en_json), Language("de", PackageResources.de_json),
    ]

    /// The first that `Accept-Language` asks for (RFC 9110, 12.5.4), or English.
    static func best(of wishes: String) -> Language {
        let ranges = wishes.lowercased().split(separator: ",").map { range in
            let parts = range.split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
                Double($0.dropFirst(2))
            }
            return (tag: parts.first ?? "", weight: weight ?? 1)
        }
        let sorted = ranges.enumerated().filter { $0.element.weight > 0 }.sorted {
            ($0.element.weight, -$0.offset) > ($1.element.weight, -$1.offset)
        }
        for (_, range) in sorted {
            let primary = range.tag.split(separator: "-").first.map(String.init)
            if let language = all.first(where: { $0.tag == primary }) { return language }
        }
        return all[0]
    }
}
