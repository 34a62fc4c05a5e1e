import PlimsollDomain
import PlimsollTestSupport
import Testing

/// The mistakes of others, each found by its name, and its good twin left alone.
@Suite struct CheckTests {
    private func describe(
        _ name: ThresholdName,
        _ words: String,
        in language: String = "en",
        on platform: Platform = .ios
    ) throws -> Operation {
        Operation(platform, name, .setText(.description, tag(language), try text(words)))
    }

    private func set(
        _ name: ThresholdName,
        _ version: VersionValue,
        on platform: Platform = .ios
    ) -> Operation {
        Operation(platform, name, .setValue(version))
    }

    /// What is found in operations on an app that others have been made on before; a check that is
    /// asked alone finds the same.
    private func found(
        in operations: [Operation],
        after earlier: [Operation] = []
    ) throws -> [CheckName] {
        let events = earlier.map { (StreamName.app(harbour), Event.app(AppEvent($0))) }
        var given = try Given.harbourApp()
        for event in events { given = given.when(.system, event) }
        let app = try #require(given.logState.app(harbour))
        let found = app.findings(applying: operations, under: .builtIn, at: testNow)
        for check in CheckName.allCases {
            let alone = app.findings(
                applying: operations,
                under: .builtIn,
                at: testNow,
                asking: [check]
            )
            #expect(alone == found.filter { $0.check == check })
        }
        return found.map(\.check)
    }

    @Test func `what is recommended has to run`() throws {
        let advised = [set(.recommendedApp, dotted("3.1"))]
        #expect(
            try found(in: [set(.minimumApp, dotted("3.2"))], after: advised)
                == [.minimumAboveRecommended]
        )
        #expect(try found(in: [set(.minimumApp, dotted("3.1.0"))], after: advised) == [])
        let minimum = [set(.minimumOS, dotted("14"))]
        #expect(
            try found(in: [set(.recommendedOS, dotted("13.7"))], after: minimum)
                == [.minimumAboveRecommended]
        )
        #expect(try found(in: [set(.minimumApp, dotted("99"))], after: minimum) == [])
    }

    @Test func `a minimum that falls, or goes, is told`() throws {
        let minimum = [set(.minimumApp, dotted("3.2"))]
        for edit in [
            set(.minimumApp, dotted("3.1.9")), Operation(.ios, .minimumApp, .clearThreshold),
        ] {
            #expect(try found(in: [edit], after: minimum) == [.minimumLowered])
        }
        #expect(try found(in: [set(.minimumApp, dotted("3.2.0"))], after: minimum) == [])
        let advised = [set(.recommendedApp, dotted("3.2"))]
        #expect(try found(in: [set(.recommendedApp, dotted("3.1"))], after: advised) == [])
    }

    // For months people whose system was too old were told to update the app.
    @Test func `one text in two places of a language is told, whichever comes second`() throws {
        let words = "Please update the app."
        let app = [set(.minimumApp, dotted("3")), try describe(.minimumApp, words)]
        #expect(try found(in: [try describe(.minimumOS, words)], after: app) == [.textsEqual])
        #expect(try found(in: [try describe(.minimumOS, words, in: "de")], after: app) == [])
        #expect(try found(in: [set(.minimumOS, dotted("14"))], after: app) == [])
        for twin in [
            "Please update the app", "please  update\nthe app!", "“Please update the app.”",
        ] {
            #expect(try found(in: [try describe(.minimumOS, twin)], after: app) == [.textsEqual])
        }
        for other in ["Please update the apps.", "Please update the app 2.", "…"] {
            #expect(try found(in: [try describe(.minimumOS, other)], after: app) == [])
        }
        let title = Operation(.ios, .minimumOS, .setText(.title, tag("en"), try text(words)))
        #expect(try found(in: [title], after: app) == [])
    }

    @Test func `a language that people may be reading is not taken away unnoticed`() throws {
        let texts = [
            try describe(.minimumApp, "Update.", in: "en-GB"),
            try describe(.minimumApp, "Update.", in: "en"),
        ]
        let removal = [Operation(.ios, .minimumApp, .removeText(.description, tag("en-GB")))]
        let holding = texts + [set(.minimumApp, dotted("3"))]
        #expect(try found(in: removal, after: holding) == [.languageRemoved])
        #expect(try found(in: removal, after: texts) == [])
    }

    @Test(arguments: [
        "TO" + "DO", "Update. TBD", "Hello {{name}}", "Version %@", "%d days", "a\\nb",
        "A\u{FFFD}B",
        "Tom &amp; Co", "One<br>two", "Lorem ipsum dolor", "${version}", "%1$s", "Hello {name}.",
        "It&#39;s time", "It&#x27;s time", "a &lt; b", "CafÃ©", "schÃ¶n", "Â£5", "Donâ€™t", "Ø§Ù„",
        "Ð¿Ñ€", "à¦†à¦ª", "Voil\u{C3}\u{A0} !", "to" + "do: ask Ann", "To" + "do: ask Ann", "????",
    ])
    func `what is left over is told`(_ words: String) throws {
        #expect(try found(in: [try describe(.minimumApp, words)]).first == .placeholderLeft)
    }

    @Test(arguments: [
        "TBDS", "Save 50%s or more", "At 100 %", "Tom & Co", "a < b", "{ }", "{one, two}",
        "Really??",
        "R&#R;", "«MANHÃ»", "AMANHÃ\u{A0}!", "Âge", "Ñandú", "là», dit-il", "Ørsted",
        "All to do: nothing", "Été à 9 h…",
    ])
    func `what only looks a little like it is not`(_ words: String) throws {
        #expect(try found(in: [try describe(.minimumApp, words)]) == [])
    }

    @Test func `a form is found at its full length, and no further`() throws {
        let name = String(repeating: "n", count: 40)
        #expect(try found(in: [try describe(.minimumApp, "{\(name)}")]) == [.placeholderLeft])
        #expect(try found(in: [try describe(.minimumApp, "{n\(name)}")]) == [])
    }

    @Test func `words between flags are seen, and none are seen in a row of them`() throws {
        let flags = String(repeating: "\u{1F1E9}\u{1F1EA}", count: 900)
        let words = flags + "&amp;" + flags
        #expect(try found(in: [try describe(.minimumApp, words)]).first == .placeholderLeft)
        #expect(try found(in: [try describe(.minimumApp, flags)]) == [.textLong])
    }

    @Test func `what is a word of a language is no note`() throws {
        let words = "Actualiza " + "to" + "do: la app y el sistema."
        for language in ["es", "es-MX", "pt", "gl"] {
            #expect(try found(in: [try describe(.minimumApp, words, in: language)]) == [])
        }
    }

    // Android users were told to go to the App Store.
    @Test(arguments: [
        (Platform.android, "Go to the App Store.", [CheckName.otherStoreNamed]),
        (.android, "Get it from Google Play.", []), (.ios, "Get it from the App Store.", []),
        (.ios, "Get it from Google Play.", [.otherStoreNamed]),
        (.android, "Use your app store.", []), (.android, "Use the app store.", [.otherStoreNamed]),
        (.android, "Im AppStore", [.otherStoreNamed]), (.android, "iTunes", [.otherStoreNamed]),
        (.android, "Den App-Store-Eintrag", [.otherStoreNamed]),
        (.android, "W sklepie App\u{A0}Store.", [.otherStoreNamed]),
        (.android, "APP STORE", [.otherStoreNamed]),
        (.android, "Close the app. Store the key.", []), (.android, "the app, store it", []),
        (.android, "An apple store", []), (.android, "Open any app store", []),
        (.ios, "Aus dem Play-Store", [.otherStoreNamed]),
        (.ios, "From the Google Play Store.", [.otherStoreNamed]),
        (.ios, "the playstore", [.otherStoreNamed]), (.ios, "Press play. Store it.", []),
        (.ios, "iTunes and the AppStore", []),
    ])
    func `the other store's name is told`(
        _ platform: Platform,
        _ words: String,
        _ expected: [CheckName]
    ) throws {
        let edit = try describe(.minimumApp, words, on: platform)
        #expect(try found(in: [edit]) == expected)
    }

    @Test func `marks of direction belong into some languages only`() throws {
        let words = "Update\u{200F}."
        #expect(try found(in: [try describe(.minimumApp, words)]) == [.directionMark])
        for language in ["ar", "ur-PK", "he"] {
            #expect(try found(in: [try describe(.minimumApp, words, in: language)]) == [])
        }
    }

    @Test func `long texts are told`() throws {
        let long = String(repeating: "a", count: 1001)
        #expect(try found(in: [try describe(.minimumApp, long)]) == [.textLong])
        #expect(try found(in: [try describe(.minimumApp, String(long.dropLast()))]) == [])
    }

    @Test func `what was there before is not told again`() throws {
        let earlier = [try describe(.minimumApp, "TBD"), set(.minimumApp, dotted("3"))]
        #expect(try found(in: [set(.minimumApp, dotted("3.1"))], after: earlier) == [])
    }
}
