import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Mistakes about who reads what.
@Suite struct ClientCheckTests {
    private func kept(_ settings: AppSettings, after operations: [Operation] = []) throws -> App {
        var given = try Given.harbourApp()
            .when(root, (.app(harbour), .app(.appSettingsChanged(settings))))
        for operation in operations {
            given = given.when(alice, (.app(harbour), .app(AppEvent(operation))))
        }
        return try #require(given.logState.app(harbour))
    }

    private func found(
        _ check: CheckName,
        in operations: [Operation],
        of app: App
    ) -> [CheckFinding] {
        app.findings(applying: operations, under: .builtIn, at: testNow).filter {
            $0.check == check
        }
    }

    private func minimum(_ version: String, _ language: String = "en") throws -> [Operation] {
        [
            Operation(.ios, .minimumApp, .setValue(dotted(version))),
            Operation(
                .ios,
                .minimumApp,
                .setText(.description, tag(language), try text("Please update to \(version)."))
            ),
        ]
    }

    @Test func `a change that iPhones could not read is named with what they miss`() throws {
        let app = try kept(try settings(profile: .minimal))
        let findings = found(.clientsCannotRead, in: try minimum("3.2"), of: app)
        #expect(findings.count == 2)
        let first = try #require(findings.first)
        #expect(first.field == Field(.ios, .minimumOS, .value))
        #expect(first.sentence.contains("nhs-ios-3.0 (3.0 to 3.9)"))
        #expect(first.sentence.contains("minimumOSVersion is missing"))
        let complete = try kept(try settings())
        #expect(found(.clientsCannotRead, in: try minimum("3.2"), of: complete).isEmpty)
    }

    @Test func `a value that is taken away is named before anybody agrees to it`() throws {
        let both =
            try minimum("3.2") + [
                Operation(.ios, .minimumOS, .setValue(dotted("14"))),
                Operation(
                    .ios,
                    .minimumOS,
                    .setText(.description, tag("en"), try text("New iOS."))
                ),
            ]
        let app = try kept(try settings(profile: .minimal), after: both)
        let clear = [Operation(.ios, .minimumOS, .clearValue)]
        let names = found(.clientsCannotRead, in: clear, of: app).map(\.sentence)
        #expect(names.contains { $0.contains("nhs-ios-3.0") && $0.contains("minimumOSVersion") })
        let v3 = try kept(try settings(profile: .versionThree), after: both)
        #expect(found(.clientsCannotRead, in: clear, of: v3).isEmpty)
    }

    /// Texts of four bytes a letter, as long as they may be, in so many languages.
    private func longest(in count: Int) throws -> [Operation] {
        let words = try text(String(repeating: "\u{1F6A2}", count: Text.scalarsMaximum))
        let languages = "abc".flatMap { first in "abcdefghijkl".map { tag("q\(first)\($0)") } }
        return languages.prefix(count).flatMap { language in
            Platform.ios.thresholds.flatMap { name in
                TextPart.allCases.map { Operation(.ios, name, .setText($0, language, words)) }
            }
        }
    }

    // Goal: nothing is approved that our own client refuses without a word about it.
    @Test func `a document that is longer than our own client takes is named`() throws {
        let edits = try minimum("3.2")
        let short = try kept(try settings(), after: longest(in: 32))
        #expect(found(.clientsCannotRead, in: edits, of: short).isEmpty)
        let long = try kept(try settings(), after: longest(in: 33))
        let findings = found(.clientsCannotRead, in: edits, of: long)
        #expect(findings.map(\.field.threshold) == [.minimumApp])
        // Whether any app links it is not known here.
        let sentence = try #require(findings.first?.sentence)
        #expect(sentence.hasPrefix("An app that fetches with Plimsoll's client refuses"))
        #expect(sentence.contains("longer than 4 MiB"))
        // What was approved before anybody counted is no longer asked.
        let former = long.findings(
            applying: edits,
            under: .builtIn,
            at: testNow,
            by: .ignoringLengths
        )
        #expect(!former.contains { $0.check == .clientsCannotRead })
    }

    @Test func `who is in nobody's hands is not spoken of`() throws {
        let app = try kept(try settings(profile: .minimal, clients: []))
        #expect(found(.clientsCannotRead, in: try minimum("3.2"), of: app).isEmpty)
    }

    @Test func `whoever is named as a reader is, though the profile leaves its members out`() throws
    {
        let newest = try #require(ClientGeneration("nhs-ios-3.10"))
        let app = try kept(try settings(profile: .versionThree, clients: [newest]))
        let names = found(.clientsCannotRead, in: try minimum("3.2"), of: app).map(\.sentence)
        #expect(names.count == 1)
        #expect(names.first?.contains("nhs-ios-3.10") == true)
        let unnamed = try kept(try settings(profile: .versionThree, clients: nil))
        #expect(found(.clientsCannotRead, in: try minimum("3.2"), of: unnamed).isEmpty)
    }

    @Test func `readers whom other settings leave behind are still looked for`() throws {
        let (complete, three) = try (
            settings(profile: .complete, clients: nil),
            settings(profile: .versionThree, clients: nil)
        )
        #expect(three.readers(after: complete) == ClientGeneration.all)
        #expect(three.readers(after: three) == three.readers)
        let named = try settings(
            profile: .versionThree,
            clients: [try #require(ClientGeneration("nhs-ios-3.0"))]
        )
        #expect(named.readers(after: complete).map(\.name) == ["nhs-ios-3.0"])
    }

    @Test func `a title and a description in different languages are named`() throws {
        func advice(_ part: TextPart, _ language: String) throws -> Operation {
            Operation(.ios, .recommendedApp, .setText(part, tag(language), try text("\(part)")))
        }
        let app = try kept(try settings())
        let value = Operation(.ios, .recommendedApp, .setValue(dotted("3.2")))
        let whole = try [value, advice(.title, "en"), advice(.description, "en")]
        #expect(found(.languagesDiffer, in: whole, of: app).isEmpty)
        let findings = found(.languagesDiffer, in: whole + [try advice(.title, "de")], of: app)
        #expect(findings.map(\.field.path) == ["ios.recommendedApp.description.de"])
        #expect(findings.first?.sentence.contains("alone in de") == true)
        // A minimum has no title of the document's.
        #expect(found(.languagesDiffer, in: try minimum("3.2"), of: app).isEmpty)
    }

    @Test(arguments: [("99", true), ("5", true), ("4.0", false), ("3.3", false)])
    func `the end of an app with the words of an update is named`(
        version: String,
        isNamed: Bool
    ) throws {
        let app = try kept(try settings(), after: try minimum("3.2"))
        let value = [Operation(.ios, .minimumApp, .setValue(dotted(version)))]
        #expect(!found(.updateStillAdvised, in: value, of: app).isEmpty == isNamed)
        let rewritten = try minimum(version)
        #expect(found(.updateStillAdvised, in: rewritten, of: app).isEmpty)
    }

    @Test func `where releases are known the end is what none of them satisfies`() throws {
        let app = try kept(try settings(), after: try minimum("3.2"))
        var given = try Given.harbourApp()
        for operation in try minimum("3.2") {
            given = given.when(alice, (.app(harbour), .app(AppEvent(operation))))
        }
        let release = Release(platform: .ios, version: dotted("9.0"), facts: ReleaseFacts())
        given = given.when(alice, (.app(harbour), .app(.releaseRegistered(release))))
        let known = try #require(given.logState.app(harbour))
        let value = [Operation(.ios, .minimumApp, .setValue(dotted("9.0")))]
        #expect(found(.updateStillAdvised, in: value, of: known).isEmpty)
        #expect(!found(.updateStillAdvised, in: value, of: app).isEmpty)
        let end = [Operation(.ios, .minimumApp, .setValue(dotted("9.1")))]
        #expect(!found(.updateStillAdvised, in: end, of: known).isEmpty)
    }

    // Goal: nobody reads "install the latest" beside "an update is on its way". Method: a text in
    // three languages is rewritten in one, in all, and added to in a fourth.
    @Test func `a text that is rewritten in some languages is named with the others`() throws {
        let texts = try ["en", "de", "cy"].flatMap { try minimum("3.2", $0) }
        let app = try kept(try settings(), after: texts)
        func say(_ languages: String...) throws -> [CheckFinding] {
            let edits = try languages.map { language in
                Operation(
                    .ios,
                    .minimumApp,
                    .setText(.description, tag(language), try text("On its way: \(language)."))
                )
            }
            return found(.textsNotRewritten, in: edits, of: app)
        }
        let findings = try say("en")
        #expect(findings.map(\.field.path) == ["ios.minimumApp.description.cy"])
        #expect(
            findings.first?.sentence
                == "ios.minimumApp.description says something else in en, and what it said before in"
                + " cy, de."
        )
        #expect(try say("en", "de", "cy").isEmpty)
        #expect(try say("fr").isEmpty)
        #expect(try say("fr", "de").first?.sentence.contains("before in cy, en.") == true)
        let value = [Operation(.ios, .minimumApp, .setValue(dotted("3.3")))]
        #expect(found(.textsNotRewritten, in: value, of: app).isEmpty)
        // A minimum that rises with a text in one more language only, as a block may leave it.
        let french = Operation(
            .ios,
            .minimumApp,
            .setText(.description, tag("fr"), try text("Mise à jour."))
        )
        #expect(
            found(.textsNotRewritten, in: value + [french], of: app).first?.sentence.hasSuffix(
                "says something else in fr, and what it said before in cy, de, en."
            ) == true
        )
        // Nobody reads the texts of a minimum that is not set.
        let clear = [Operation(.ios, .minimumApp, .clearValue)]
        let unset = try kept(try settings(), after: texts + clear)
        let edit = [try minimum("3.2")[1]]
        #expect(found(.textsNotRewritten, in: edit, of: unset).isEmpty)
    }
}
