import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

struct LogWitnessTests {
    /// 1 registers the app, 2 and 3 set the minimum app on iOS, 4 sets the recommended one to
    /// zero, each in an append of its own.
    private func events() throws -> [RecordedEvent] {
        let stream = StreamName.app(harbour)
        return Given()
            .when(.system, (stream, .app(.appRegistered(try settings()))))
            .when(alice, (stream, .app(.thresholdSet(.ios, .minimumApp, dotted("3.1.0")))))
            .when(alice, (stream, .app(.thresholdSet(.ios, .minimumApp, dotted("3.2.0")))))
            .when(alice, (stream, .app(.thresholdSet(.ios, .recommendedApp, dotted("0")))))
            .events
    }

    private func published(
        _ value: String,
        at position: Int,
        of app: AppSlug = harbour
    ) throws
        -> [UInt8]
    {
        var document = Document(platform: .ios)
        document[.minimumApp].value = dotted(value)
        let issue = SnapshotIssue(
            sequence: SnapshotSequence(orderedBy: Position(position)),
            position: Position(position),
            issuedAt: Instant(millisecondsSince1970: 0),
            expiresAt: Instant(millisecondsSince1970: 1)
        )
        let stamp = DocumentStamp(app: app, platform: .ios, issue: issue)
        return AvailabilityDocument(document, stamp: stamp).bytes(.complete)
    }

    /// What the log and these snapshots of iOS documents, by their sequences, come to.
    private func contradiction(
        _ snapshots: [Int: [UInt8]],
        in log: [RecordedEvent]? = nil
    ) throws -> (Position, String)? {
        let root = Path(NSTemporaryDirectory() + "plimsoll-witness-\(UUID().uuidString)")
        try root.createFolder()
        defer { try? root.removeTree() }
        let folder = ExportFolder(root / "export")
        for (sequence, bytes) in snapshots {
            let snapshot = folder.snapshot(
                SnapshotSequence(orderedBy: Position(sequence)),
                of: harbour
            )
            let url = URL(fileURLWithPath: "\(snapshot)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try Data(bytes).write(to: url.appendingPathComponent("availability-ios"))
        }
        var witness = LogWitness(try PublishedDocuments(in: folder))
        for event in try log ?? events() { witness.take(event) }
        witness.end()
        return witness.contradiction.map { ($0.position, $0.sentence) }
    }

    @Test func `documents that show what the log said agree with it`() throws {
        #expect(try contradiction([:]) == nil)
        let snapshots = [2: try published("3.1.0", at: 2), 3: try published("3.2.0", at: 3)]
        #expect(try contradiction(snapshots) == nil)
    }

    // Method: a hundred languages of longest texts, in characters of four bytes.
    @Test func `a document of any length that is published is read`() throws {
        let letters = "abcdefghij".map(String.init)
        let languages = letters.flatMap { first in letters.map { tag("q\(first)\($0)") } }
        let longest = try text(String(repeating: "\u{20BB7}", count: Text.scalarsMaximum))
        let stream = StreamName.app(harbour)
        var given = Given().when(.system, (stream, .app(.appRegistered(try settings()))))
        var document = Document(platform: .ios)
        for name in [ThresholdName.minimumApp, .recommendedApp] {
            let set = AppEvent.thresholdSet(.ios, name, dotted("3.1.0"))
            given = given.when(alice, (stream, .app(set)))
            document[name].value = dotted("3.1.0")
            for language in languages {
                for part in [TextPart.title, .description] {
                    let said = AppEvent.textSet(.ios, name, part, language, longest)
                    given = given.when(alice, (stream, .app(said)))
                    document.apply(Operation(.ios, name, .setText(part, language, longest)))
                }
            }
        }
        document[.recommendedApp].value = dotted("3.2.0")
        let written = given.events
        let last = written.count
        let issue = SnapshotIssue(
            sequence: SnapshotSequence(orderedBy: Position(last)),
            position: Position(last),
            issuedAt: Instant(millisecondsSince1970: 0),
            expiresAt: Instant(millisecondsSince1970: 1)
        )
        let stamp = DocumentStamp(app: harbour, platform: .ios, issue: issue)
        let bytes = AvailabilityDocument(document, stamp: stamp).bytes(.complete)
        try #require(bytes.count > 4 << 20)
        let found = try #require(try contradiction([last: bytes], in: written))
        // All of it was read: it says one thing that the log does not.
        #expect(found.1.contains("ios.recommendedApp.value"), "\(found.1)")
    }

    @Test func `a document kept from an earlier publication is held against that time`() throws {
        #expect(try contradiction([3: try published("3.1.0", at: 2)]) == nil)
    }

    @Test func `the event that was changed is named, and both sides are quoted`() throws {
        let snapshots = [2: try published("3.1.0", at: 2), 3: try published("3.3.0", at: 3)]
        let found = try #require(try contradiction(snapshots))
        #expect(found.0 == Position(3))
        for words in ["ios.minimumApp.value", "3.2.0", "3.3.0", "harbour/3/availability-ios"] {
            #expect(found.1.contains(words))
        }
    }

    @Test func `a zero that was set reads like what is not set`() throws {
        #expect(try contradiction([4: try published("3.2.0", at: 4)]) == nil)
    }

    @Test(arguments: [PublishedForm.current, .former])
    func `what is not told, and what earlier programs told, contradicts nothing`(
        form: PublishedForm
    ) throws {
        let stream = StreamName.app(harbour)
        let title = try text("Soon")
        let events = Given()
            .when(.system, (stream, .app(.appRegistered(try settings(profile: .minimal)))))
            .when(
                alice,
                (stream, .app(.textSet(.ios, .recommendedApp, .title, tag("en"), title)))
            ).events
        var document = Document(platform: .ios)
        document[.recommendedApp].titles = [tag("en"): title]
        let issue = SnapshotIssue(
            sequence: SnapshotSequence(orderedBy: Position(2)),
            position: Position(2),
            issuedAt: Instant(millisecondsSince1970: 0),
            expiresAt: Instant(millisecondsSince1970: 1)
        )
        let stamp = DocumentStamp(app: harbour, platform: .ios, issue: issue)
        let bytes = AvailabilityDocument(document, stamp: stamp).bytes(.minimal, as: form)
        #expect(try contradiction([2: bytes], in: events) == nil)
    }

    @Test func `a document of an event that the log does not have shows an older log`() throws {
        let snapshots = [3: try published("3.2.0", at: 3), 5: try published("3.3.0", at: 5)]
        let found = try #require(try contradiction(snapshots))
        #expect(found.0 == Position(5))
        for words in ["harbour/5/availability-ios", "the log ends at 4"] {
            #expect(found.1.contains(words))
        }
    }

    @Test func `a document of a time before the app is a contradiction`() throws {
        let other = slug("lighthouse")
        let found = try contradiction([2: try published("3.1.0", at: 2, of: other)])
        #expect(found?.0 == Position(2))
    }

    @Test(arguments: ["", "{}", "not JSON"])
    func `a file that is no published document is named`(_ content: String) throws {
        let found = try contradiction([2: Array(content.utf8)])
        #expect(found?.1.contains("availability-ios is not a published document") == true)
    }
}
