import FoundationEssentials
import PlimsollDomain
import PlimsollTestSupport
import Testing

/// iPhones end an app whose document has texts in two languages that they take for one.
@Suite struct LanguageTwinsTests {
    private let twins = LanguageTwins(tag("he"), tag("iw"))

    private func write(_ languages: String..., on platform: Platform = .ios) throws -> [Operation] {
        let value = platform == .android ? code(300) : dotted("3.0.0")
        let texts = try (["en"] + languages).map { language in
            Operation(
                platform,
                .minimumApp,
                .setText(.description, tag(language), try text("Update, in \(language)."))
            )
        }
        return [Operation(platform, .minimumApp, .setValue(value))] + texts
    }

    private func remove(_ language: String, on platform: Platform = .ios) -> Operation {
        Operation(platform, .minimumApp, .removeText(.description, tag(language)))
    }

    /// Harbour as an older service may have left it: with texts in `he` and in `iw` on iOS.
    private func twinned() throws -> Given {
        var given = try Given.harbourApp()
        for event in try write("he", "iw").map(AppEvent.init) {
            given = given.when(alice, (.app(harbour), .app(event)))
        }
        #expect(given.logState.app(harbour)?.document(.ios).languageTwins == [twins])
        return given
    }

    @Test(arguments: [Platform.ios, .android])
    func `a change that would publish twins is refused by name`(platform: Platform) throws {
        let given = try Given.harbourApp()
        let change = try propose(try write("he", "iw", on: platform), base: given.logState.position)
        given.when(change, refusedBy: .languagesAlike(platform, twins))
        let objection = Objection.languagesAlike(platform, twins)
        #expect(objection.detail.contains("he and iw"))
        #expect(objection.remedy.contains("Keep he or iw"))
    }

    @Test func `a title and a description count together`() throws {
        let given = try Given.harbourApp()
        let title = Operation(.ios, .minimumApp, .setText(.title, tag("en"), try text("Old")))
        let other = Operation(.ios, .minimumApp, .setText(.title, tag("iw"), try text("Also old")))
        let operations = try write("he") + [title, other]
        given.when(
            try propose(operations, base: given.logState.position),
            refusedBy: .languagesAlike(.ios, twins)
        )
    }

    @Test func `two changes that make twins together are not both applied`() throws {
        let given = try Given.harbourApp()
        let start = given.logState.position
        let both = given.when(try propose(try write("he"), base: start))
            .when(
                try propose(
                    [Operation(.ios, .recommendedOS, .setText(.title, tag("iw"), try text("New")))]
                        + [
                            Operation(
                                .ios,
                                .recommendedOS,
                                .setText(.title, tag("en"), try text("N"))
                            )
                        ],
                    base: start
                )
            )
        let first = both.when(both.approve(change(1)))
        first.when(first.approve(change(2)), refusedBy: .languagesAlike(.ios, twins))
    }

    @Test func `what an older service let through is read, and is mended before anything else`()
        throws
    {
        let given = try twinned()
        let raise = Operation(.ios, .minimumApp, .setValue(dotted("3.1")))
        let base = given.logState.position
        given.when(try propose([raise], base: base), refusedBy: .languagesAlike(.ios, twins))
        let mended = given.when(try propose([raise, remove("iw")], base: base))
        let after = mended.when(mended.approve(change(1)))
        #expect(after.logState.app(harbour)?.document(.ios).languageTwins == [])
        // The other platform has nothing to mend.
        _ = given.when(try propose(try write("iw", on: .android), base: base))
    }

    @Test func `an emergency is not kept up by twins that are live, and makes none`() throws {
        let raise = Operation(.ios, .minimumApp, .setValue(dotted("3.1")))
        _ = try twinned().when(try emergency([raise], base: .start))
        let given = try Given.harbourApp()
        given.when(
            try emergency(write("he", "iw"), base: .start),
            refusedBy: .languagesAlike(.ios, twins)
        )
    }

    @Test func `a rollback brings no twins back, and is not kept up by those that are live`() throws
    {
        let before = try twinned()
        var document = Document(platform: .ios)
        for operation in try write("he", "iw") { document.apply(operation) }
        let past = PastState(position: before.logState.position, documents: [.ios: document])
        let mended = before.when(
            alice,
            (.app(harbour), .app(AppEvent(remove("iw"))))
        )
        mended.when(
            try rollBack(to: past, platforms: [.ios]),
            refusedBy: .languagesAlike(.ios, twins)
        )
        document.apply(Operation(.ios, .minimumApp, .setValue(dotted("2.0"))))
        let other = PastState(position: past.position, documents: [.ios: document])
        _ = before.when(try rollBack(to: other, platforms: [.ios]))
    }

    @Test func `the end of a change brings no text back that has a twin by now`() throws {
        let end = testNow.advanced(by: .seconds(3600))
        var given = try Given.harbourApp()
        for event in try write("he").map(AppEvent.init) {
            given = given.when(alice, (.app(harbour), .app(event)))
        }
        let past = given.present
        given = given.when(try propose([remove("he")], base: past.position, until: end))
        given = given.when(given.approve(change(1)))
        let iw = Operation(.ios, .minimumApp, .setText(.description, tag("iw"), try text("New")))
        given = given.when(try propose([iw], base: given.logState.position))
        given = given.when(given.approve(change(2)))
        let ended = given.at(end).when(EndChange(change: change(1), past: past))
        #expect(ended.logState.app(harbour)?.document(.ios).languages == [tag("en"), tag("iw")])
    }

    @Test func `settings name no language twice, in whichever way it is written`() throws {
        let given = try Given.harbourApp()
        let wanted = try settings([.ios, .android], ["en", "cy", "cym"])
        given.when(
            ChangeAppSettings(
                of: harbour,
                to: wanted,
                seen: given.logState.app(harbour)?.settingsSince,
                reason: nil,
                by: root
            ),
            refusedBy: .languageRepeated(
                LanguageTwins(tag("cy"), tag("cym")),
                at: "/languages/2"
            )
        )
    }
}
