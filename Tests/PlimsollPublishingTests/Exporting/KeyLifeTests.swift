import Crypto
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollTestSupport
import Synchronization
import Testing

/// What the life of keys does to what is published.
@Suite(.scratchDatabase(template: logTemplate), .timeLimit(.minutes(5)))
struct KeyLifeTests {
    /// The keys that have signed every file, and the manifest.
    private func signers(of snapshot: VerifiedSnapshot) -> Set<KeyID>? {
        let files = Set(snapshot.files.map { Set($0.description.signatures.map(\.keyID)) })
        let manifest = Set(snapshot.manifest.signatures.signatures.map(\.keyID))
        return files == [manifest] ? manifest : nil
    }

    /// A key that no file holds.
    private func keyInEnvironment(
        of house: ExportHouse
    ) async throws -> (pem: String, record: KeyRecord) {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let name = try #require(EnvironmentName("PLIMSOLL_SIGNING_KEY"))
        var keys = house.keys
        keys.environment = { _ in pem }
        return (pem, try await keys.keep(.environment(name, nil), for: harbour).record)
    }

    @Test func `while two keys are active everything has both signatures, and then one again`()
        async throws
    {
        try await ExportHouse.with { house in
            let first = try #require(await house.writer.log.edition()?.activeKeys.first)
            let second = try house.keys.makeKey(for: harbour)
            try await house.exporting { _ in
                try await house.waitUntilPublished()
                await house.writer.change { $0.activate(second) }
                try await house.waitUntilPublished()
                #expect(signers(of: try await house.served()) == [first.id, second.id])
                await house.writer.change { $0.turn(.keyRetired(first.id, app: harbour)) }
                try await house.waitUntilPublished()
                #expect(signers(of: try await house.served()) == [second.id])
            }
            let records = await house.writer.told.compactMap(\.published)
            #expect(records.map { Set($0.keys) }.contains([first.id, second.id]))
            #expect(records.last?.keys == [second.id])
        }
    }

    @Test func `a compromise has everything signed anew by the others alone`() async throws {
        try await ExportHouse.with { house in
            let first = try #require(await house.writer.log.edition()?.activeKeys.first)
            let second = try house.keys.makeKey(for: harbour)
            await house.writer.change { $0.activate(second) }
            try await house.exportToTheEnd()
            let before = try await house.served()
            await house.writer.change { $0.turn(.keyCompromised(first.id, app: harbour)) }
            try await house.exportToTheEnd()
            let after = try await house.served()
            #expect(signers(of: after) == [second.id])
            #expect(after.manifest.manifest.sequence > before.manifest.manifest.sequence)
            let text = String(decoding: after.manifest.bytes, as: UTF8.self)
            #expect(!text.contains(first.id.text))
        }
    }

    @Test func `sinks are told which keys sign no more, and which of them nobody may believe`()
        async throws
    {
        try await ExportHouse.with { house in
            let sink = StandInSink("store")
            let first = try #require(await house.writer.log.edition()?.activeKeys.first)
            let (second, third) = try (
                house.keys.makeKey(for: harbour), house.keys.makeKey(for: harbour)
            )
            try await house.exporting(house.exporter(sinks: [sink])) { _ in
                func published() async throws -> Publication {
                    try await house.waitUntilPublished()
                    let sequence = await house.writer.log.edition()?.order.sequence
                    try await eventually { sink.taken.last == sequence }
                    return try #require(sink.newest)
                }
                #expect(try await published().formerKeys.isEmpty)
                await house.writer.change { $0.activate(second) }
                await house.writer.change { $0.activate(third) }
                #expect(try await published().formerKeys.isEmpty)
                await house.writer.change { $0.turn(.keyRetired(first.id, app: harbour)) }
                let retired = try await published()
                #expect(retired.formerKeys == [first.id])
                #expect(retired.revokedKeys.isEmpty)
                await house.writer.change { $0.turn(.keyCompromised(second.id, app: harbour)) }
                let compromised = try await published()
                #expect(compromised.formerKeys == [first.id, second.id].sorted())
                #expect(compromised.revokedKeys == [second.id])
                #expect(compromised.snapshot.manifest.manifest.signers == [third.id])
            }
        }
    }

    @Test func `a key that cannot sign keeps what is served, and the next try publishes`()
        async throws
    {
        try await ExportHouse.with { house in
            let (pem, record) = try await keyInEnvironment(of: house)
            let variable = Mutex<String?>(pem)
            var keys = house.keys
            keys.environment = { _ in variable.withLock { $0 } }
            await house.writer.change { $0.activate(record) }
            try await house.exporting(house.exporter(keys: keys)) { exporter in
                try await house.waitUntilPublished()
                let before = try await house.served()
                variable.withLock { $0 = nil }
                await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                try await eventually { exporter.state.failures[harbour] != nil }
                let failure = exporter.state.failures[harbour]
                guard case .signingKey(.keptElsewhere(record.id, _))? = failure else {
                    Issue.record("it fails for another reason: \(exporter.state)")
                    return
                }
                #expect(try await house.served() == before)
                variable.withLock { $0 = pem }
                try await house.waitUntilPublished()
                // It is published before the exporter says that nothing fails any more.
                try await eventually { exporter.state.failures.isEmpty }
            }
        }
    }

    @Test func `while its signer is away an app waits, others do not, and the log hears of it`()
        async throws
    {
        try await ExportHouse.with { house in
            try await StandIn.with(house.keys.folder) { service, keys, name in
                let quay = slug("quay")
                let own = try keys.makeKey(for: quay)
                try await house.writer.change { try $0.register(own) }
                let record = try await keys.keep(.service(name), for: harbour).record
                await house.writer.change { $0.activate(record) }
                try await house.exporting(house.exporter(keys: keys)) { exporter in
                    try await house.waitUntilPublished()
                    let before = try await house.served()
                    #expect(signers(of: before)?.contains(record.id) == true)
                    service.change(to: .refusing(status: 503, type: ""))
                    await house.writer.change { $0.apply((.ios, dotted("3.2.0"))) }
                    await house.writer.change { $0.apply((.ios, dotted("4")), to: quay) }
                    try await house.waitUntilPublished(quay)
                    try await eventually { exporter.state.failures[harbour] != nil }
                    #expect(
                        exporter.state.failures[harbour]
                            == .signer(record.id, .away("it answered 503"))
                    )
                    #expect(try await house.served() == before)
                    service.change(to: .well)
                    try await house.waitUntilPublished()
                    #expect(try await house.served() != before)
                }
            }
            let causes = await house.writer.told.compactMap { $0.failure?.cause }
            #expect(causes.count == 1)
            #expect(causes.first?.contains("the signer is away") == true)
        }
    }

    @Test func `a forged signature reaches nobody and spoils no number`() async throws {
        try await ExportHouse.with { house in
            try await StandIn.with(house.keys.folder) { service, keys, name in
                let record = try await keys.keep(.service(name), for: harbour).record
                await house.writer.change { $0.activate(record) }
                service.change(to: .forging)
                try await house.exporting(house.exporter(keys: keys)) { exporter in
                    try await eventually { exporter.state.failures[harbour] != nil }
                    #expect(exporter.state.failures[harbour] == .signer(record.id, .wrong))
                    #expect(try house.store.current(of: harbour) == nil)
                    let sequence = try #require(await house.writer.log.edition()?.order.sequence)
                    #expect(try !house.store.has(sequence, of: harbour))
                    service.change(to: .well)
                    try await house.waitUntilPublished()
                }
            }
        }
    }
}
