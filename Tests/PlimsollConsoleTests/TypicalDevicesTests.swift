import PlimsollAPI
import PlimsollDomain
import Testing

@testable import PlimsollConsole

struct TypicalDevicesTests {
    private func version(_ text: String) throws -> VersionValue {
        try #require(VersionValue(text: text, .dotted))
    }

    // Goal: the page begins with a phone that is told something, where there is one.
    @Test func `the newest release below the minimum tells most`() throws {
        let devices = TypicalDevices(
            of: [.minimumApp: try version("3.2.0"), .minimumOS: try version("15.0")],
            releases: try ["3.0.0", "3.1.5", "3.2.0", "3.8.0"].map(version),
            try ["14.0", "16.0"].map(version),
            .ios
        )
        #expect(devices.mostTelling.kind == .belowMinimum)
        #expect(devices.mostTelling.app.description == "3.1.5")
        #expect(devices.mostTelling.os.description == "16.0")
        #expect(devices.all.map(\.kind) == [.current, .belowMinimum, .oldestSystem])
        #expect(devices.all.last?.os.description == "14.0")
    }

    // Goal: of two states, the page shows a phone for which they are not the same.
    @Test func `a phone that moves tells more than any other`() throws {
        let moved = (os: try version("15.4"), app: try version("3.5.0"))
        let devices = TypicalDevices(
            of: [.minimumApp: try version("3.2.0")],
            releases: [],
            [],
            .ios,
            moved: moved
        )
        #expect(devices.mostTelling.kind == .moving)
        #expect(devices.mostTelling.app == moved.app)
    }

    // Goal: an app of which nothing is known yet has a phone to look at, too.
    @Test func `where nothing is known the first versions stand for all`() {
        let devices = TypicalDevices(of: [:], releases: [], [], .android)
        #expect(devices.all.map(\.kind) == [.current])
        #expect(devices.mostTelling.app.description == "1")
    }
}
