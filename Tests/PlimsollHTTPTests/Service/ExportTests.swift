import Foundation
import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollLog
import PlimsollPostgres
import PlimsollTestSupport
import Testing

@testable import PlimsollHTTP

/// The record as a stream: all of it, and a last line that says so.
@Suite(.scratchDatabase(template: serviceTemplate), .timeLimit(.minutes(5)))
struct ExportTests {
    @Test func `one event a line, more than a list may have, and how many there were`()
        async throws
    {
        try await ServiceFixture.with { service in
            for minor in 1...40 {
                try await service.apply(Edits.minimum("3.\(minor)"))
            }
            let head = try await service.head()
            let lines = try await service.lines("order=oldest")
            let positions = lines.dropLast().compactMap { $0["position"]?.integer }
            #expect(positions == Array(1...head))
            let end = try #require(lines.last?["end"])
            #expect(
                end == [
                    "count": .integer(head), "last": .integer(head), "position": .integer(head),
                    "checkpoint": .null,
                ]
            )
            let newest = try await service.lines("order=newest")
            #expect(newest.dropLast().map { $0["position"]?.integer } == positions.reversed())
            #expect(newest.last?["end"]?["last"] == 1)
            let few = try await service.lines("order=oldest&limit=3&type=ThresholdSet")
            #expect(few.count == 4)
            #expect(few.last?["end"]?["count"] == 3)
            #expect(few.last?["end"]?["last"] == few[2]["position"])
            let none = try await service.lines("until=2020-01-01T00:00:00Z")
            #expect(none.map { $0["end"]?["last"] } == [.null])
        }
    }

    @Test func `a line is what the event is alone`() async throws {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            for line in try await service.lines("field=ios.minimumApp.value").dropLast() {
                let position = try #require(line["position"]?.integer)
                let alone = try await service.send(.get, "/v1/events/\(position)", as: .auditor)
                #expect(alone.json == line)
            }
        }
    }

    // Goal: what is hashed comes with each line that it was asked for, and for nobody else.
    @Test func `entries come where they are asked for, and hash to the proof of the event`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            let bare = try await service.lines("order=oldest")
            let lines = try await service.lines("order=oldest&with=entries")
            #expect(lines.count == bare.count && lines.last == bare.last)
            for (line, without) in zip(lines, bare).dropLast() {
                var rest = try #require(line.object)
                let text = try #require(rest["entry"]?.string)
                let entry = try JSONValue(parsing: [UInt8](try #require(Data(base64Encoded: text))))
                #expect(entry["type"] == line["type"] && entry["id"] == line["id"])
                rest["entry"] = nil
                #expect(JSONValue.object(rest) == without)
            }
            for (form, query) in [
                ("application/x-ndjson", "with=x"), ("text/csv", "with=entries"),
                ("application/json", "with=entries"), ("text/event-stream", "with=entries"),
            ] {
                let answer = try await service.send(
                    .get,
                    "/v1/events?\(query)",
                    as: .auditor,
                    headers: [.accept: form]
                )
                #expect(answer.status == .badRequest, "\(form)")
            }
        }
    }

    // What says another root than it grows from is passed over, and what is ahead of the record.
    @Test func `the end names the newest checkpoint over what was read`() async throws {
        try await ServiceFixture.with { service in
            _ = try await service.sign()
            try await service.apply(Edits.minimum("3.1"))
            let newer = try await service.sign()
            try await service.apply(Edits.minimum("3.2"))
            let session = try await Session.open(ScratchDatabase.current.connection)
            for (size, note) in [(newer.checkpoint.root.size + 1, "other"), (1_000_000, "ahead")] {
                try await session.execute(
                    """
                    INSERT INTO log.checkpoint (size, created_at, root, frontier, note)
                    VALUES (\(Int64(size)), now(), sha256('x'), '', \(note))
                    """
                )
            }
            await session.close()
            let lines = try await service.lines("limit=1")
            let note = try #require(lines.last?["end"]?["checkpoint"]?.string)
            #expect(Array(note.utf8) == newer.bytes)
        }
    }

    @Test func `a table has a row for each field and nothing that a spreadsheet computes`()
        async throws
    {
        try await ServiceFixture.with { service in
            try await service.apply(Edits.minimum("3.1"))
            let formula = "=HYPERLINK(\"http://x\",\"y\");=1"
            try await service.apply([
                [
                    "op": "setText", "platform": "ios", "threshold": "minimumApp",
                    "part": "description", "language": "en", "text": .string(formula),
                ]
            ])
            let answer = try await service.send(
                .get,
                "/v1/events?change=2&platform=ios&order=oldest",
                as: .auditor,
                headers: [.accept: "text/csv"]
            )
            #expect(answer.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            let rows = String(decoding: answer.bytes, as: UTF8.self).split(separator: "\r\n")
            #expect(rows.count == 3)
            #expect(rows[0].hasPrefix("position,recordedAt,actor,type,sentence,app,change,field,"))
            #expect(rows[1].contains("\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\");'=1\""))
            #expect(!rows[1].contains(";="))
            #expect(rows[2].hasPrefix("end,count=1,last="))
            #expect(Set(rows.map(commas)).count == 1)
        }
    }

    @Test(arguments: [
        ("3.1", "3.1"), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@sum", "'@sum"),
        ("\t=1", "\"'\t'=1\""), ("\r=1", "\"'\r'=1\""), ("＝1", "'＝1"), ("a=1", "a=1"),
        ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\n\nb", "\"a\n\nb\""), ("", ""),
        (" =1", " '=1"), ("\u{FEFF}=1", "\u{FEFF}'=1"), (" a", " a"), ("\nb", "\"'\nb\""),
        ("a;=1", "\"a;'=1\""), ("a; -1", "\"a; '-1\""), ("a;b=1", "\"a;b=1\""),
        ("a;\"=1", "\"a;\"\"'=1\""), ("a\n=1", "\"a\n'=1\""), ("a,=1", "\"a,=1\""),
    ])
    func `a cell is text and nothing else`(_ text: String, _ cell: String) {
        #expect(text.tableCell == cell)
    }

    @Test func `a stream is refused as a list is`() async throws {
        try await ServiceFixture.with { service in
            for format in ["application/x-ndjson", "text/csv"] {
                let headers: HTTPFields = [.accept: format]
                for query in ["limit=0", "limit=x", "field=x", "colour=red", "cursor=x"] {
                    let answer = try await service.send(
                        .get,
                        "/v1/events?\(query)",
                        as: .auditor,
                        headers: headers
                    )
                    #expect(answer.status == .badRequest)
                }
                let nobody = try await service.send(.get, "/v1/events", headers: headers)
                #expect(nobody.status == .unauthorized)
                let viewer = try await service.send(
                    .get,
                    "/v1/events",
                    as: .viewer,
                    headers: headers
                )
                #expect(viewer.status == .forbidden)
            }
        }
    }

    /// How many commas part the cells of a row.
    private func commas(_ row: Substring) -> Int {
        var isQuoted = false
        return row.reduce(0) { count, character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted ? count + 1 : count
        }
    }
}

extension ServiceFixture {
    fileprivate func lines(_ query: String) async throws -> [JSONValue] {
        let answer = try await send(
            .get,
            "/v1/events?\(query)",
            as: .auditor,
            headers: [.accept: "application/x-ndjson"]
        )
        #expect(answer.headers[.contentType] == "application/x-ndjson")
        return try answer.bytes.split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(parsing: Array($0))
        }
    }
}
