import PlimsollDocuments
import PlimsollEdge
import PlimsollJSON
import PlimsollTestSupport
import Testing

@testable import PlimsollOrigin

/// What an edge reads from the stream of its origin, and sends back when it comes again.
@Suite struct MessageReaderTests {
    /// The mark of the one notice that comes behind such a line, however lines end.
    private func mark(behind line: String, end: String = "\n") throws -> String? {
        let notice = SnapshotNotice(of: OfferedSnapshot(try SnapshotBuilder().snapshot(1)))
        let data = String(decoding: notice.json.canonicalBytes(), as: UTF8.self)
        var reader = MessageReader()
        let news = try reader.take(Array("\(line)\(end)data: \(data)\(end)\(end)".utf8))
        try #require(news.count == 1)
        guard case .notice(let told, let mark) = news[0] else {
            Issue.record("a notice is read")
            return nil
        }
        #expect(told.notice == notice)
        return mark
    }

    @Test(arguments: ["\n", "\r\n"])
    func `a mark is read, whichever way lines end`(end: String) throws {
        #expect(try mark(behind: "id: a0b1.17", end: end) == "a0b1.17")
    }

    // Goal: an origin that was told lies once can be followed again. A mark that no field of a
    // request can have would be sent with every request from then on.
    @Test(arguments: [
        "id: ", "id: a\rb", "id: a b", "id: a\u{0}", "id: \u{e9}",
        "id: " + String(repeating: "a", count: 257),
    ])
    func `a mark that cannot be sent back is none`(line: String) throws {
        #expect(try mark(behind: line) == nil)
    }
}
