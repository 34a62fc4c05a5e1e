import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import ServiceLifecycle
import Testing

@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct ExporterTests {
    @Test func `what is ordered is published, told to readers and to the log`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let served = try await house.served()
            let edition = try #require(await house.writer.log.edition())
            #expect(SnapshotPlan(edition).describes(served))
            #expect(house.reader.apps == [harbour])
            let record = try #require(await house.writer.told.first?.published)
            #expect(record.sequence == edition.order.sequence)
            #expect(record.position == edition.order.position)
            #expect(record.manifestDigest == ContentDigest(of: served.manifest.bytes).hex)
            #expect(record.keys == edition.activeKeys.map(\.id))
        }
    }

    @Test func `keys are published before what they sign`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let list = try house.folder.keyList.read(sizeMaximum: 1 << 20)
            #expect(
                try await PublishedKeys(parsing: list)
                    == PublishedKeys(house.writer.log.logState.keyring)
            )
        }
    }

    @Test func `a change of one platform keeps the other's bytes and signatures`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served()
            try await house.exporting { _ in
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await house.waitUntilPublished()
            }
            let after = try await house.served()
            #expect(after.files.first == before.files.first)
            #expect(after.files[1] != before.files[1])
            #expect(after.files[2] != before.files[2])
            #expect(
                after.files.map(\.description.name.text)
                    == ["availability-android", "availability-ios", "prince-of-versions.json"]
            )
        }
    }

    @Test func `of many orders in a row the newest is published`() async throws {
        try await ExportHouse.with { house in
            try await house.exporting { _ in
                for number in 1...30 {
                    await house.writer.change {
                        $0.apply((.ios, dotted("3.\(number)")), (.android, code(Int64(number))))
                    }
                }
                try await house.waitUntilPublished()
            }
            let served = try await house.served()
            let ios = try #require(
                served.files.first { $0.description.name.text == "availability-ios" }
            )
            let document = try AvailabilityDocument(parsing: ios.body, platform: .ios)
            #expect(document.document[.minimumApp].value == dotted("3.30"))
            let sequences = await house.writer.told.compactMap(\.published?.sequence)
            #expect(sequences == sequences.sorted())
            #expect(Set(sequences).count == sequences.count)
        }
    }

    @Test func `a rollback is published under a higher number`() async throws {
        try await ExportHouse.with { house in
            await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
            try await house.exportToTheEnd()
            let before = try await house.served().manifest.manifest.sequence
            await house.writer.change { $0.rollBack(.ios, to: dotted("3.0")) }
            try await house.exportToTheEnd()
            let served = try await house.served()
            #expect(served.manifest.manifest.sequence > before)
            #expect(
                served.manifest.manifest.issue.position
                    == (await house.writer.log.appends.dropLast().last)
            )
        }
    }

    @Test func `nothing new changes no byte`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served()
            let told = await house.writer.told
            try await house.exporting { exporter in
                try await eventually { exporter.state.apps[harbour] != nil }
                try await eventually { house.reader.apps.count == 2 }
            }
            #expect(try await house.served() == before)
            #expect(await house.writer.told == told)
        }
    }

    @Test func `a renewal is ordered once when half of the life is over`() async throws {
        try await ExportHouse.with { house in
            try await house.exportToTheEnd()
            let before = try await house.served().manifest.manifest.issue
            let half = before.issuedAt.advanced(by: .seconds(302_400))
            let uptime = ContinuousClock.now
            let early = half.advanced(by: .milliseconds(-1))
            let patient = house.exporter(clocks: { ClockReading(wall: early, uptime: uptime) })
            try await house.exporting(patient) { exporter in
                try await eventually { exporter.state.apps[harbour] != nil }
            }
            #expect(try await house.served().manifest.manifest.issue == before)
            let late = house.exporter(clocks: { ClockReading(wall: half, uptime: uptime) })
            try await house.exporting(late) { _ in
                try await eventually {
                    try await house.served().manifest.manifest.sequence > before.sequence
                }
                try await house.waitUntilPublished()
            }
            let renewals = await house.writer.log.events.filter {
                $0.event == .app(.renewalOrdered)
            }
            #expect(renewals.count == 1)
        }
    }

    @Test func `an app registered later gets a queue of its own`() async throws {
        try await ExportHouse.with { house in
            let quay = slug("quay")
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                let key = try house.keys.makeKey(for: quay)
                try await house.writer.change { try $0.register(key) }
                try await house.waitUntilPublished(quay)
            }
            #expect(try await !house.served(quay).manifest.manifest.isDefault)
            #expect(try await house.served().manifest.manifest.isDefault)
        }
    }

    @Test func `both apps are published when another one becomes the default`() async throws {
        try await ExportHouse.with { house in
            let quay = slug("quay")
            let key = try house.keys.makeKey(for: quay)
            try await house.writer.change { try $0.register(key) }
            try await house.exportToTheEnd()
            let before = try await house.served()
            await house.writer.change {
                $0.append([(.service, .service(.defaultAppChosen(quay)))])
            }
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                try await house.waitUntilPublished(quay)
            }
            let (after, chosen) = (try await house.served(), try await house.served(quay))
            #expect(after.files == before.files)
            #expect(!after.manifest.manifest.isDefault && chosen.manifest.manifest.isDefault)
            let ages = chosen.files.map(\.description.sequence)
            #expect(ages.allSatisfy { $0 > before.manifest.manifest.sequence })
            let told = await house.writer.told
            try await house.exporting { _ in
                try await eventually { house.reader.apps.suffix(2).count == 2 }
                try await house.waitUntilPublished(quay)
            }
            #expect(await house.writer.told == told)
        }
    }

    @Test func `what is under way at a shutdown is finished`() async throws {
        try await ExportHouse.with { house in
            let exporter = house.exporter()
            let group = ServiceGroup(services: [exporter], logger: quietLogger)
            try await withThrowingTaskGroup { tasks in
                tasks.addTask(name: "exporter") { try await group.run() }
                try await house.waitUntilPublished()
                house.reader.hold()
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await eventually { house.reader.apps.count == 2 }
                await group.triggerGracefulShutdown()
                house.reader.release()
                try await tasks.waitForAll()
            }
            let sequence = await house.writer.log.edition()?.order.sequence
            #expect(await house.writer.told.last?.published?.sequence == sequence)
            // The lease is free again.
            try await house.exporting { next in try await eventually { next.state.isExporting } }
        }
    }
}
