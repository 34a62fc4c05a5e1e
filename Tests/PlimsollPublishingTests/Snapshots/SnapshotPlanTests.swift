import Foundation
import PlimsollDomain
import PlimsollSystem
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollDocuments
@testable import PlimsollPublishing

@Suite struct SnapshotPlanTests {
    /// Publishes nothing, but signs and reads back as if it had.
    private func snapshot(
        of log: LogBuilder,
        _ keys: SigningKeys,
        keeping previous: VerifiedSnapshot? = nil
    ) throws -> VerifiedSnapshot {
        let edition = try #require(log.edition())
        let signers = try edition.activeKeys.map { try keys.signer(for: $0) }
        let files = try SnapshotPlan(edition).sign(with: signers, keeping: previous)
        let bytes = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0.bytes) })
        let manifest = try Manifest.verify(
            try #require(bytes[Manifest.fileName]),
            signatures: try #require(bytes[Manifest.signaturesFileName]),
            keys: log.trustedKeys,
            expectedApp: harbour
        )
        var bodies: [FileName: [UInt8]] = [:]
        for file in manifest.manifest.files { bodies[file.name] = bytes[file.name.text] }
        return try manifest.verify(bodies)
    }

    private func file(_ name: String, of snapshot: VerifiedSnapshot) throws -> VerifiedFile {
        try #require(snapshot.files.first { $0.description.name.text == name })
    }

    @Test func `everything is dated with the order, and good for seven days`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            log.rollBack(.ios, to: dotted("3.0"))
            let snapshot = try snapshot(of: log, keys)
            let order = try #require(log.edition()?.order)
            let manifest = snapshot.manifest.manifest
            #expect(manifest.issue.sequence == order.sequence)
            #expect(manifest.issue.position == log.logState.position)
            #expect(manifest.issue.issuedAt == log.now)
            #expect(manifest.issue.expiresAt == log.now.advanced(by: .seconds(604_800)))
            #expect(manifest.isDefault)
            let ios = try file("availability-ios", of: snapshot)
            #expect(ios.description.signatures.map(\.date) == [SignatureDate(log.now)])
            let document = try AvailabilityDocument(parsing: ios.body, platform: .ios)
            #expect(document.stamp?.issue == manifest.issue)
            #expect(document.stamp?.app == harbour)
        }
    }

    @Test(arguments: [
        (DocumentProfile.complete, 5), (.minimal, 2), (.versionThree, 3),
    ])
    func `the app's profile says which members its documents have`(
        profile: DocumentProfile,
        count: Int
    ) async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = LogBuilder()
            try log.register(try keys.makeKey(for: harbour), profile: profile)
            log.apply((.ios, dotted("3.0")))
            let body = try file("availability-ios", of: snapshot(of: log, keys)).body
            let document = try #require(try JSONValue(parsing: body).object)
            #expect(document.members.count == count)
            #expect(document["minimumAppVersion"]?["value"] == "3.0")
            #expect(document["plimsoll"] != nil)
        }
    }

    @Test func `what an earlier program published is known for its own, and not kept`() async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let log = try LogBuilder.withHarbour(keys)
            let plan = try SnapshotPlan(#require(log.edition()))
            let android = try file("availability-android", of: snapshot(of: log, keys))
            let planned = try #require(plan.files.first { $0.name == android.description.name })
            #expect(planned.describes(android, plan.keys))
            let edition = try #require(log.edition())
            let document = try #require(
                edition.documents.first { $0.format.platform == .android }
            )
            let stamp = DocumentStamp(
                app: harbour,
                platform: .android,
                issue: document.order.issue
            )
            let former = try #require(
                AvailabilityDocument(edition.state.document(.android), stamp: stamp)
                    .formerBytes(.complete)
            )
            let old = VerifiedFile(description: android.description, body: former)
            #expect(!planned.describes(old, plan.keys) && planned.agrees(with: old, plan.keys))
            let other = VerifiedFile(description: android.description, body: Array("{}".utf8))
            #expect(!planned.agrees(with: other, plan.keys))
        }
    }

    @Test func `a platform that did not change keeps bytes, signatures and sequence`()
        async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            let first = try snapshot(of: log, keys)
            log.apply((.ios, dotted("3.2.0")))
            let second = try snapshot(of: log, keys, keeping: first)
            #expect(
                try file("availability-android", of: second)
                    == file("availability-android", of: first)
            )
            let ios = try file("availability-ios", of: second)
            #expect(ios.description.sequence == second.manifest.manifest.sequence)
            #expect(try ios != file("availability-ios", of: first))
        }
    }

    @Test func `without the previous snapshot the bytes are the same, signed anew`()
        async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            let first = try snapshot(of: log, keys)
            log.apply((.ios, dotted("3.2.0")))
            let kept = try snapshot(of: log, keys, keeping: first)
            let lost = try snapshot(of: log, keys)
            #expect(kept.files.map(\.body) == lost.files.map(\.body))
            #expect(
                kept.manifest.manifest.files.map(\.sequence)
                    == lost.manifest.manifest.files.map(\.sequence)
            )
            #expect(kept != lost)
            let plan = SnapshotPlan(try #require(log.edition()))
            #expect(plan.describes(kept))
            #expect(plan.describes(lost))
            #expect(!plan.describes(first))
        }
    }

    @Test func `a skipped order leaves its mark on the platform it changed`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            let first = try snapshot(of: log, keys)
            log.apply((.ios, dotted("3.2.0")))
            let skipped = try #require(log.edition()?.order.sequence)
            log.apply((.android, code(9)))
            let second = try snapshot(of: log, keys, keeping: first)
            #expect(try file("availability-ios", of: second).description.sequence == skipped)
        }
    }

    @Test func `a renewal dates and signs everything anew`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            let first = try snapshot(of: log, keys)
            log.renew()
            let second = try snapshot(of: log, keys, keeping: first)
            let sequence = second.manifest.manifest.sequence
            #expect(second.manifest.manifest.files.allSatisfy { $0.sequence == sequence })
            #expect(zip(first.files, second.files).allSatisfy { $0.body != $1.body })
        }
    }

    @Test func `a log that is folded again gives the same bytes`() async throws {
        try await withScratchFolder { folder in
            var log = try LogBuilder.withHarbour(SigningKeys(folder: folder))
            log.apply((.ios, dotted("3.2.0")), (.android, code(9)))
            log.rollBack(.android, to: code(7))
            log.renew()
            log.apply((.android, code(8)))
            var (logState, orders) = (LogState(), PublicationOrders())
            for event in log.events {
                logState.evolve(event)
                orders.evolve(event)
            }
            let again = try #require(Edition(of: harbour, in: logState, by: orders))
            #expect(SnapshotPlan(again) == SnapshotPlan(try #require(log.edition())))
        }
    }

    @Test func `a second active key signs beside the first`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            let first = try snapshot(of: log, keys)
            let key = try keys.makeKey(for: harbour)
            log.append([
                (.keys, .key(.keyAdded(key))), (.keys, .key(.keyActivated(key.id, app: harbour))),
            ])
            let second = try snapshot(of: log, keys, keeping: first)
            for file in second.manifest.manifest.files {
                #expect(file.signatures.count == 2)
            }
            #expect(!SnapshotPlan(try #require(log.edition())).describes(first))
        }
    }

    @Test func `of several keys the one that signed first leads, until it signs no more`()
        async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            let first = try #require(log.edition()?.activeKeys.first)
            #expect(try snapshot(of: log, keys).manifest.manifest.leadingKey == nil)
            let (second, third) = (try keys.makeKey(for: harbour), try keys.makeKey(for: harbour))
            for key in [second, third] { log.activate(key) }
            let three = try snapshot(of: log, keys)
            #expect(three.manifest.manifest.leadingKey == first.id)
            #expect(Set(three.files[0].description.signatures.map(\.keyID)).count == 3)
            log.turn(.keyRetired(first.id, app: harbour))
            let two = try snapshot(of: log, keys)
            #expect(two.manifest.manifest.leadingKey == second.id)
            log.turn(.keyActivated(first.id, app: harbour))
            #expect(try snapshot(of: log, keys).manifest.manifest.leadingKey == first.id)
            log.turn(.keyCompromised(first.id, app: harbour))
            log.turn(.keyRetired(second.id, app: harbour))
            let one = try snapshot(of: log, keys, keeping: two)
            #expect(one.manifest.manifest.leadingKey == nil)
            #expect(one.files.allSatisfy { $0.description.signatures.map(\.keyID) == [third.id] })
        }
    }

    @Test func `every turn of a key dates and signs everything anew`() async throws {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            let first = try #require(log.edition()?.activeKeys.first)
            var last = try snapshot(of: log, keys)
            let second = try keys.makeKey(for: harbour)
            log.turn(.keyAdded(second))
            #expect(SnapshotPlan(try #require(log.edition())).describes(last))
            for turn in [
                KeyEvent.keyActivated(second.id, app: harbour),
                .keyCompromised(first.id, app: harbour),
            ] {
                log.turn(turn)
                let next = try snapshot(of: log, keys, keeping: last)
                let sequence = next.manifest.manifest.sequence
                #expect(next.files.allSatisfy { $0.description.sequence == sequence })
                #expect(sequence > last.manifest.manifest.sequence)
                last = next
            }
        }
    }

    @Test func `an app on the JVM alone has a document for Prince of Versions alone`() async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let key = try keys.makeKey(for: harbour)
            var log = LogBuilder()
            log.append([
                (.app(harbour), .app(.appRegistered(try settings([.jvm])))),
                (.keys, .key(.keyAdded(key))), (.keys, .key(.keyActivated(key.id, app: harbour))),
            ])
            let files = try snapshot(of: log, keys).files
            #expect(files.map(\.description.name) == [PrinceOfVersionsDocument.fileName])
            let document = try PrinceOfVersionsDocument(parsing: try #require(files.first).body)
            #expect(document.offers == [.jvm: [.nothing(on: .jvm)]])
        }
    }

    @Test func `Prince of Versions is told of every platform, and anew when one changed`()
        async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            log.apply((.android, code(9)))
            log.apply((.ios, dotted("3.2.0")))
            let published = try snapshot(of: log, keys)
            let file = try file("prince-of-versions.json", of: published)
            #expect(file.description.sequence == published.manifest.manifest.sequence)
            #expect(file.description.signatures.map(\.date) == [SignatureDate(log.now)])
            let document = try PrinceOfVersionsDocument(parsing: file.body)
            #expect(document.stamp?.issue == published.manifest.manifest.issue)
            #expect(document.offers[.ios]?.map(\.required?.description) == ["3.2.0"])
            #expect(document.offers[.android]?.map(\.required?.description) == ["9"])
        }
    }

    @Test func `a snapshot from before there was Prince of Versions is still the one planned`()
        async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            let log = try LogBuilder.withHarbour(keys)
            let plan = SnapshotPlan(try #require(log.edition()))
            let whole = try snapshot(of: log, keys)
            #expect(
                plan.describes(
                    try reduced(whole, log, keys) { $0 != PrinceOfVersionsDocument.fileName }
                )
            )
            let ios = try #require(FileName("availability-ios"))
            #expect(!plan.describes(try reduced(whole, log, keys) { $0 != ios }))
        }
    }

    // Goal: an upgrade neither calls what was published foreign nor believes anything. Method:
    // a program that did not say the settings wrote Prince of Versions, and only that, otherwise.
    @Test func `a snapshot that told Prince of Versions in other words is still the one planned`()
        async throws
    {
        try await withScratchFolder { folder in
            let keys = SigningKeys(folder: folder)
            var log = try LogBuilder.withHarbour(keys)
            log.apply((.android, code(9)))
            let plan = SnapshotPlan(try #require(log.edition()))
            let whole = try snapshot(of: log, keys)
            let basis = try #require(whole.manifest.manifest.basis)
            #expect(basis.settings != nil)
            let earlier = SnapshotBasis(
                changes: basis.changes,
                rollbacks: basis.rollbacks,
                ends: basis.ends,
                access: basis.access,
                policy: basis.policy
            )
            let prince = PrinceOfVersionsDocument.fileName
            let android = try #require(FileName("availability-android"))
            #expect(plan.reworded(in: whole).isEmpty)
            for said in [earlier, nil] {
                let told = try reworded(whole, log, keys, prince, on: said)
                #expect(plan.describes(told) && plan.reworded(in: told) == [prince])
                #expect(!plan.describes(try reworded(whole, log, keys, android, on: said)))
            }
            #expect(!plan.describes(try reworded(whole, log, keys, prince, on: basis)))
        }
    }
}
