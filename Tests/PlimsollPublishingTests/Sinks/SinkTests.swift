import Metrics
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct SinkTests {
    private let away = SinkRefusal("it is away")
    private let stopwatch = Stopwatch()

    private func exporter(of house: ExportHouse, _ sinks: StandInSink...) -> Exporter {
        house.exporter(sinks: sinks, clocks: { [stopwatch] in stopwatch.reading() })
    }

    /// Whoever was refused has looked at the clock since, and knows when to try again.
    private func timesAreSet() async throws {
        let readings = stopwatch.readings
        try await eventually { stopwatch.readings > readings + 20 }
    }

    private func sequence(in house: ExportHouse) async throws -> SnapshotSequence {
        try #require(await house.writer.log.edition()?.order.sequence)
    }

    @Test func `every sink gets what is published`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await ExportHouse.with { house in
                let (first, second) = (StandInSink("first"), StandInSink("second"))
                try await house.exporting(exporter(of: house, first, second)) { exporter in
                    let sequence = try await sequence(in: house)
                    try await eventually { first.taken == [sequence] && second.taken == [sequence] }
                    try await house.waitUntilPublished()
                    #expect(exporter.state.sinks.isEmpty)
                }
            }
        }
        for sink in ["first", "second"] {
            #expect(notebook["plimsoll.sink.taken sink=\(sink)"] == 1)
            #expect(notebook["plimsoll.sink.failed sink=\(sink)"] == nil)
            #expect(notebook["plimsoll.sink.duration sink=\(sink)"] ?? 0 > 0)
        }
    }

    @Test func `a sink that is away holds up neither the log nor another sink`() async throws {
        try await ExportHouse.with { house in
            let (store, other) = (StandInSink("store"), StandInSink("other"))
            store.refuse(with: away)
            try await house.exporting(exporter(of: house, store, other)) { exporter in
                try await house.waitUntilPublished()
                let sequence = try await sequence(in: house)
                try await eventually { other.taken == [sequence] }
                try await eventually { exporter.state.sinks == ["store": [harbour: away]] }
                #expect(exporter.state.failures.isEmpty)
                store.refuse(with: nil)
                stopwatch.advance(by: .seconds(60))
                try await eventually { store.taken == [sequence] }
                try await eventually { exporter.state.sinks.isEmpty }
            }
        }
    }

    @Test func `a sink that hangs holds nobody up, and of many snapshots gets the newest`()
        async throws
    {
        try await ExportHouse.with { house in
            let (store, other) = (StandInSink("store"), StandInSink("other"))
            store.hold()
            try await house.exporting(exporter(of: house, store, other)) { _ in
                try await eventually { store.attempts == 1 }
                let first = try await sequence(in: house)
                for number in 1...5 {
                    await house.writer.change { $0.apply((.ios, dotted("3.\(number)"))) }
                    try await house.waitUntilPublished()
                }
                let last = try await sequence(in: house)
                try await eventually { other.taken.last == last }
                store.release()
                try await eventually { store.taken == [first, last] }
            }
        }
    }

    @Test func `a failure is recorded once, however often it is tried`() async throws {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await ExportHouse.with { house in
                let store = StandInSink("store")
                store.refuse(with: away)
                try await house.exporting(exporter(of: house, store)) { _ in
                    for attempts in 1...4 {
                        try await eventually { store.attempts == attempts }
                        try await timesAreSet()
                        stopwatch.advance(by: .seconds(60))
                    }
                }
                let failures = await house.writer.told.compactMap(\.failure)
                let sequence = try await sequence(in: house)
                #expect(failures.map(\.cause) == ["the store did not take it: it is away"])
                #expect(failures.map(\.sequence) == [sequence])
            }
        }
        #expect(notebook["plimsoll.sink.failed sink=store"] ?? 0 >= 4)
        #expect(notebook["plimsoll.sink.taken sink=store"] == nil)
    }

    @Test func `while the log is away a sink gets what is current, and a failure is told later`()
        async throws
    {
        let notebook = MetricsNotebook()
        try await withMetricsFactory(notebook) {
            try await ExportHouse.with { house in
                let (store, other) = (StandInSink("store"), StandInSink("other"))
                try await house.exporting(exporter(of: house, store, other)) { _ in
                    try await house.waitUntilPublished()
                    try await eventually { store.taken.count == 1 }
                    store.refuse(with: away)
                    await house.writer.goAway(true)
                    await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                    let sequence = try await sequence(in: house)
                    try await eventually { other.taken.last == sequence && store.attempts == 2 }
                    try await timesAreSet()
                    #expect(await house.writer.told.allSatisfy { $0.failure == nil })
                    await house.writer.goAway(false)
                    stopwatch.advance(by: .seconds(60))
                    try await eventually {
                        await house.writer.told.contains { $0.failure?.sequence == sequence }
                    }
                    store.refuse(with: nil)
                    stopwatch.advance(by: .seconds(60))
                    try await eventually { store.taken.last == sequence }
                    // What is finished only once the log is there again counts as well.
                    try await eventually { notebook["plimsoll.snapshots.published"] == 2 }
                }
            }
        }
    }

    @Test func `a sink that refused is left alone until the back-off is over`() async throws {
        try await ExportHouse.with { house in
            let store = StandInSink("store")
            store.refuse(with: away)
            try await house.exporting(exporter(of: house, store)) { _ in
                try await eventually { store.attempts == 1 }
                try await timesAreSet()
                #expect(store.attempts == 1)
                stopwatch.advance(by: .seconds(1))
                try await eventually { store.attempts == 2 }
            }
        }
    }

    @Test func `something new is tried at once although the last was refused`() async throws {
        try await ExportHouse.with { house in
            let store = StandInSink("store")
            store.refuse(with: away)
            try await house.exporting(exporter(of: house, store)) { _ in
                try await eventually { store.attempts == 1 }
                store.refuse(with: nil)
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                let sequence = try await sequence(in: house)
                try await eventually { store.taken == [sequence] }
            }
        }
    }

    @Test func `an app that a sink refuses does not hold up another`() async throws {
        try await ExportHouse.with { house in
            let quay = slug("quay")
            let key = try house.keys.makeKey(for: quay)
            try await house.writer.change { try $0.register(key) }
            let store = StandInSink("store")
            store.refuse(with: away, harbour)
            try await house.exporting(exporter(of: house, store)) { exporter in
                let sequence = try #require(
                    await house.writer.log.edition(of: quay)?.order.sequence
                )
                try await eventually { store.taken == [sequence] }
                try await eventually { exporter.state.sinks == ["store": [harbour: away]] }
            }
        }
    }

    @Test func `a purge is told at once, and again when the store before it has it`()
        async throws
    {
        try await ExportHouse.with { house in
            let store = StandInSink("store")
            let purge = StandInSink("purge", followsOthers: true)
            store.refuse(with: away)
            try await house.exporting(exporter(of: house, store, purge)) { exporter in
                let sequence = try await sequence(in: house)
                try await eventually { purge.taken == [sequence] }
                // Its next time is set before it is said.
                try await eventually { exporter.state.sinks == ["store": [harbour: away]] }
                store.refuse(with: nil)
                stopwatch.advance(by: .seconds(60))
                try await eventually { purge.taken == [sequence, sequence] }
                #expect(store.taken == [sequence])
            }
        }
    }

    @Test func `a purge is told once more after a while, for edges that had not looked yet`()
        async throws
    {
        try await ExportHouse.with { house in
            let purge = StandInSink("purge", followsOthers: true, repeatInterval: .seconds(10))
            try await house.exporting(exporter(of: house, purge)) { _ in
                let sequence = try await sequence(in: house)
                try await eventually { purge.taken == [sequence] }
                stopwatch.advance(by: .seconds(10))
                try await eventually { purge.taken == [sequence, sequence] }
                stopwatch.advance(by: .seconds(60))
                try await timesAreSet()
                #expect(purge.attempts == 2)
            }
        }
    }

    @Test func `a purge that fails the second time is tried again, and people are told`()
        async throws
    {
        try await ExportHouse.with { house in
            let purge = StandInSink("purge", followsOthers: true, repeatInterval: .seconds(10))
            try await house.exporting(exporter(of: house, purge)) { exporter in
                let sequence = try await sequence(in: house)
                try await eventually { purge.taken == [sequence] }
                purge.refuse(with: away)
                stopwatch.advance(by: .seconds(10))
                try await eventually { !exporter.state.sinks.isEmpty }
                purge.refuse(with: nil)
                stopwatch.advance(by: .seconds(60))
                try await eventually { purge.taken == [sequence, sequence] }
                try await eventually { exporter.state.sinks.isEmpty }
                stopwatch.advance(by: .seconds(60))
                try await timesAreSet()
                #expect(purge.attempts == 3)
            }
        }
    }

    @Test func `a store that is away when it is told again has what it has, and nobody is told`()
        async throws
    {
        try await ExportHouse.with { house in
            let store = StandInSink("store", repeatInterval: .seconds(600))
            try await house.exporting(exporter(of: house, store)) { exporter in
                let sequence = try await sequence(in: house)
                try await eventually { store.taken == [sequence] }
                try await house.waitUntilPublished()
                store.refuse(with: away)
                stopwatch.advance(by: .seconds(600))
                try await eventually { store.attempts == 2 }
                try await timesAreSet()
                #expect(store.attempts == 2)
                #expect(exporter.state.sinks.isEmpty)
                store.refuse(with: nil)
                stopwatch.advance(by: .seconds(600))
                try await eventually { store.taken == [sequence, sequence] }
            }
            #expect(await house.writer.told.allSatisfy { $0.failure == nil })
        }
    }

    @Test func `what came over a document in a store is put right after a while`() async throws {
        try await ExportHouse.with { house in
            try await StoreServer.with { server in
                let place = try server.place()
                let sink = StoreSink(place, cacheControl: "no-cache", now: now)
                let interval = try #require(sink.repeatInterval)
                let exporter = house.exporter(
                    sinks: [sink],
                    clocks: { [stopwatch] in stopwatch.reading() }
                )
                try await house.exporting(exporter) { _ in
                    try await eventually { try await server.object("current/harbour") != nil }
                    let key = "distribution/harbour/availability-ios"
                    let document = try #require(try await server.object(key))
                    let other = NewObject([1], mediaType: "a/b", cacheControl: "no-cache")
                    let isWritten = try await ObjectStore.with(place, now: now) { store in
                        try await store.put(other, key, if: .unchanged(tag: document.tag))
                    }
                    #expect(isWritten)
                    stopwatch.advance(by: interval)
                    try await eventually { try await server.object(key)?.body == document.body }
                }
            }
        }
    }

    @Test func `after a start a sink is told again`() async throws {
        try await ExportHouse.with { house in
            let store = StandInSink("store")
            for count in 1...2 {
                try await house.exporting(exporter(of: house, store)) { _ in
                    try await eventually { store.taken.count == count }
                }
            }
            let sequence = try await sequence(in: house)
            #expect(store.taken == [sequence, sequence])
        }
    }

    @Test func `whoever loses the work leaves its sinks to whoever has it`() async throws {
        try await ExportHouse.with { house in
            let (store, same) = (StandInSink("store"), StandInSink("store"))
            store.refuse(with: away)
            let other = SigningKeys(folder: house.keys.folder.parent / "other-keys")
            try other.prepare()
            let second = house.exporter(keys: other, sinks: [same])
            try await house.exporting(exporter(of: house, store)) { first in
                try await eventually { !first.state.sinks.isEmpty }
                try await house.exporting(second) { second in
                    try (house.keys.folder / "harbour").rename(to: other.folder / "harbour")
                    try await eventually { second.state.isExporting }
                    try await eventually { first.state.sinks.isEmpty }
                    let attempts = store.attempts
                    stopwatch.advance(by: .seconds(60))
                    await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                    let sequence = try await sequence(in: house)
                    try await eventually { same.taken.last == sequence }
                    #expect(store.attempts == attempts)
                }
            }
        }
    }
}
