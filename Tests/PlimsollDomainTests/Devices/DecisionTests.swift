import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct AppleDecisionTests {
    private func document() throws -> Document {
        var document = Document(platform: .ios)
        for (name, value) in [
            (ThresholdName.minimumOS, "13.5.0"), (.recommendedOS, "14.0"), (.minimumApp, "3.0.0"),
            (.recommendedApp, "3.8.0"),
        ] {
            document[name] = Threshold(
                value: dotted(value),
                titles: [tag("en"): try text("\(name) title")],
                descriptions: [tag("en"): try text("\(name) text")]
            )
        }
        return document
    }

    private func device(
        _ os: String,
        _ app: String,
        store: String? = nil,
        language: String = "en"
    ) throws -> Device {
        try #require(
            Device(
                platform: .ios,
                os: dotted(os),
                app: dotted(app),
                store: store.map(dotted),
                language: tag(language)
            )
        )
    }

    @Test(
        arguments: [
            ("13.4", "1.0", nil, DeviceVerdict.osTooOld),
            ("13.5", "2.9", nil, .appTooOld),
            ("13.5", "2.9", "2.9.9", .appTooOld),
            ("13.5", "2.9", "3", .appTooOldUpdateAvailable),
            ("13.5", "3.0", "4.0", .osRecommended),
            ("14", "3.0", "4.0", .appRecommended),
            ("14", "3.0", "3.7", .available),
            ("14", "3.0", nil, .available),
            ("14.0.0", "3.8", "4.0", .available),
        ] as [(String, String, String?, DeviceVerdict)]
    )
    func `the first threshold above the device decides`(
        _ os: String,
        _ app: String,
        _ store: String?,
        _ verdict: DeviceVerdict
    ) throws {
        let outcome = try document().decision(on: device(os, app, store: store))
        #expect(outcome.verdict == verdict)
    }

    @Test(arguments: [
        (nil, "whether the store has the recommended 3.8.0 is unknown"),
        ("3.7", "the store does not have the recommended 3.8.0 yet"),
        ("3.8", "the app is older than 3.8.0, which the store has"),
    ])
    func `advice that depends on the store says so`(_ store: String?, _ because: String) throws {
        let outcome = try document().decision(on: device("14", "3.0", store: store))
        #expect(outcome.because == because)
    }

    @Test func `a minimum shows its description, a recommendation its title too`() throws {
        let blocked = try document().decision(on: device("14", "1"))
        #expect(blocked.title == nil)
        #expect(blocked.description == "minimumApp text")
        let advised = try document().decision(on: device("13.6", "3.8"))
        #expect(advised.title == "recommendedOS title")
        #expect(advised.description == "recommendedOS text")
    }

    @Test func `a language nobody wrote shows what there is, a sister language its text`() throws {
        let stranger = try document().decision(on: device("14", "1", language: "fr"))
        #expect(stranger.description == "minimumApp text")
        let sister = try document().decision(on: device("14", "1", language: "en-AU"))
        #expect(sister.description == "minimumApp text")
    }

    @Test func `an empty document holds nobody back`() throws {
        let empty = Document(platform: .ios)
        #expect(try empty.decision(on: device("0", "0")).verdict == .available)
    }

    @Test func `a device writes its versions as its platform does`() {
        #expect(
            Device(
                platform: .ios,
                os: code(13),
                app: dotted("3"),
                store: nil,
                language: tag("en")
            )
                == nil
        )
    }
}

@Suite struct AndroidDecisionTests {
    private func document() throws -> Document {
        var document = Document(platform: .android)
        for (name, value) in [
            (ThresholdName.minimumOS, 23), (.minimumApp, 8), (.recommendedApp, 9),
        ] {
            document[name] = Threshold(
                value: code(Int64(value)),
                titles: [:],
                descriptions: [tag("en-GB"): try text("\(name) text")]
            )
        }
        return document
    }

    @Test(
        arguments: [
            (22, 9, nil, DeviceVerdict.osTooOld, "minimumOS text"),
            (23, 7, nil, .appTooOld, "minimumApp text"),
            (23, 7, 7, .appTooOld, "minimumApp text"),
            (23, 7, 8, .appTooOldUpdateAvailable, "minimumApp text"),
            (23, 8, nil, .appRecommended, "recommendedApp text"),
            (23, 9, nil, .available, nil),
        ] as [(Int64, Int64, Int64?, DeviceVerdict, String?)]
    )
    func `the first threshold above the device decides, and advice does not ask the store`(
        _ os: Int64,
        _ app: Int64,
        _ store: Int64?,
        _ verdict: DeviceVerdict,
        _ description: String?
    ) throws {
        let device = Device(
            platform: .android,
            os: code(os),
            app: code(app),
            store: store.map(code),
            language: tag("fr")
        )
        let outcome = try document().decision(on: try #require(device))
        #expect(outcome.verdict == verdict)
        #expect(outcome.description == description)
    }
}
