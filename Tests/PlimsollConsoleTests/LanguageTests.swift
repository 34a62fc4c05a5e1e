import Foundation
import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollConsole

/// What the interface says, in every language.
@Suite struct LanguageTests {
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

    @Test func `what stands in a place is not taken for a place`() {
        let values = ["field": "{before}", "before": "{after}", "after": "{field}"]
        let told = Language.all[0]("edit.moved", values)
        #expect(told == "{before} {after} → {field}")
    }

    private static func places(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) })
    }

    // Goal: no page shows a key in the place of words, and no words stand there for nothing.
    // Method: what templates name, and what the sources name as a whole or by its beginning.
    @Test func `every key is used, and every key that is used is there`() throws {
        let english = Language.all[0].keys
        let shown = Self.found(in: Templates.files.map(\.bytes), /w\.([A-Za-z.-]+)\}\}/)
        #expect(shown.subtracting(english).sorted() == [])
        let sources = try Self.sourceFiles()
        let named = Self.found(in: sources, /"([a-z][A-Za-z]*\.[A-Za-z.-]+)"/)
        let begun = Self.found(in: sources, /"([a-z][A-Za-z]*\.[A-Za-z.-]*)\\\(/)
        let unused = english.subtracting(shown).subtracting(named).filter { key in
            !begun.contains(where: key.hasPrefix)
                && !named.contains(key.replacing(/\.(one|other)$/, with: ""))
        }
        #expect(unused.sorted() == [])
    }

    @Test func `whatever a page reads has a name to be refused by`() throws {
        let read = Self.found(
            in: try Self.sourceFiles(),
            /(?:optional|needed|asked|askedAll|reason|title|refusal\(of:)\(?\s*"([A-Za-z]+)"/
        )
        #expect(read.count > 40)
        #expect(read.filter { !Language.all[0].keys.contains("form.\($0)") }.sorted() == [])
    }

    // Browsers count code units, cut off what is pasted, and say nothing.
    @Test func `how long a text may be is for the rules to say`() {
        for template in Templates.files {
            let text = String(decoding: template.bytes, as: UTF8.self)
            #expect(!text.contains("maxlength"), "\(template.name)")
        }
    }

    private static func sourceFiles() throws -> [[UInt8]] {
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        return try #require(files).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }.map { Array(try Data(contentsOf: $0)) }
    }

    private static func found(
        in files: [[UInt8]],
        _ pattern: Regex<(Substring, Substring)>
    ) -> Set<String> {
        let texts = files.map { String(decoding: $0, as: UTF8.self) }
        return Set(texts.flatMap { $0.matches(of: pattern) }.map { String($0.output.1) })
    }

    @Test func `every language says why a change is suspended, and what to do`() {
        for language in Language.all {
            for cause in SuspensionCause.allCases {
                for part in ["detail", "remedy"] {
                    #expect(language.keys.contains("suspension.\(cause.rawValue).\(part)"))
                }
            }
        }
    }

    @Test(arguments: [
        ("", "en"), ("de", "de"), ("de-CH, en;q=0.5", "de"), ("fr, de;q=0.3, en;q=0.4", "en"),
        ("fr", "en"), ("en;q=0, de;q=0.1", "de"), ("*", "en"), (";;,,q=", "en"), ("DE", "de"),
    ])
    func `the language is the one that is asked for`(wishes: String, tag: String) {
        #expect(Language.best(of: wishes).tag == tag)
    }
}
