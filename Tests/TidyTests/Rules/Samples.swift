import Foundation

/// What an availability document must not say, whoever wrote it.
enum Samples {
    typealias Document = [String: Threshold]

    struct Threshold: Decodable {
        let value: Value
        let title: [String: String]
        let description: [String: String]
    }

    enum Value: Decodable, Equatable {
        case dotted(String)
        case integer(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self =
                if let integer = try? container.decode(Int.self) {
                    .integer(integer)
                } else {
                    .dotted(try container.decode(String.self))
                }
        }
    }

    static func document(in file: TextFile) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(file.text.utf8))
    }

    static func missingTexts(_ document: Document, languages: Set<String>) -> [String] {
        document.keys.sorted().filter { name in
            Set(document[name]?.title.keys.map(\.self) ?? []) != languages
                || Set(document[name]?.description.keys.map(\.self) ?? []) != languages
        }
    }

    /// Texts that stand twice in one language: one of the two is about something else.
    static func repeatedTexts(_ document: Document) -> [String] {
        let texts = document.values.flatMap { threshold in
            [threshold.title, threshold.description].flatMap { texts in
                texts.map { "\($0.key): \($0.value)" }
            }
        }
        return Dictionary(grouping: texts) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    }

    /// Texts that name one of the words.
    static func texts(_ document: Document, naming words: [String]) -> [String] {
        document.values.flatMap { Array($0.title.values) + Array($0.description.values) }
            .filter { text in words.contains { text.contains($0) } }.sorted()
    }
}
