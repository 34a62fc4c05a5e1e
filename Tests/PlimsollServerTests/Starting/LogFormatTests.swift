import Logging
import PlimsollJSON
import Synchronization
import Testing

@testable import PlimsollServer

struct LogFormatTests {
    private func lines(_ log: (inout Logger) -> Void) throws -> [JSONValue] {
        let written = Mutex<[UInt8]>([])
        let handler = JSONLogHandler(label: "plimsoll") { line in
            written.withLock { $0 += line }
        }
        var logger = Logger(label: "plimsoll") { _ in handler }
        log(&logger)
        let bytes = written.withLock(\.self)
        #expect(bytes.isEmpty || bytes.last == 0x0A)
        return try bytes.split(separator: 0x0A, omittingEmptySubsequences: true).map {
            try JSONValue(parsing: Array($0), limits: .default)
        }
    }

    @Test func `a message is one object on one line, with everything that is known of it`() throws {
        let lines = try lines { logger in
            logger[metadataKey: "app.slug"] = "harbour"
            logger.warning("published", metadata: ["list": ["a", ["b": "c"]], "app.slug": "quay"])
            logger.debug("nobody asked for this")
        }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line["level"] == "warning")
        #expect(line["logger"] == "plimsoll")
        #expect(line["message"] == "published")
        #expect(line["metadata"] == ["app.slug": "quay", "list": ["a", ["b": "c"]]])
        let time = try #require(line["time"]?.string)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil, "\(time)")
    }

    @Test(arguments: [
        "\n{\"level\":\"critical\"}\n", "\r\n", "\u{1}", "\u{2028}", "\"", "\\", "\u{1B}[2J", "",
        "}{", "level",
    ])
    func `nothing that comes from outside ends a line or becomes a member of it`(
        _ hostile: String
    ) throws {
        let lines = try lines { logger in
            logger.info("\(hostile)", metadata: ["\(hostile)": "\(hostile)", "message": "forged"])
        }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(line.object?.keys.sorted() == ["level", "logger", "message", "metadata", "time"])
        #expect(line["level"] == "info")
        #expect(line["message"]?.string == hostile)
        #expect(line["metadata"]?[hostile]?.string == hostile)
    }

    @Test func `an error that is logged as one is not lost`() throws {
        struct Trouble: Error {}
        let lines = try lines { $0.error("it failed", error: Trouble()) }
        #expect(lines.first?["metadata"]?["error"] == "Trouble()")
    }
}
