import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollCommands

struct EditArgumentsTests {
    private func operations(
        _ edits: EditArguments,
        on platform: Platform? = .ios,
        files: [String: [UInt8]] = [:]
    ) throws -> [Operation] {
        try edits.operations(on: platform) { path in
            guard let bytes = files[path] else { throw Failure(.failed, "no \(path)") }
            return bytes
        }
    }

    @Test(arguments: [
        "minimumApp.value=3.2.0", "minimumApp=3.2.0", "ios.minimumApp.value=3.2.0",
        "minimumAppVersion=3.2.0",
    ])
    func `a value can be named in several ways`(_ text: String) throws {
        let version = VersionValue.dotted(try #require(AppleVersion("3.2.0")))
        #expect(
            try operations(EditArguments(values: [text])) == [
                Operation(.ios, .minimumApp, .setValue(version))
            ]
        )
    }

    @Test func `the platform in front counts before the option`() throws {
        let version = VersionValue.integer(try #require(AndroidVersion(347)))
        #expect(
            try operations(EditArguments(values: ["android.minimumSDKVersion=347"])) == [
                Operation(.android, .minimumOS, .setValue(version))
            ]
        )
    }

    @Test func `all kinds of edits come in an order that makes sense`() throws {
        let english = try #require(LanguageTag("en-GB"))
        let text = try Text(validating: "a = b, and c")
        let edits = EditArguments(
            clears: ["recommendedOS", "recommendedApp.value"],
            values: ["minimumApp=4"],
            texts: ["minimumApp.description.en-gb=a = b, and c"],
            removals: ["minimumApp.title.en-GB"]
        )
        #expect(
            try operations(edits) == [
                Operation(.ios, .recommendedOS, .clearThreshold),
                Operation(.ios, .recommendedApp, .clearValue),
                Operation(.ios, .minimumApp, .setValue(.dotted(try #require(AppleVersion("4"))))),
                Operation(.ios, .minimumApp, .setText(.description, english, text)),
                Operation(.ios, .minimumApp, .removeText(.title, english)),
            ]
        )
    }

    @Test(arguments: ["Two\nlines.", "Two\nlines.\n", "Two\nlines.\r\n"])
    func `a text in a file loses the line end that belongs to the file`(_ content: String) throws {
        let found = try operations(
            EditArguments(texts: ["minimumApp.description.en=@notice.txt"]),
            files: ["notice.txt": Array(content.utf8)]
        )
        let text = try Text(validating: "Two\nlines.")
        let english = try #require(LanguageTag("en"))
        #expect(found == [Operation(.ios, .minimumApp, .setText(.description, english, text))])
    }

    @Test func `only one line end is taken away`() throws {
        let found = try operations(
            EditArguments(texts: ["minimumApp.description.en=@notice.txt"]),
            files: ["notice.txt": Array("One.\n\n".utf8)]
        )
        guard case .setText(_, _, let text) = found.first?.edit else {
            Issue.record("there is no text")
            return
        }
        #expect(text.text == "One.\n")
    }

    @Test(arguments: [
        "minimumApp.value", "=3.2.0", "", "minimumApp.value=", "minimumApp.value=3.2.0.1",
        "minimumApp.value=-1", "minimumApp.value=v3", "minimumApp.value= 3", "lowestApp=3",
        "minimumApp.description.en=3.2.0", "windows.minimumApp=3", "minimumApp.value.value=3",
        "android.minimumApp=3.2", "android.minimumApp=2147483648", "android.minimumApp=0",
    ])
    func `a value that cannot be read is a wrong usage`(_ text: String) {
        let error = #expect(throws: Failure.self) {
            try operations(EditArguments(values: [text]))
        }
        #expect(error?.status == .usage)
        #expect(error?.checks.count == 1)
    }

    @Test(arguments: [
        "minimumApp.description.en", "minimumApp.description=x", "minimumApp.value=3",
        "minimumApp.description.english_words=x", "minimumApp.description.en=",
        "minimumApp.description.en=   ", "minimumApp.description.en=a\u{7}b",
        "minimumApp.description.en=a\u{202E}b", "minimumApp.words.en=x",
    ])
    func `a text that cannot be read is a wrong usage`(_ text: String) {
        let error = #expect(throws: Failure.self) {
            try operations(EditArguments(texts: [text]))
        }
        #expect(error?.status == .usage)
    }

    @Test func `bytes that are not UTF-8 are no text`() {
        #expect(throws: Failure.self) {
            try operations(
                EditArguments(texts: ["minimumApp.description.en=@notice.txt"]),
                files: ["notice.txt": [0x41, 0xFF]]
            )
        }
    }

    @Test(arguments: [
        ("minimumApp=3", "put one of android, ios, jvm, macos in front or use --platform"),
        ("android.lowestApp=3", "Android has minimumOS, minimumApp, recommendedApp"),
        ("jvm.lowestApp=3", "plimsoll offers"),
    ])
    func `a path that cannot be read says what could stand there`(_ text: String, _ said: String) {
        let error = #expect(throws: Failure.self) {
            try operations(EditArguments(values: [text]), on: nil)
        }
        #expect(error?.checks.first?.detail.contains(said) == true)
    }

    @Test(arguments: [
        #"[{"requiredVersion": "3.2.0", "requirements": {"os": "17.0.0"}}]"#,
        #"[{"requiredVersion": "3.2", "requirements": {"os": "17"}}]"#,
        #"[{"required_version": "3.2", "requirements": {"required_os_version": "17.0"}}]"#,
        """
        {"field": "ios.offers", "position": 57, "value": [{"requiredVersion": "3.2.0",
        "lastVersion": null, "notification": "ONCE", "metadata": {},
        "requirements": {"os": "17.0.0", "custom": {}}}]}
        """,
    ])
    func `offers come from a file, and are cleared by their name`(file: String) throws {
        let operations = try operations(
            EditArguments(clears: ["android.offers", "offers"], offers: ["ios=@offers.json"]),
            files: ["offers.json": Array(file.utf8)]
        )
        let offer = Offer(
            required: OfferVersion(written: "3.2.0", on: .ios),
            requirements: OfferRequirements(system: OfferVersion(written: "17.0.0", on: .ios))
        )
        #expect(
            operations == [
                Operation(.android, offers: .set([])), Operation(.ios, offers: .set([])),
                Operation(.ios, offers: .set([offer])),
            ]
        )
    }

    @Test(arguments: [
        ("ios", "[]", "equals sign"), ("amiga=@o", "[]", "no platform"),
        ("ios=[]", "[]", "stand in a file"), ("ios=@o", "", "no list of offers"),
        ("ios=@o", "{}", "no list of offers"), ("ios=@o", "[3]", "/offers/0"),
        ("ios=@o", #"[{"requiredVersion": 3}]"#, "/offers/0/requiredVersion"),
        (
            "ios=@o", #"[{"requiredVersion": "3", "required_version": "4"}]"#,
            "There is no such member"
        ),
    ])
    func `offers that cannot be read are told of`(
        _ argument: String,
        _ content: String,
        _ words: String
    ) {
        let error = #expect(throws: Failure.self) {
            try operations(EditArguments(offers: [argument]), files: ["o": Array(content.utf8)])
        }
        #expect(error?.checks.first?.detail.contains(words) == true, "\(error?.checks ?? [])")
    }

    @Test func `everything that is wrong is said at once`() {
        let edits = EditArguments(
            clears: ["minimumApp.title.en"],
            values: ["minimumApp=x", "minimumOS=16"],
            texts: ["nonsense"],
            removals: ["minimumApp"]
        )
        let error = #expect(throws: Failure.self) { try operations(edits) }
        #expect(error?.checks.count == 4)
    }
}
