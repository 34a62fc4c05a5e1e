import PlimsollDomain
import PlimsollTestSupport
import Testing

/// What all devices that are known of show, and what moves.
@Suite struct DeviceMatrixTests {
    private func release(_ version: String, _ system: String?, isLive: Bool = true) -> Release {
        Release(
            platform: .ios,
            version: dotted(version),
            facts: ReleaseFacts(
                system: system.map(dotted),
                liveSince: isLive ? testNow : nil
            )
        )
    }

    private func document(_ values: [ThresholdName: String]) -> Document {
        var document = Document(platform: .ios)
        for (name, version) in values { document[name].value = dotted(version) }
        return document
    }

    private func matrix(
        of releases: [Release],
        from before: [ThresholdName: String],
        to after: [ThresholdName: String]? = nil,
        at now: Instant = testNow
    ) -> DeviceMatrix {
        DeviceMatrix(
            from: document(before),
            to: document(after ?? before),
            releases: releases,
            at: now,
            harbourSettings
        )
    }

    private func known(_ releases: [Release]) -> [KnownRelease] {
        var book = ReleaseCatalog()
        for release in releases { book.put(release) }
        return book.known(on: .ios, at: testNow)
    }

    @Test func `a change moves what it moves, and nothing else`() {
        let releases = [release("3.0", "13.0"), release("4.0", "15.0")]
        let matrix = matrix(
            of: releases,
            from: [.minimumApp: "3.0"],
            to: [.minimumApp: "4.0", .minimumOS: "15.0"]
        )
        #expect(matrix.systems.map(\.description) == ["12.0", "13.0", "14.0", "15.0"])
        #expect(matrix.rows.map(\.version.description) == ["3.0", "4.0"])
        let cell = DeviceMatrix.Cell.init(before:after:offersBefore:offersAfter:)
        // Nobody on an older system is offered what needs a newer one.
        #expect(
            matrix.rows[0].cells == [
                nil, cell(.available, .osTooOld, .noUpdate, .noUpdate),
                cell(.available, .osTooOld, .noUpdate, .noUpdate),
                cell(.available, .appTooOldUpdateAvailable, .noUpdate, .updateRequired),
            ]
        )
        #expect(
            matrix.rows[1].cells == [
                nil, nil, nil, cell(.available, .available, .noUpdate, .noUpdate),
            ]
        )
        #expect(matrix.movedCount == 3)
    }

    @Test func `a store offers what it has and what runs there`() {
        let releases = [release("3.0", "13.0"), release("4.0", "15.0", isLive: false)]
        let line: [ThresholdName: String] = [.minimumApp: "4.0"]
        func verdicts(_ now: Instant, _ releases: [Release]) -> [DeviceVerdict?] {
            matrix(of: releases, from: line, at: now).rows[0].cells.map { $0?.before }
        }
        let before = testNow.advanced(by: .milliseconds(-1))
        let live = [releases[0], release("4.0", "15.0")]
        #expect(verdicts(testNow, releases) == [nil, .appTooOld, .appTooOld, .appTooOld])
        #expect(
            verdicts(testNow, live) == [nil, .appTooOld, .appTooOld, .appTooOldUpdateAvailable]
        )
        #expect(verdicts(before, live) == [nil, .appTooOld, .appTooOld, .appTooOld])
    }

    @Test func `without releases there is nothing to show`() {
        #expect(matrix(of: [], from: [.minimumApp: "3"]).rows == [])
        let android = Release(platform: .android, version: code(3), facts: ReleaseFacts())
        #expect(matrix(of: [android], from: [.minimumApp: "3"]).rows == [])
        #expect(matrix(of: [], from: [.minimumApp: "3"]).systems == [])
    }

    @Test func `where no line is drawn one system stands for all`() {
        let matrix = matrix(of: [release("3.0", nil)], from: [:], to: [.minimumApp: "4"])
        #expect(matrix.systems == [dotted("1")])
        #expect(matrix.rows[0].cells.map { $0?.after } == [.appTooOld])
    }

    // Goal: what has no thresholds is not shown as if nothing moved.
    @Test func `offers move devices too, on platforms without thresholds as well`() throws {
        var after = Document(platform: .jvm)
        let java = OfferRequirements(system: OfferVersion(level: try #require(AndroidVersion(17))))
        let version = try #require(OfferVersion(written: "2.0.0", on: .jvm))
        after.offers = [Offer(required: version, requirements: java), Offer(last: version)]
        let releases = [dotted("1"), dotted("2")].map { version in
            Release(platform: .jvm, version: version, facts: ReleaseFacts())
        }
        let matrix = DeviceMatrix(
            from: Document(platform: .jvm),
            to: after,
            releases: releases,
            at: testNow,
            harbourSettings
        )
        #expect(matrix.systems == [code(16), code(17)])
        #expect(
            matrix.rows.map { $0.cells.map { $0?.offersBefore } } == [
                [.noUpdate, .noUpdate], [.noUpdate, .noUpdate],
            ]
        )
        #expect(
            matrix.rows.map { $0.cells.map { $0?.offersAfter } } == [
                [.updateOffered, .updateRequired], [.noUpdate, .noUpdate],
            ]
        )
        #expect(matrix.movedCount == 2)
        #expect(matrix.rows[0].cells.allSatisfy { $0?.isMovedByOffers == true })
    }

    @Test func `of very many systems the newest are looked at`() {
        let releases = (1...100).map { release("\($0)", "\($0).0") }
        let systems = matrix(of: releases, from: [:]).systems
        #expect(systems.count == DeviceMatrix.systemsMaximum)
        #expect(systems.last == dotted("100.0"))
    }

    @Test func `the lines of the document itself are always looked at`() {
        let releases = (1...100).map { release("\($0)", "\($0).0") }
        let matrix = matrix(of: releases, from: [:], to: [.minimumOS: "2.0"])
        #expect(matrix.systems.count == DeviceMatrix.systemsMaximum)
        #expect(matrix.systems.prefix(2) == [dotted("1.0"), dotted("2.0")])
        #expect(matrix.systemsLeftOut == 100 - DeviceMatrix.systemsMaximum)
    }

    @Test func `of very many releases the newest are shown, and how many are not`() {
        let releases = (1...(DeviceMatrix.rowsMaximum + 5)).map { release("\($0)", nil) }
        let matrix = matrix(of: releases, from: [.minimumOS: "15.0"])
        #expect(matrix.rows.count == DeviceMatrix.rowsMaximum)
        #expect(matrix.rows.first?.version == dotted("6"))
        #expect(matrix.releasesLeftOut == 5)
    }

    // Goal: the matrix says what the decision of each device says, whatever is known.
    // Method: random releases, lines and offers; each cell against the decision on a device made by
    // hand.
    @Test(arguments: SeededGenerator.seeds)
    func `each cell is what that device decides`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let versions = Set((0..<4).map { _ in number(&generator) }).sorted()
            let releases = versions.map {
                let system = Int.random(in: 0...5, using: &generator) > 0 ? number(&generator) : nil
                return release($0, system, isLive: Bool.random(using: &generator))
            }
            let sides = (try anyDocument(&generator), try anyDocument(&generator))
            let matrix = DeviceMatrix(
                from: sides.0,
                to: sides.1,
                releases: releases,
                at: testNow,
                harbourSettings
            )
            #expect(matrix.rows.map(\.version) == releases.map(\.version))
            for (release, row) in zip(releases, matrix.rows) {
                for (system, cell) in zip(matrix.systems, row.cells) {
                    #expect((cell == nil) == !runs(release, on: system))
                    guard let cell else { continue }
                    let (before, after) = (
                        try reading(sides.0, system, release, releases),
                        try reading(sides.1, system, release, releases)
                    )
                    #expect(cell.before == before.shown.verdict)
                    #expect(cell.offersBefore == before.offered.verdict)
                    #expect(cell.after == after.shown.verdict)
                    #expect(cell.offersAfter == after.offered.verdict)
                }
            }
        }
    }

    private func runs(_ release: Release, on system: VersionValue) -> Bool {
        !system.isOlder(than: release.facts.system ?? system)
    }

    private func number(_ generator: inout SeededGenerator) -> String {
        "\(Int.random(in: 1...9, using: &generator)).0"
    }

    /// Some lines, and sometimes offers of its own, one of which asks what only the app can check.
    private func anyDocument(_ generator: inout SeededGenerator) throws -> Document {
        let names = ThresholdName.allCases.filter { _ in
            Int.random(in: 0...2, using: &generator) > 0
        }
        var document = document(
            Dictionary(uniqueKeysWithValues: names.map { ($0, number(&generator)) })
        )
        guard Bool.random(using: &generator) else { return document }
        let region = try #require(RequirementName("region"))
        let eu = OfferValue(try Text(validating: "eu"))
        document.offers = (0..<3).map { index in
            Offer(
                required: OfferVersion(dotted(number(&generator))),
                last: OfferVersion(dotted(number(&generator))),
                requirements: OfferRequirements(
                    system: OfferVersion(dotted(number(&generator))),
                    custom: index == 0 ? [region: eu] : [:]
                )
            )
        }
        return document
    }

    private func reading(
        _ document: Document,
        _ system: VersionValue,
        _ release: Release,
        _ releases: [Release]
    ) throws -> DeviceReading {
        let store = releases.last { $0.facts.liveSince != nil && runs($0, on: system) }?.version
        let device = try #require(
            Device(
                platform: .ios,
                os: system,
                app: release.version,
                store: store,
                language: tag("de")
            )
        )
        return document.reading(on: device, releases: known(releases), harbourSettings)
    }
}
