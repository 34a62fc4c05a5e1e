import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

@Suite(.scratchDatabase(template: houseTemplate), .timeLimit(.minutes(5)))
struct DiffTests {
    @Test func `a snapshot is what was published, whatever has become of it since`() async throws {
        try await House.with { house in
            try await house.register()
            let viewer = try await house.caller(.viewer)
            let first = try await house.apply("3.1.0").position
            try await house.publish(first)
            try await house.apply("3.2.0")
            let sequence = SnapshotSequence(orderedBy: first)
            let diff = try await house.useCases.diff(
                of: harbour,
                from: .snapshot(sequence),
                to: .live,
                for: viewer
            )
            #expect(diff.from.position == first)
            #expect(diff.to.position == house.head)
            let value = diff.changes.first { $0.field == Field(.ios, .minimumApp, .value) }
            #expect(value?.before == .version(dotted("3.1.0")))
            #expect(value?.after == .version(dotted("3.2.0")))
            for number in [first.rawValue - 1, first.rawValue + 1] {
                let other = try #require(SnapshotSequence(rawValue: number))
                let found = try await objections {
                    _ = try await house.useCases.diff(
                        of: harbour,
                        from: .snapshot(other),
                        to: .live,
                        for: viewer
                    )
                }
                #expect(found == [.snapshotUnknown(other, harbour)])
            }
        }
    }

    @Test func `a change of another app is unknown to this one`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            let viewer = try await house.caller(.viewer)
            let change = try await house.apply("3.1.0")
            let found = try await objections {
                _ = try await house.useCases.diff(
                    of: slug("quay"),
                    from: .change(change.id),
                    to: .live,
                    for: viewer
                )
            }
            #expect(found == [.changeUnknown(change.id)])
        }
    }

    @Test func `a time that has not come is refused, and the present is not`() async throws {
        try await House.with { house in
            try await house.register()
            let viewer = try await house.caller(.viewer)
            let now = house.clock.now
            let later = now.advanced(by: .milliseconds(1))
            func ask(_ instant: Instant) async throws {
                _ = try await house.useCases.document(
                    of: harbour,
                    on: .ios,
                    at: .time(instant),
                    for: viewer
                )
                _ = try await house.useCases.apps(at: .time(instant), for: viewer)
            }
            try await ask(now)
            let found = try await objections { try await ask(later) }
            #expect(found == [.timeAhead(later, now: now)])
        }
    }

    // Method: one app gets a language, and everything is frozen, after the moment that is asked about.
    @Test func `each of several apps is told as it was`() async throws {
        try await House.with { house in
            try await house.register()
            try await house.register(slug("quay"))
            let viewer = try await house.caller(.viewer)
            let (before, later) = (house.head, try settings([.ios, .android], ["en", "de"]))
            _ = try await house.useCases.changeSettings(
                SettingsForm(settings: later),
                of: harbour,
                seen: house.writer.logState.app(harbour)?.settingsSince,
                house.request(by: house.administrator)
            )
            try await house.freeze()
            let after = house.head
            try await house.thaw()
            for moment in [before, after].map(DocumentMoment.event) {
                let apps = try await house.useCases.apps(at: moment, for: viewer)
                try #require(apps.map(\.slug) == [harbour, slug("quay")])
                let isLater = moment == .event(after)
                #expect(apps[0].settings == (isLater ? later : harbourSettings))
                #expect(apps[1].settings == harbourSettings)
                #expect(apps.map { $0.freeze != nil } == [isLater, isLater])
                for app in apps {
                    let alone = try await house.useCases.app(app.slug, at: moment, for: viewer)
                    #expect(alone == app)
                }
            }
        }
    }

    @Test func `apps at a moment are those that existed then`() async throws {
        try await House.with { house in
            try await house.register()
            let viewer = try await house.caller(.viewer)
            let alone = house.head
            try await house.register(slug("quay"))
            let useCases = house.useCases
            #expect(try await useCases.apps(for: viewer).map(\.slug) == [harbour, slug("quay")])
            let then = try await useCases.apps(at: .event(alone), for: viewer)
            #expect(then.map(\.slug) == [harbour])
            #expect(then.map(\.position) == [alone])
            #expect(try await useCases.apps(at: .event(.start), for: viewer).isEmpty)
        }
    }
}

extension House {
    /// Says that an app was published as it was at a position.
    fileprivate func publish(_ position: Position) async throws {
        let record = PublicationRecord(
            sequence: SnapshotSequence(orderedBy: position),
            position: position,
            manifestDigest: String(repeating: "5a", count: 32),
            keys: []
        )
        let command = RecordPublication(app: harbour, event: .snapshotPublished(record))
        _ = try await writer.perform(CommandRequest(command))
    }
}
