import Foundation
import Testing

@testable import PlimsollConsole

/// What the interface says, in every language.
@Suite struct LanguageTests {
    /// Keys that are put together at run time, by their beginning.
    private static let madeUp = [
        "changes.tab.", "changes.empty.", "device.", "done.", "form.", "rollback.side.",
        "rollback.to.", "state.", "text.", "threshold.", "time.", "timeline.", "verdict.",
    ]

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/PlimsollConsole")

    @Test func `every language says the same things`() {
        let english = Language.all[0]
        for language in Language.all.dropFirst() {
            #expect(english.keys.subtracting(language.keys).sorted() == [], "\(language.tag) lacks")
            #expect(
                language.keys.subtracting(english.keys).sorted() == [],
                "\(language.tag) has more"
            )
        }
    }

    @Test func `what is replaced in one language is replaced in all`() {
        let english = Language.all[0]
        for language in Language.all.dropFirst() {
            for key in english.keys {
                #expect(
                    Self.places(language[key]) == Self.places(english[key]),
                    "\(language.tag) \(key)"
                )
            }
        }
    }

    private static func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) })
    }

    // Goal: no page shows a key in the place of words, and no words stand there for nothing.
    @Test func `every key is used, and every key that is used is there`() throws {
        let templates = templateFiles.map { String(decoding: $0.value, as: UTF8.self) }
        var used = Set(
            templates.flatMap { $0.matches(of: /w\.([A-Za-z.-]+)\}\}/) }.map { String($0.output.1) }
        )
        let files = try #require(
            FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil)
        )
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            used.formUnion(
                text.matches(of: /"([a-z][A-Za-z]*\.[A-Za-z.-]+)"/).map { String($0.output.1) }
            )
        }
        let english = Language.all[0].keys
        let inTemplates = Set(
            templates.flatMap { $0.matches(of: /w\.([A-Za-z.-]+)\}\}/) }.map { String($0.output.1) }
        )
        #expect(inTemplates.subtracting(english).sorted() == [])
        let unused = english.subtracting(used).filter { key in
            !Self.madeUp.contains { key.hasPrefix($0) }
                && !used.contains(key.replacing(/\.(one|other)$/, with: ""))
        }
        #expect(unused.sorted() == [])
    }

    @Test(arguments: [
        ("", "en"), ("de", "de"), ("de-CH, en;q=0.5", "de"), ("fr, de;q=0.3, en;q=0.4", "en"),
        ("fr", "en"), ("en;q=0, de;q=0.1", "de"), ("*", "en"), (";;,,q=", "en"), ("DE", "de"),
    ])
    func `the language is the one that is asked for`(wishes: String, tag: String) {
        #expect(Language.best(of: wishes).tag == tag)
    }
}
