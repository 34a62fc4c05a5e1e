import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

/// What the interface says in English, in the other languages.
@Suite struct TranslationsTests {
    private static let others = Language.all.dropFirst()
    /// What is never said in another language, unless a part of it was left in English.
    static var englishWord: Regex<(Substring, Substring)> {
        /\b(the|which|needs|people|approvals?|somebody|whose|than)\b/
    }
    private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `English is said by the interface alone`() {
        for kind in Translations.Kind.allCases {
            #expect(Language.all[0].translations.all(kind).isEmpty)
        }
    }

    @Test func `a sentence says in every language what it is about`() {
        for language in Self.others {
            for (english, own) in Translations.Kind.allCases.flatMap(language.translations.all) {
                #expect(Self.members(own) == Self.members(english), "\(language.tag): \(english)")
            }
        }
    }

    private static func members(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{([a-z]+[….]?)\}/).map { String($0.output.1) })
    }

    @Test func `every language has a title for each kind of problem, and for no other`() {
        for language in Self.others {
            let titled = language.translations.all(.problem).map(\.english)
            #expect(titled.sorted() == ProblemCode.allCases.map(\.type).sorted(), "\(language.tag)")
            for code in ProblemCode.allCases {
                let problem = Problem(code, detail: "")
                let wording = Wording(language: language, names: Names([:]))
                #expect(wording.title(of: problem) != code.title, "\(language.tag)")
            }
        }
    }

    @Test func `every language names each fact of a release, and no other`() {
        for language in Self.others {
            let named = language.translations.all(.fact).map(\.english)
            #expect(
                named.sorted() == ReleaseFactName.allCases.map(\.rawValue).sorted(),
                "\(language.tag)"
            )
        }
    }

    // Method: one event of each type and shape, as it was stored.
    @Test(arguments: EventType.allCases)
    func `every language tells every kind of event, with all that is in it`(
        type: EventType
    ) throws {
        for shape in 1...type.shape {
            let recorded = try Self.recorded(type, shape)
            expectTold(.event, EventAnswer(recorded).sentence)
        }
    }

    @Test func `what went along with a threshold is told too`() throws {
        let recorded = try Self.recorded(.thresholdCleared, 1)
        guard case .app(.thresholdCleared(let platform, let name)) = recorded.event else {
            Issue.record("the golden file is of another type")
            return
        }
        let value = FieldChange(
            field: Field(platform, name, .value),
            before: .version(.dotted(try #require(AppleVersion("3.2.0")))),
            after: nil
        )
        let texts = ["cy", "de"].map { language in
            FieldChange(
                field: Field(platform, name, .text(.title, tag(language))),
                before: nil,
                after: nil
            )
        }
        for fields in [[value], [value, texts[0]], [value] + texts, texts] {
            expectTold(.event, EventAnswer(recorded, fields: fields).sentence)
        }
    }

    // Method: the names are read where refusals are declared; each is the code as well.
    @Test func `every language tells every kind of refusal, and what to do`() throws {
        let samples = try ObjectionSamples { try Self.recorded($0, $0.shape) }.all
        for objection in samples {
            expectTold(.refusal, objection.detail)
            expectTold(.refusal, objection.remedy)
        }
        let declared = try Self.domainFiles("Refusals").joined().matches(
            of: /static (?:func|var) (\w+)[^{=]*Objection\s*\{/
        )
        let names = Set(declared.map { String($0.output.1) })
        #expect(names.symmetricDifference(samples.map(\.code)).sorted() == [])
        #expect(names.count > 100)
        #expect(Set(Objection.nextCommands.keys).subtracting(names).sorted() == [])
    }

    // Method: what the checks find in edits that fall into every trap; as many as there are places
    // that find something.
    @Test func `every language tells whatever a check finds`() throws {
        let samples = try FindingSamples().all
        for finding in samples {
            expectTold(.finding, finding.sentence)
            for language in Self.others {
                let told = language.translations(.finding, finding.sentence) ?? ""
                #expect(!told.replacing(/„[^“]*“/, with: "").contains(Self.englishWord), "\(told)")
            }
        }
        #expect(CheckName.all.subtracting(samples.map(\.check)) == [])
        let places = try Self.domainFiles("Checks").joined()
            .matches(of: /CheckFinding\(\s*\.([a-zA-Z]+),/)
        for (name, found) in Dictionary(grouping: places, by: \.output.1) {
            #expect(samples.count { $0.check.rawValue == name } >= found.count, "\(name)")
        }
    }

    @Test func `every language calls the letters of texts by their names`() throws {
        let names = try Self.domainFiles("Checks").joined()
            .matches(of: /case [a-z]+ = "([A-Z][a-z]+)"/).map(\.output.1)
        #expect(names.count > 20)
        for name in names {
            let sentence =
                "ios.minimumApp.title.xx is in \(name) letters, which xx is not written in."
            for language in Self.others {
                let told = try #require(language.translations(.finding, sentence))
                #expect(language.translations(.phrase, name) != nil, "\(name)")
                #expect(told.contains(try #require(language.translations(.phrase, name))))
            }
        }
    }

    /// In other words than English, and with whatever in it is no word: numbers, ids, names.
    private func expectTold(_ kind: Translations.Kind, _ sentence: String) {
        for language in Self.others {
            guard let told = language.translations(kind, sentence) else {
                Issue.record("\(language.tag) has no words for: \(sentence)")
                continue
            }
            #expect(told != sentence, "\(language.tag)")
            #expect(!told.contains("{") || sentence.contains("{"), "\(told)")
            for fact in sentence.matches(of: /[^ ()“”,;':]*[0-9](?:[^ ()“”,;':]*[0-9a-z])?/) {
                #expect(told.contains(fact.output), "\(language.tag) leaves out: \(sentence)")
            }
        }
    }

    private static func domainFiles(_ folder: String) throws -> [String] {
        let folder = tests.deletingLastPathComponent()
            .appending(path: "Sources/PlimsollDomain/\(folder)")
        return try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil
        ).map { try String(contentsOf: $0, encoding: .utf8) }
    }

    private static func recorded(_ type: EventType, _ shape: Int) throws -> RecordedEvent {
        let file = tests.appending(
            path: "PlimsollStoreTests/Golden/\(type.rawValue).\(shape).json"
        )
        return try EventCodec.decode(Array(try Data(contentsOf: file)), at: Position(7))
    }

    @Test(arguments: [
        ("Change 5 comes from Change 6 revised", "Änderung 5 stammt aus Change 6 revised"),
        ("Change 5 comes from {source…} \u{202E}x", "Änderung 5 stammt aus {source…} \u{202E}x"),
        ("Webhook x disabled: a: b", "Webhook x ausgeschaltet: a: b"),
    ])
    func `what people wrote stays as they wrote it`(sentence: String, told: String) throws {
        let german = try #require(Language.all.first { $0.tag == "de" })
        #expect(german.translations(.event, sentence) == told)
    }

    @Test func `no sentence is told in two languages`() throws {
        let german = try #require(Language.all.first { $0.tag == "de" })
        for sentence in [
            "needs 1 approval of a kind that came later",
            "needs 1 approval by people in the role approver and something else",
            "needs " + String(repeating: "a and b, c; d or ", count: 100) + "e f",
        ] {
            #expect(german.translations(.clause, sentence) == nil)
        }
    }

    @Test func `what nobody has words for stays in English`() throws {
        let german = try #require(Language.all.first { $0.tag == "de" })
        #expect(german.translations(.refusal, "Something of a newer service.") == nil)
        #expect(german.translations(.refusal, "") == nil)
        let long = String(repeating: "a is b: ", count: 4000)
        #expect(german.translations(.event, long) == nil)
        #expect(german.translations(.refusal, long) == nil)
    }
}
