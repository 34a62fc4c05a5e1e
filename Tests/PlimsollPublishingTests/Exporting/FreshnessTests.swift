import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct FreshnessTests {
    private let clocks = Stopwatch()
    private let days = Duration.seconds(86_400)

    private func exporter(of house: ExportHouse) -> Exporter {
        house.exporter(
            clocks: { [clocks] in clocks.reading() },
            trustsClock: { [clocks] in clocks.isTrusted }
        )
    }

    private func renewals(_ house: ExportHouse) async -> Int {
        await house.writer.log.events.count(where: { $0.event == .app(.renewalOrdered) })
    }

    /// Waits until the exporter has looked at its clocks a few more times.
    private func aFewLooks() async throws {
        let readings = clocks.readings
        try await eventually { clocks.readings > readings + 5 }
    }

    @Test func `a document is renewed with half of its life left, content unchanged`()
        async throws
    {
        try await ExportHouse.with { house in
            try await house.exporting(exporter(of: house)) { _ in
                try await house.waitUntilPublished()
                let before = try await house.served()
                clocks.advance(by: days * 2)
                try await aFewLooks()
                #expect(await renewals(house) == 0)
                clocks.advance(by: days)
                try await eventually { await renewals(house) == 1 }
                try await house.waitUntilPublished()
                let after = try await house.served()
                let (old, new) = (before.manifest.manifest, after.manifest.manifest)
                #expect(new.sequence > old.sequence)
                #expect(new.issue.expiresAt > old.issue.expiresAt)
                #expect(after.files.map(\.description.name) == before.files.map(\.description.name))
            }
        }
    }

    // Goal: phones are told of a release when its time comes, whatever came shortly before.
    // Method: two get to their store ten seconds after one another; the log's clock goes along.
    @Test func `two releases whose times are close are told each at its time`() async throws {
        try await ExportHouse.with { house in
            let times = [3600, 3610].map { clocks.wall.advanced(by: .seconds($0)) }
            await house.writer.change { log in
                for (number, time) in times.enumerated() {
                    let facts = ReleaseFacts(liveSince: time)
                    let version = dotted("3.\(number).0")
                    let release = Release(platform: .ios, version: version, facts: facts)
                    log.append([(.app(harbour), .app(.releaseRegistered(release)))])
                }
            }
            try await house.exporting(exporter(of: house)) { _ in
                for (number, pause) in [3600, 10].enumerated() {
                    try await house.waitUntilPublished()
                    // What is appended is dated a minute later.
                    await house.writer.change {
                        $0.now = times[number].advanced(by: .seconds(-60))
                    }
                    clocks.advance(by: .seconds(pause))
                    try await eventually { await renewals(house) == number + 1 }
                }
            }
        }
    }

    // One clock decides what is done because of the time alone, and no other one is asked.
    @Test func `a clock in doubt orders nothing until it is trusted, and is shown`() async throws {
        let (notebook, withheld) = (MetricsNotebook(), "plimsoll.renewal.withheld app=harbour")
        try await ExportHouse.with { house in
            try await withMetricsFactory(notebook) {
                try await house.exporting(exporter(of: house)) { _ in
                    try await house.waitUntilPublished()
                    clocks.trust(false)
                    clocks.advance(by: days * 4)
                    try await aFewLooks()
                    clocks.advance(by: .seconds(600))
                    try await aFewLooks()
                    #expect(await renewals(house) == 0)
                    #expect(notebook[withheld] == 1)
                    clocks.trust(true)
                    clocks.advance(by: .seconds(60))
                    try await eventually { await renewals(house) == 1 }
                    try await eventually { notebook[withheld] == 0 }
                }
            }
        }
    }

    // It has reckoned already whether somebody set it.
    @Test func `a clock that is trusted is followed, however far it jumps`() async throws {
        try await ExportHouse.with { house in
            try await house.exporting(exporter(of: house)) { _ in
                try await house.waitUntilPublished()
                try await aFewLooks()
                clocks.setWall(by: days * 4)
                try await eventually { await renewals(house) == 1 }
            }
        }
    }

    @Test func `what a clock that was ahead has dated is ordered anew with the right date`()
        async throws
    {
        try await ExportHouse.with { house in
            let now = clocks.wall
            await house.writer.change { log in
                let time = log.now
                log.now = now.advanced(by: days * 30)
                log.apply((.ios, dotted("3.2.0")))
                log.now = time
            }
            try await house.exporting(exporter(of: house)) { _ in
                try await eventually { await renewals(house) == 1 }
                try await house.waitUntilPublished()
                #expect(try await house.served().manifest.manifest.issue.issuedAt <= now)
                try await aFewLooks()
                #expect(await renewals(house) == 1)
            }
        }
    }
}
