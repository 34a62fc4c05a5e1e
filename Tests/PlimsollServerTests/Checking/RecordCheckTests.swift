import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollServer

/// A record that was written out with its entries, held against what was signed of it.
@Suite(.scratchDatabase(template: serverTemplate), .timeLimit(.minutes(5)))
struct RecordCheckTests {
    private let signer: LogSigner

    init() throws {
        let name = try #require(KeyName("log.example.com/harbour"))
        signer = try LogSigner(SignerKey(name: name, kind: .note))
    }

    /// The entries of the log that a service wrote.
    private func entries() async throws -> [[UInt8]] {
        var entries: [[UInt8]] = []
        try await SignedLog.with { log in
            let session = try await Session.open(log.connection)
            for row in try await session.query("SELECT entry FROM log.event ORDER BY position") {
                entries.append(try row.value(at: 0))
            }
            await session.close()
        }
        return entries
    }

    /// The lines of a record, as the service writes them, and the checkpoint over all of it.
    private func lines(of entries: [[UInt8]]) throws -> [JSONObject] {
        let root = MerkleTree(leaves: entries.map(MerkleHash.leaf)).root
        var lines: [JSONObject] = []
        for (place, entry) in entries.enumerated() {
            let event = try EventCodec.decode(entry, at: Position(place + 1))
            var line = EventAnswer(event).json
            line["entry"] = .string(Data(entry).base64EncodedString())
            lines.append(line)
        }
        let end = ExportEnd(
            count: lines.count,
            last: lines.isEmpty ? nil : Position(lines.count),
            position: Position(lines.count),
            checkpoint: String(decoding: try signer.sign(root).bytes, as: UTF8.self)
        )
        return lines + [["end": .object(end.json)]]
    }

    private func lines() async throws -> [JSONObject] { try lines(of: await entries()) }

    private func finding(
        _ lines: [JSONObject],
        outside: [OutsideCheckpoint] = []
    ) async throws -> RecordCheck.Finding {
        try await withFolder { folder in
            let file = folder / "record.ndjson"
            try file.writeDurably(lines.flatMap { $0.canonicalBytes() + [UInt8(ascii: "\n")] })
            let key = signer.verifierKey
            return try await RecordCheck(file.string, outside: outside, key: key).run()
        }
    }

    private func broken(_ lines: [JSONObject]) async throws -> (line: Int, words: String)? {
        guard case .broken(let line, let words) = try await finding(lines) else { return nil }
        return (line, words)
    }

    @Test func `a whole record is sound, and says what was signed of it`() async throws {
        let lines = try await lines()
        guard case .sound(let events, _, let covered) = try await finding(lines) else {
            Issue.record("a record that nobody touched is called broken")
            return
        }
        #expect(events == lines.count - 1 && covered == events)
    }

    private static let lies: [(String, JSONValue)] = [
        ("actor", "mallory"), ("type", "NoteTaken"), ("reason", "Another one."),
        ("recordedAt", "2020-01-01T00:00:00.000Z"), ("data", [:]), ("position", 1),
    ]

    @Test(arguments: lies)
    func `a line that says what its entry does not is named`(
        _ member: String,
        _ value: JSONValue
    ) async throws {
        var lines = try await lines()
        lines[2][member] = value
        let found = try #require(try await broken(lines))
        #expect(found.line == 3)
        #expect(found.words.contains(member == "position" ? "Event 3" : member))
    }

    // Swift takes the sign for kelvin for a K; whoever searches the file for keys does not.
    @Test func `a line that spells a letter otherwise than its entry is named`() async throws {
        var lines = try await lines()
        let place = try #require(
            lines.firstIndex { $0["type"]?.string?.utf8.starts(with: "Key".utf8) ?? false }
        )
        let type = try #require(lines[place]["type"]?.string)
        lines[place]["type"] = .string("\u{212A}\(type.dropFirst())")
        let found = try #require(try await broken(lines))
        #expect(found.line == place + 1 && found.words.contains("type"))
    }

    @Test func `an entry that was altered, and its line with it, is named`() async throws {
        let entries = try await entries()
        let altered = entries.map { entry in
            Array(
                String(decoding: entry, as: UTF8.self)
                    .replacing("It loses data.", with: "It loses date.").utf8
            )
        }
        #expect(entries != altered)
        var lines = try lines(of: altered)
        lines[lines.count - 1] = try #require(try self.lines(of: entries).last)
        let found = try #require(try await broken(lines))
        #expect(found.words.contains("forked"))
    }

    @Test func `an event that nobody permitted is named, though it was signed`() async throws {
        var entries = try await entries()
        // Whoever approves had no role yet.
        entries.remove(at: 9)
        let found = try #require(try await broken(try lines(of: entries)))
        #expect(found.line >= 10)
    }

    @Test func `a line that is missing, doubled or moved is named`() async throws {
        let whole = try await lines()
        var missing = whole
        missing.remove(at: 1)
        #expect(try await broken(missing)?.line == 2)
        var doubled = whole
        doubled.insert(whole[1], at: 1)
        #expect(try await broken(doubled)?.line == 3)
        var moved = whole
        moved.swapAt(0, 1)
        #expect(try await broken(moved)?.line == 1)
        var bare = whole
        bare[0]["entry"] = nil
        let found = try #require(try await broken(bare))
        #expect(found.line == 1 && found.words.contains("with=entries"))
    }

    @Test func `events that are missing at the end are found by the end, and by what was signed`()
        async throws
    {
        let entries = try await entries()
        var short = try lines(of: entries)
        // The last command has two events.
        short.removeSubrange(short.count - 3..<short.count - 1)
        let said = try #require(try await broken(short))
        #expect(said.line == short.count && said.words.contains("other events"))
        // One who knows the end says there what is left.
        var told = try lines(of: Array(entries.dropLast(2)))
        var rest = try #require(told.last?["end"]?.object)
        rest["checkpoint"] = nil
        rest["position"] = .integer(Int64(entries.count))
        told[told.count - 1] = ["end": .object(rest)]
        #expect(try await broken(told)?.words.contains("The record went to event") == true)
        var shorter = try lines(of: Array(entries.dropLast(2)))
        var end = try #require(shorter.last?["end"]?.object)
        end["checkpoint"] = try lines(of: entries).last?["end"]?["checkpoint"]
        shorter[shorter.count - 1] = ["end": .object(end)]
        #expect(try await broken(shorter)?.words.contains("removed from its end") == true)
    }

    @Test func `a file without its end, or signed by another key, says nothing`() async throws {
        let entries = try await entries()
        let cut = Array(try lines(of: entries).dropLast())
        await #expect(throws: LogCheckFailure.self) { try await finding(cut) }
        let foreign = try RecordCheckTests().lines(of: entries)
        await #expect(throws: LogCheckFailure.self) { try await finding(foreign) }
    }

    @Test func `a checkpoint that was kept elsewhere has to fit as well`() async throws {
        let entries = try await entries()
        let note = try #require(try lines(of: entries).last?["end"]?["checkpoint"]?.string)
        let kept = try OutsideCheckpoint(
            parsing: Array(note.utf8),
            from: "kept",
            trusting: signer.verifierKey,
            published: nil
        )
        let part = try lines(of: Array(entries.dropLast(2)))
        guard case .broken(_, let words) = try await finding(part, outside: [kept]) else {
            Issue.record("a record that is older than what was kept is called sound")
            return
        }
        #expect(words.contains("(kept)"))
    }
}
