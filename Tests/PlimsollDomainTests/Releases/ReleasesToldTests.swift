import PlimsollDomain
import PlimsollTestSupport
import Testing

/// Which releases phones are told of: freezes have a say in it.
@Suite struct ReleasesToldTests {
    private static let start = Instant(millisecondsSince1970: 1_795_000_000_000)
    private var releases = ReleasesTold()
    private var now = start

    private mutating func happen(_ event: Event) {
        now = now.advanced(by: .seconds(60))
        releases.evolve(recordedEvent(event, at: now))
    }

    private mutating func register(_ version: String, liveAfter seconds: Int64 = 0) {
        let live = now.advanced(by: .seconds(seconds))
        let facts = ReleaseFacts(liveSince: live)
        let release = Release(platform: .ios, version: dotted(version), facts: facts)
        happen(.app(.releaseRegistered(release)))
    }

    private var told: [String] {
        releases.told(on: .ios, at: now).map(\.version.description)
    }

    @Test(arguments: [
        (Event.app(.freeze(.started)), Event.app(.freeze(.ended))),
        (.service(.freeze(.started)), .service(.freeze(.ended))),
    ])
    mutating func `what is said during a freeze is known at once and told at its end`(
        _ start: Event,
        _ end: Event
    ) {
        register("3.1.0")
        register("3.2.0", liveAfter: 150)
        happen(start)
        register("3.3.0")
        happen(.app(.releaseWithdrawn(.ios, dotted("3.1.0"))))
        #expect(releases.known.count == 2)
        #expect(told == ["3.1.0"], "nor does time alone tell another")
        #expect(releases.nextInStore(after: Self.start) == nil)
        happen(end)
        #expect(told == ["3.2.0", "3.3.0"])
    }

    @Test mutating func `of two freezes the last end counts, and the first beginning`() {
        register("3.1.0")
        happen(.app(.freeze(.started)))
        register("3.2.0")
        happen(.service(.freeze(.started)))
        happen(.app(.freeze(.ended)))
        #expect(told == ["3.1.0"])
        happen(.service(.freeze(.ended)))
        #expect(told == ["3.1.0", "3.2.0"])
    }

    @Test func `an app of a frozen service tells of nothing before the freeze ends`() throws {
        var given = Given().when(.system, (.service, .service(.freeze(.started))))
        let facts = ReleaseFacts(liveSince: Instant(millisecondsSince1970: 0))
        let release = Release(platform: .ios, version: dotted("3.1.0"), facts: facts)
        given = given.when(
            .system,
            (.app(harbour), .app(.appRegistered(try settings([.ios])))),
            (.app(harbour), .app(.releaseRegistered(release)))
        )
        let later = Self.start
        #expect(given.logState.app(harbour)?.releases.count == 1)
        #expect(given.logState.app(harbour)?.releasesTold.told(on: .ios, at: later) == [])
        given = given.when(.system, (.service, .service(.freeze(.ended))))
        #expect(given.logState.app(harbour)?.releasesTold.told(on: .ios, at: later).count == 1)
    }

    @Test mutating func `the next release to be told is that which a store gets next`() {
        register("3.1.0")
        register("3.3.0", liveAfter: 7200)
        register("3.2.0", liveAfter: 3600)
        let next = releases.nextInStore(after: now)
        #expect(next == Self.start.advanced(by: .seconds(120 + 3600)))
        #expect(releases.nextInStore(after: Self.start.advanced(by: .seconds(9000))) == nil)
    }
}
