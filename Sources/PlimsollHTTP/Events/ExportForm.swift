import Foundation
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollService
import PlimsollStore

/// A form in which the record is written out, whole, as a stream.
///
/// Its last line says that nothing is missing: how many events there were, the last one's
/// position, how far the record went, and the newest checkpoint over it. Whoever does not find it
/// has not got everything.
struct ExportForm: Sendable {
    let mediaType: ContentType
    /// What stands before the first event.
    let head: String
    /// Takes the event's entry too, in base64, where that is asked for.
    let event: @Sendable (EventAnswer, _ entry: String?, inout CanonicalWriter) -> Void
    let end: @Sendable (ExportEnd) -> String

    /// One event a line, and `{"end": …}`.
    static let lines = ExportForm(
        mediaType: .ndjson,
        head: "",
        event: { event, entry, page in
            event.write(to: &page, entry: entry)
            page.literal("\n")
        },
        end: {
            let line: JSONObject = ["end": .object($0.json)]
            return String(decoding: line.canonicalBytes(), as: UTF8.self) + "\n"
        }
    )

    /// Writes part by part, no faster than the reader reads, while the next part is read.
    ///
    /// Whoever loses the right to read in the middle gets no more, and no end.
    func body(
        of reading: RecordReading,
        with addition: EventFilter.Addition? = nil,
        requiring right: @escaping @Sendable () throws -> Void
    ) -> ResponseBody {
        ResponseBody { writer in
            var page = CanonicalWriter(capacity: 1 << 18)
            page.literal(head)
            var (part, reading) = try await reading.next()
            while !part.isEmpty {
                let current = reading
                async let next = current.next()
                try right()
                switch addition {
                case nil: for found in part { event(EventAnswer(found), nil, &page) }
                case .entries:
                    for (found, entry) in zip(part, try await current.entries(of: part)) {
                        event(EventAnswer(found), Data(entry).base64EncodedString(), &page)
                    }
                }
                try await writer.write(ByteBuffer(bytes: page.bytes))
                page.removeAll()
                (part, reading) = try await next
            }
            let end = ExportEnd(
                count: reading.count,
                last: reading.last,
                position: reading.end,
                checkpoint: try await reading.checkpoint()
            )
            page.literal(self.end(end))
            try await writer.write(ByteBuffer(bytes: page.bytes))
            try await writer.finish(nil)
        }
    }
}

extension ExportForm {
    /// A table for spreadsheets (RFC 4180): a row for each field that an event wrote and for each
    /// difference that it made, one for an event without either, and a last one that begins with
    /// `end`.
    static let table = ExportForm(
        mediaType: .csv,
        head: line(columns.map(\.name)),
        event: { event, _, page in
            let parts = event.fields.map(Part.init) + event.differences.map(Part.init)
            if parts.isEmpty { page.literal(row(of: event, nil)) }
            for part in parts { page.literal(row(of: event, part)) }
        },
        end: { end in
            let cells = [
                "end", "count=\(end.count)", "last=\(end.last?.description ?? "")",
                "position=\(end.position)", end.checkpoint ?? "",
            ]
            return line(cells + Array(repeating: "", count: columns.count - cells.count))
        }
    )

    /// What a row says of something that an event changed.
    private struct Part: Sendable {
        let name: String
        let before: String?
        let after: String?

        init(_ change: FieldChange) {
            name = change.field.path
            (before, after) = (change.before?.description, change.after?.description)
        }

        init(_ difference: Difference) {
            name = difference.member
            (before, after) = (difference.before, difference.after)
        }
    }

    private struct Column: Sendable {
        let name: String
        let cell: @Sendable (EventAnswer, Part?) -> String?
    }

    private static let columns = [
        Column(name: "position") { event, _ in event.position.description },
        Column(name: "recordedAt") { event, _ in event.recordedAt.rfc3339 },
        Column(name: "actor") { event, _ in event.origin.actor.text },
        Column(name: "type") { event, _ in event.body.type },
        Column(name: "sentence") { event, _ in event.sentence },
        Column(name: "app") { event, _ in event.app?.text },
        Column(name: "change") { event, _ in event.change?.description },
        Column(name: "field") { _, part in part?.name },
        Column(name: "before") { _, part in part?.before },
        Column(name: "after") { _, part in part?.after },
        Column(name: "reason") { event, _ in event.origin.reason },
        Column(name: "correlation") { event, _ in event.origin.correlation.text },
        Column(name: "causation") { event, _ in event.origin.causation?.text },
        Column(name: "request") { event, _ in event.origin.request },
        Column(name: "token") { event, _ in event.origin.token?.description },
        Column(name: "stream") { event, _ in event.stream.text },
        Column(name: "revision") { event, _ in event.revision.description },
        Column(name: "command") { event, _ in event.command.description },
        Column(name: "id") { event, _ in event.id.text },
        Column(name: "data") { event, _ in
            // The same JSON; a semicolon stands in strings only.
            String(decoding: event.body.data.canonicalBytes(), as: UTF8.self)
                .replacing(";", with: "\\u003b")
        },
    ]

    private static func row(of event: EventAnswer, _ part: Part?) -> String {
        line(columns.map { $0.cell(event, part) ?? "" })
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(\.tableCell).joined(separator: ",") + "\r\n"
    }
}

extension String {
    /// The text as a cell that is nothing but text.
    ///
    /// Spreadsheets compute what begins with one of these signs, some of them behind blanks too,
    /// and a text is anybody's: an apostrophe in front makes it text (OWASP, CSV Injection). Where
    /// the reader's country writes semicolons between cells, quotation marks within a row do not
    /// hold a cell together, so every part that would be a cell there is made text as well.
    var tableCell: String {
        var safe = ""
        if let first = unicodeScalars.first, breaks.contains(first) { safe = "'" }
        var beginsCell = true
        for scalar in unicodeScalars {
            if beginsCell, formulaSigns.contains(scalar) {
                safe.unicodeScalars.append(contentsOf: "'".unicodeScalars)
            }
            beginsCell =
                scalar == ";" || breaks.contains(scalar)
                || beginsCell && (blanks.contains(scalar) || scalar == "\"")
            safe.unicodeScalars.append(scalar)
        }
        guard safe.unicodeScalars.contains(where: signsToQuote.contains) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}

private let formulaSigns: Set<Unicode.Scalar> = ["=", "+", "-", "@", "＝", "＋", "－", "＠"]
private let breaks: Set<Unicode.Scalar> = ["\t", "\r", "\n"]
private let blanks: Set<Unicode.Scalar> = [" ", "\u{A0}", "\u{200B}", "\u{FEFF}"]
private let signsToQuote: Set<Unicode.Scalar> = ["\"", ",", ";", "\t", "\r", "\n"]
