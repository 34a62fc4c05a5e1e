import PlimsollDomain
import PlimsollTestSupport
import Testing

/// How many of the counted devices a change takes an app away from.
@Suite struct BlockedShareTests {
    private typealias Row = VersionShares.Row

    private let shares = VersionShares(rows: [
        Row(app: dotted("3.0"), system: dotted("13.0"), devices: 30),
        Row(app: dotted("3.1"), system: dotted("15.0"), devices: 90),
        Row(app: dotted("3.2"), system: dotted("15.0"), devices: 870),
        Row(app: dotted("3.1"), system: nil, devices: 10),
    ])

    private func document(_ values: [ThresholdName: String]) -> Document {
        var document = Document(platform: .ios)
        for (name, version) in values { document[name].value = dotted(version) }
        return document
    }

    private func blocked(
        _ before: [ThresholdName: String],
        _ after: [ThresholdName: String]
    ) -> BlockedShare {
        BlockedShare(shares, from: document(before), to: document(after))
    }

    private func replace(
        _ rows: [VersionShares.Row],
        on platform: Platform = .ios,
        by person: PrincipalID = alice
    ) -> ReplaceVersionShares {
        ReplaceVersionShares(
            of: harbour,
            on: platform,
            with: VersionShares(rows: rows),
            reason: nil,
            by: person
        )
    }

    @Test func `devices below either minimum are counted once`() {
        let share = blocked([.minimumApp: "3.1"], [.minimumApp: "3.2", .minimumOS: "15.0"])
        #expect([share.devices, share.before, share.after] == [1000, 30, 130])
        #expect(share.added == 100)
        #expect(share.sentence == "blocks about 13 % of devices, about 3 % before")
        let back = blocked([.minimumApp: "3.2"], [.minimumApp: "3.1"])
        #expect([back.before, back.after, back.added] == [130, 30, 0])
    }

    // Goal: nobody reads that nothing happens where others are blocked than before.
    @Test func `who is blocked instead of others is told`() {
        let swapped = blocked([.minimumApp: "3.1"], [.minimumOS: "13.1"])
        #expect([swapped.before, swapped.after, swapped.added] == [30, 30, 0])
        #expect(swapped.sentence == "blocks about 3 % of devices, as before")
        let others = VersionShares(rows: [
            Row(app: dotted("2.0"), system: dotted("17"), devices: 10),
            Row(app: dotted("3.0"), system: dotted("13"), devices: 10),
            Row(app: dotted("3.0"), system: dotted("17"), devices: 80),
        ])
        let share = BlockedShare(
            others,
            from: document([.minimumApp: "3.0"]),
            to: document([.minimumApp: "2.0", .minimumOS: "14"])
        )
        #expect(share.added == 10)
        #expect(
            share.sentence
                == "blocks about 10 % of devices, about 10 % before, about 10 % anew"
        )
    }

    @Test func `a system that was not told apart counts for the app only`() {
        #expect(blocked([:], [.minimumOS: "99"]).after == 990)
        #expect(blocked([:], [.minimumApp: "99"]).after == 1000)
    }

    @Test(arguments: [
        (Int64(0), "none"), (1, "less than 1 %"), (4, "less than 1 %"), (5, "about 1 %"),
        (124, "about 12 %"), (125, "about 13 %"), (994, "about 99 %"), (999, "more than 99 %"),
        (1000, "all"),
    ])
    func `no more is said than a count bears`(_ count: Int64, _ words: String) {
        let share = BlockedShare(
            platform: .ios,
            devices: 1000,
            before: count,
            after: count,
            added: 0
        )
        #expect(share.sentence == "blocks \(words) of devices, as before")
    }

    @Test func `a count replaces the last one, and the same again changes nothing`() throws {
        let given = try Given.harbourApp()
        let counted = given.when(replace(shares.rows))
        #expect(counted.logState.app(harbour)?.shares == [.ios: shares])
        counted.when(replace(shares.rows), refusedBy: .nothingChanges)
        let next = Array(shares.rows.prefix(1))
        let again = counted.when(replace(next, by: root))
        #expect(again.logState.app(harbour)?.shares == [.ios: VersionShares(rows: next)])
        given.when(
            replace(shares.rows, by: bob),
            refusedBy: .roleMissing(.proposer, .app(harbour))
        )
    }

    @Test func `a count is taken away, and nothing is said from then on`() throws {
        func remove(by person: PrincipalID = alice) -> RemoveVersionShares {
            RemoveVersionShares(of: harbour, on: .ios, reason: nil, by: person)
        }
        let given = try Given.harbourApp()
        given.when(remove(), refusedBy: .nothingChanges)
        let counted = given.when(replace(shares.rows))
        counted.when(remove(by: bob), refusedBy: .roleMissing(.proposer, .app(harbour)))
        let gone = counted.when(remove())
        gone.when(remove(), refusedBy: .nothingChanges)
        let raise = [Operation(.ios, .minimumApp, .setValue(dotted("3.2")))]
        #expect(counted.logState.app(harbour)?.blockedShares(applying: raise).count == 1)
        #expect(gone.logState.app(harbour)?.blockedShares(applying: raise).isEmpty == true)
    }

    @Test func `what cannot be counted is refused, all at once`() throws {
        let given = try Given.harbourApp()
        given.when(replace([]), refusedBy: .listEmpty(at: "/rows"))
        given.when(replace(shares.rows, on: .macos), refusedBy: .platformNotKept(harbour, .macos))
        let row = Row(app: dotted("3.0"), system: nil, devices: 1)
        given.when(
            replace(Array(repeating: row, count: VersionShares.rowsMaximum + 1)),
            refusedBy: .listTooLong(maximum: VersionShares.rowsMaximum, at: "/rows")
        )
        given.when(
            replace([
                row, Row(app: code(3), system: code(15), devices: 1),
                Row(app: dotted("3.00"), system: nil, devices: 0),
                Row(app: dotted("4"), system: nil, devices: Row.devicesMaximum + 1),
            ]),
            refusedBy: .valueOfWrongKind(.dotted, at: "/rows/1/app"),
            .valueOfWrongKind(.dotted, at: "/rows/1/os"),
            .numberOutside(1...Row.devicesMaximum, at: "/rows/2/devices"),
            .repeated("3.00", at: "/rows/2"),
            .numberOutside(1...Row.devicesMaximum, at: "/rows/3/devices")
        )
    }

    @Test func `more than the policy's limit is named, and no less`() throws {
        let app = try #require(
            try Given.harbourApp().when(replace(shares.rows)).logState.app(harbour)
        )
        func found(_ edits: [Operation], _ limit: Int64?) -> [CheckName] {
            let policy = Policy(blockedPercentMaximum: limit)
            return app.findings(applying: edits, under: policy, at: testNow).map(\.check)
        }
        let raise = [Operation(.ios, .minimumApp, .setValue(dotted("3.2")))]
        #expect(found(raise, 12) == [.blocksMany])
        #expect(found(raise, 13) == [])
        #expect(found(raise, nil) == [])
        let android = [Operation(.android, .minimumApp, .setValue(code(99)))]
        #expect(!found(android, 0).contains(.blocksMany))
        let system = [Operation(.ios, .minimumOS, .setValue(dotted("14")))]
        #expect(found(system, 0) == [.blocksMany])
        let advice = [Operation(.ios, .recommendedApp, .setValue(dotted("99")))]
        #expect(found(advice, 0) == [])
    }

    private func offer(_ required: String, from system: String? = nil) throws -> Offer {
        let requirements = OfferRequirements(system: try system.map(apple))
        return Offer(required: try apple(required), requirements: requirements)
    }

    @Test func `offers that require an update block, and are said to where they move`() throws {
        let app = try #require(
            try Given.harbourApp().when(replace(shares.rows)).logState.app(harbour)
        )
        func blocked(_ offers: [Offer]) -> BlockedShare? {
            app.blockedShares(applying: [Operation(.ios, offers: .set(offers))]).first
        }
        #expect(try blocked([offer("9.0.0")])?.sentence == "blocks all of devices, none before")
        // Of ten devices the system is not known; they are held to be new enough.
        let newest = try blocked([offer("3.2.0", from: "15.0.0")])
        #expect([newest?.before, newest?.after, newest?.added] == [0, 100, 100])
        let region = OfferRequirements(custom: try requirement("region", "eu"))
        let elsewhere = try blocked([Offer(required: apple("9.0.0"), requirements: region)])
        #expect(elsewhere?.sentence == "blocks none of devices, as before")
        let advice = [Operation(.ios, .recommendedApp, .setValue(dotted("99")))]
        #expect(app.blockedShares(applying: advice) == [])
    }

    @Test func `a device is counted once, and by the field that blocks it`() throws {
        let app = try #require(
            try Given.harbourApp().when(replace(shares.rows)).logState.app(harbour)
        )
        func found(_ edits: [PlimsollDomain.Operation], _ limit: Int64) -> [String] {
            let policy = Policy(blockedPercentMaximum: limit)
            return app.findings(applying: edits, under: policy, at: testNow)
                .filter { $0.check == .blocksMany }.map(\.field.path)
        }
        let minimum = Operation(.ios, .minimumApp, .setValue(dotted("3.2")))
        let offers = Operation(.ios, offers: .set([try offer("3.1.0")]))
        let all = Operation(.ios, offers: .set([try offer("3.3.0")]))
        #expect(found([offers], 2) == ["ios.offers"])
        #expect(found([offers], 3) == [])
        #expect(found([all], 99) == ["ios.offers"])
        #expect(found([minimum, offers], 12) == ["ios.minimumApp.value"])
        #expect(found([minimum, all], 12) == ["ios.minimumApp.value"])
        #expect(found([minimum, all], 13) == ["ios.offers"])
        let both = app.blockedShares(applying: [minimum, all]).first
        #expect([both?.devices, both?.after] == [1000, 1000])
    }

    // Goal: what is said agrees with what each device decides. Method: random tables and lines, and
    // the decision on a device of each row.
    @Test(arguments: SeededGenerator.seeds)
    func `whoever is counted as blocked decides not to run`(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func version() -> VersionValue { dotted("\(Int.random(in: 0...5, using: &generator))") }
        for _ in 0..<100 {
            var documents: [Document] = []
            for _ in 1...2 {
                var document = Document(platform: .ios)
                document[.minimumApp].value = version()
                document[.minimumOS].value = version()
                documents.append(document)
            }
            var rows: [VersionShares.Row] = []
            for number in 1...Int64(4) {
                rows.append(Row(app: version(), system: version(), devices: number))
            }
            let share = BlockedShare(
                VersionShares(rows: rows),
                from: documents[0],
                to: documents[1]
            )
            func runs(_ row: VersionShares.Row, _ document: Document) throws -> Bool {
                let device = Device(
                    platform: .ios,
                    os: try #require(row.system),
                    app: row.app,
                    store: nil,
                    language: tag("en")
                )
                return document.decision(on: try #require(device)).verdict.runs
            }
            var (before, after, added) = (Int64(0), Int64(0), Int64(0))
            for row in rows {
                let (first, second) = (try runs(row, documents[0]), try runs(row, documents[1]))
                before += first ? 0 : row.devices
                after += second ? 0 : row.devices
                added += first && !second ? row.devices : 0
            }
            #expect([share.before, share.after, share.added] == [before, after, added])
        }
    }
}
