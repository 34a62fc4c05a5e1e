import Foundation
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

extension ExportForm {
    /// A table for spreadsheets (RFC 4180): a row for each field that an event wrote, one for an
    /// event that wrote none, and a last one that begins with `end`.
    static let table = ExportForm(
        mediaType: .csv,
        head: line(columns.map(\.name)),
        event: { event, page in
            if event.fields.isEmpty { page.literal(row(of: event, nil)) }
            for field in event.fields { page.literal(row(of: event, field)) }
        },
        end: { end in
            let cells = [
                "end", "count=\(end.count)", "last=\(end.last?.description ?? "")",
                "position=\(end.position)", end.checkpoint ?? "",
            ]
            return line(cells + Array(repeating: "", count: columns.count - cells.count))
        }
    )

    private struct Column: Sendable {
        let name: String
        let cell: @Sendable (EventAnswer, FieldChange?) -> String?
    }

    private static let columns = [
        Column(name: "position") { event, _ in event.position.description },
        Column(name: "recordedAt") { event, _ in event.recordedAt.rfc3339 },
        Column(name: "actor") { event, _ in event.origin.actor.text },
        Column(name: "type") { event, _ in event.body.type },
        Column(name: "sentence") { event, _ in event.sentence },
        Column(name: "app") { event, _ in event.app?.text },
        Column(name: "change") { event, _ in event.change?.description },
        Column(name: "field") { _, field in field?.field.path },
        Column(name: "before") { _, field in field?.before?.description },
        Column(name: "after") { _, field in field?.after?.description },
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
            String(decoding: event.body.data.canonicalBytes(), as: UTF8.self)
        },
    ]

    private static func row(of event: EventAnswer, _ field: FieldChange?) -> String {
        line(columns.map { $0.cell(event, field) ?? "" })
    }

    private static func line(_ cells: [String]) -> String {
        cells.map(\.tableCell).joined(separator: ",") + "\r\n"
    }
}

extension String {
    /// The text as a cell that is nothing but text.
    ///
    /// Spreadsheets compute what begins with one of these signs, some of them behind blanks too,
    /// and a text is anybody's: an apostrophe in front makes it text (OWASP, CSV Injection).
    var tableCell: String {
        let first = unicodeScalars.first { !blanks.contains($0) }
        let beginsFormula = first.map(formulaSigns.contains) ?? false
        let safe = beginsFormula ? "'" + self : self
        guard safe.unicodeScalars.contains(where: signsToQuote.contains) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}

private let formulaSigns: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠",
]
private let blanks: Set<Unicode.Scalar> = [" ", "\u{A0}", "\u{200B}", "\u{FEFF}"]
private let signsToQuote: Set<Unicode.Scalar> = ["\"", ",", ";", "\t", "\r", "\n"]
