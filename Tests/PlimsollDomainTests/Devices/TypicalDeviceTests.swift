import PlimsollDomain
import PlimsollTestSupport
import Testing

@Suite struct TypicalDeviceTests {
    private func document(
        _ values: [ThresholdName: VersionValue],
        on platform: Platform = .ios
    ) -> Document {
        var document = Document(platform: platform)
        for (name, value) in values { document[name].value = value }
        return document
    }

    private func devices(
        _ before: [ThresholdName: VersionValue],
        _ after: [ThresholdName: VersionValue],
        on platform: Platform = .ios
    ) -> [TypicalDevice.Kind: Device] {
        let devices = TypicalDevice.devices(
            for: document(before, on: platform),
            and: document(after, on: platform),
            language: tag("en")
        )
        #expect(devices.map(\.kind) == TypicalDevice.Kind.allCases)
        return Dictionary(uniqueKeysWithValues: devices.map { ($0.kind, $0.device) })
    }

    @Test func `they stand where the lines of either state are`() throws {
        let before = [
            ThresholdName.minimumOS: dotted("13.5"), .recommendedOS: dotted("15"),
            .minimumApp: dotted("3.2.0"),
        ]
        let after = [
            ThresholdName.minimumOS: dotted("14"), .minimumApp: dotted("3.0.0"),
            .recommendedApp: dotted("3.6"),
        ]
        for (before, after) in [(before, after), (after, before)] {
            let devices = devices(before, after)
            let current = try #require(devices[.current])
            #expect(current.os == dotted("15") && current.app == dotted("3.6"))
            #expect(current.store == dotted("3.6"))
            #expect(devices[.belowMinimum]?.app == dotted("3.1.0"))
            #expect(devices[.belowMinimum]?.os == dotted("15"))
            #expect(devices[.oldestSystem]?.os == dotted("13.5"))
            #expect(devices[.oldestSystem]?.app == dotted("3.6"))
        }
    }

    @Test func `a line that only one state draws is looked at from below`() {
        let devices = devices([.minimumOS: code(26)], [.minimumApp: code(7)], on: .android)
        #expect(devices[.oldestSystem]?.os == code(25))
        #expect(devices[.belowMinimum]?.app == code(6))
    }

    @Test func `without any line there are devices all the same`() {
        let devices = devices([:], [.minimumApp: dotted("0")])
        for device in devices.values { #expect(device.os == dotted("1")) }
        #expect(devices[.current]?.app == dotted("1"))
        let first = self.devices([.minimumApp: code(1)], [:], on: .android)
        #expect(first[.belowMinimum]?.app == code(1))
    }

    @Test func `they stand where offers draw lines as well`() throws {
        var after = document([.minimumApp: dotted("3.0")])
        let system = OfferRequirements(system: try apple("16.0.0"))
        after.offers = [
            Offer(required: try apple("3.4.0-15"), last: try apple("3.2.0"), requirements: system),
            .nothing(on: .ios),
        ]
        let outlooks = DeviceOutlook.outlooks(
            from: document([.minimumApp: dotted("3.0")]),
            to: after,
            releases: [],
            harbourSettings
        )
        let devices = outlooks.map(\.typical.device)
        #expect(devices.map(\.app) == [dotted("3.4.1"), dotted("3.4.0"), dotted("3.4.1")])
        #expect(devices.map(\.os) == [dotted("16.0.0"), dotted("16.0.0"), dotted("1")])
        #expect(outlooks.map(\.before.offered.verdict) == [.noUpdate, .noUpdate, .noUpdate])
        #expect(outlooks.map(\.after.offered.verdict) == [.noUpdate, .updateRequired, .noUpdate])
        #expect(outlooks.allSatisfy { $0.before.shown == $0.after.shown })
    }

    @Test func `a platform without thresholds has devices where it has offers`() throws {
        var after = Document(platform: .jvm)
        after.offers = [Offer(required: OfferVersion(written: "2.0.0", on: .jvm))]
        let outlooks = DeviceOutlook.outlooks(
            from: Document(platform: .jvm),
            to: after,
            releases: [],
            harbourSettings
        )
        #expect(outlooks.map(\.typical.device.os) == [code(1), code(1), code(1)])
        #expect(outlooks.map(\.after.offered.verdict) == [.noUpdate, .updateRequired, .noUpdate])
    }

    @Test func `nothing stands on a platform without lines`() {
        let none = Document(platform: .jvm)
        #expect(TypicalDevice.devices(for: none, and: none, language: tag("en")) == [])
    }

    @Test(arguments: [
        ("3.2.0", "3.1.0"), ("3.0.0", "2.0.0"), ("99", "98"), ("6.00", "5.0"), ("1", "0"),
        ("2.0.10", "2.0.9"),
    ])
    func `the version below has one less in its last number`(_ version: String, _ below: String) {
        #expect(dotted(version).preceding?.description == dotted(below).description)
        #expect(dotted(version).preceding?.isOlder(than: dotted(version)) == true)
    }

    @Test func `nothing is below the first`() {
        #expect(dotted("0.0").preceding == nil)
        #expect(code(1).preceding == nil)
    }
}
