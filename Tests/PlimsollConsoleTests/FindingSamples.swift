import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What checks find in edits that fall into every trap there is, each sentence once.
struct FindingSamples {
    private typealias Edit = PlimsollDomain.Operation

    /// When the store got what it has.
    private let long = Instant(millisecondsSince1970: 0)
    private var recently: Instant { testNow.advanced(by: .seconds(-60)) }
    private var soon: Instant { testNow.advanced(by: .seconds(60)) }

    var all: Set<CheckFinding> {
        get throws {
            Set(try lines() + texts() + advice() + length() + releases() + offers() + packages())
        }
    }

    /// What is found in edits of an app that is as events have left it.
    private func found(
        _ edits: [Edit],
        after earlier: [Edit] = [],
        _ events: [AppEvent] = [],
        under policy: Policy = .builtIn
    ) throws -> [CheckFinding] {
        var given = try Given.harbourApp()
        for event in events + earlier.map({ AppEvent($0) }) {
            given = given.when(.system, (.app(harbour), .app(event)))
        }
        let app = try #require(given.logState.app(harbour))
        return app.findings(applying: edits, under: policy, at: testNow)
    }

    private func set(_ name: ThresholdName, _ version: String) -> Edit {
        Edit(.ios, name, .setValue(dotted(version)))
    }

    private func say(
        _ words: String,
        in language: String = "en",
        _ name: ThresholdName = .minimumApp,
        _ part: TextPart = .description,
        on platform: Platform = .ios
    ) throws -> Edit {
        Edit(platform, name, .setText(part, tag(language), try text(words)))
    }

    private func lines() throws -> [CheckFinding] {
        let minimum = set(.minimumApp, "3.2.0")
        let removal = Edit(.ios, .minimumApp, .removeText(.description, tag("cy")))
        return try found([minimum], after: [set(.recommendedApp, "3.1.0")])
            + found([set(.minimumApp, "3.1.0")], after: [minimum])
            + found([Edit(.ios, .minimumApp, .clearThreshold)], after: [minimum])
            + found([removal], after: [minimum, say("Diweddarwch.", in: "cy")])
    }

    private func texts() throws -> [CheckFinding] {
        let words = "Please update the app."
        return try found([say(words, .minimumOS)], after: [set(.minimumApp, "3"), say(words)])
            + found([say("Hello {name}.")])
            + found([say("Go to the App Store.", on: .android)])
            + found([say("A\u{200F} mark")])
            + found([say("Пожалуйста, обновите приложение.")])
            + found([say("قم بتحديث please update now الآن", in: "ar")])
            + found([say(String(repeating: "word ", count: 300))])
    }

    private func advice() throws -> [CheckFinding] {
        let minimum = try [
            set(.minimumApp, "3.2.0"), say("Update to 3.2.0."), say("Neu: 3.2.0.", in: "de"),
        ]
        let advised = try [
            set(.recommendedApp, "3.2.0"), say("New", .recommendedApp, .title),
            say("Update.", .recommendedApp), say("Neu", in: "de", .recommendedApp, .title),
        ]
        let lacking = try DocumentProfile.allCases.map {
            AppEvent.appSettingsChanged(try settings(profile: $0, clients: ClientGeneration.all))
        }
        let alone = [set(.minimumApp, "3.2.0"), set(.recommendedApp, "3.3.0")]
        let android = Edit(.android, .minimumApp, .setValue(code(320)))
        return try found([set(.minimumApp, "99")], after: minimum)
            + found([say("On its way.")], after: minimum) + found(advised)
            + lacking.flatMap { try found(minimum, [$0]) + found(alone, [$0]) }
            + lacking.flatMap { try found([android, say("Update.", on: .android)], [$0]) }
    }

    /// Of a document with the longest texts in many languages.
    private func length() throws -> [CheckFinding] {
        let words = try text(String(repeating: "\u{1F6A2}", count: Text.scalarsMaximum))
        let languages = "abc".flatMap { first in "abcdefghijkl".map { tag("q\(first)\($0)") } }
        let texts = languages.flatMap { language in
            Platform.ios.thresholds.flatMap { name in
                TextPart.allCases.map { Edit(.ios, name, .setText($0, language, words)) }
            }
        }
        return try found([set(.minimumApp, "3.2.0")], after: texts)
    }

    private func release(
        _ version: String,
        needing system: String? = nil,
        since instant: Instant? = nil,
        build: String? = nil
    ) throws -> AppEvent {
        .releaseRegistered(
            Release(
                platform: .ios,
                version: dotted(version),
                facts: ReleaseFacts(
                    build: try build.map { try Label(validating: $0) },
                    system: system.map(dotted),
                    liveSince: instant
                )
            )
        )
    }

    private func releases() throws -> [CheckFinding] {
        let known = try [
            release("3.0.0", needing: "13.5", since: long),
            release("4.0.0", needing: "15.0", since: long),
        ]
        let before = [set(.minimumOS, "13.5"), set(.minimumApp, "3.0.0")]
        return try found([set(.minimumApp, "9.1.0")], known)
            + found([set(.minimumApp, "4.0.0")], after: before, known)
            + found([set(.minimumApp, "4.0.0")], known)
            + found([set(.minimumOS, "15.0")], after: before, known)
            + found([set(.minimumOS, "15.0")], known)
            + found([set(.minimumApp, "3.2.0")], [release("3.2.0")])
            + found([set(.minimumApp, "3.2.0")], [release("3.2.0", since: recently)])
            + found([set(.minimumApp, "3.2.0")], [release("3.2.0", since: soon)])
            + [(1, 999), (400, 600), (999, 1), (1000, 0)].flatMap(blocking)
    }

    /// A minimum that so many of the counted devices are below.
    private func blocking(_ below: Int64, _ others: Int64) throws -> [CheckFinding] {
        let shares = VersionShares(rows: [
            .init(app: dotted("3.0"), system: nil, devices: below),
            .init(app: dotted("3.2"), system: nil, devices: others),
        ])
        let policy = Policy(blockedPercentMaximum: 0)
        let counted = AppEvent.versionSharesReplaced(.ios, shares)
        return try found([set(.minimumApp, "3.1")], [counted], under: policy)
    }

    private func offer(
        _ required: String?,
        last: String? = nil,
        from system: String? = nil
    ) throws -> Offer {
        func version(_ text: String) throws -> OfferVersion {
            try #require(OfferVersion(written: text, on: .ios))
        }
        return Offer(
            required: try required.map(version),
            last: try last.map(version),
            requirements: OfferRequirements(system: try system.map(version))
        )
    }

    private func offers() throws -> [CheckFinding] {
        func list(_ offers: Offer...) -> Edit { Edit(.ios, offers: .set(offers)) }
        let known = try [
            release("3.1.0", needing: "14.0", since: long),
            release("3.2.0", needing: "15.0", since: long), release("3.3.0"),
        ]
        let before = [list(try offer("3.2.0"))]
        let behind = list(try offer("5.0.0", from: "17.0.0"), try offer("2.0.0", from: "16.0.0"))
        return try found([list(offer("3.2.0", last: "3.1.0"))])
            + found([list(offer("3.1.0"))], after: before)
            + found([list(offer(nil, last: "3.4.0"))], after: before)
            + found([list(offer("3.1.0", from: "15.0.0"), offer("3.2.0"))], after: before)
            + found([set(.minimumApp, "5.0")], after: [behind])
            + found([list(offer("9.9.9"))], known)
            + found([list(offer("3.2.0", from: "14.0.0"))], known)
            + found([list(offer("3.2.0"))], Array(known.prefix(2)))
            + found([list(offer("3.3.0"))], known)
            + found([list(offer("3.1.0", last: "3.3.0"))], known)
    }

    private func packages() throws -> [CheckFinding] {
        let (low, high) = (set(.minimumOS, "14.0"), set(.minimumApp, "3.9.0"))
        let listed = AppEvent.marketplace(.listed(slug("tidewater"), sampleListing()))
        let ingested = (1...7).map { number in
            AppEvent.marketplace(.packageIngested(package(number)))
        }
        let all = Edit(.ios, .packages(.set((1...7).map { versionID($0) })))
        let one = Edit(.ios, .packages(.set([versionID(1)])))
        let store = try (1...7).map {
            try release("3.2.\($0)", needing: "16.0", since: long, build: "\($0)x")
        }
        return try found([high], [listed] + ingested)
            + found([high], after: [one], [listed] + ingested)
            + found([one], after: [low], [listed] + ingested)
            + found([all], after: [low], [listed] + ingested)
            + found([set(.minimumApp, "3.2.1")], after: [low, all], [listed] + ingested)
            + found([one], ingested + store) + found([all], ingested + store)
    }

    private func package(_ number: UInt64) -> Package {
        samplePackage(number, minimumSystem: "17.0", shortVersion: "3.2.\(number)")
    }
}
