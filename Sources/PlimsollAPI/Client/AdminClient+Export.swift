/// A form in which the record is written out, whole.
package enum RecordForm: String, Sendable {
    case ndjson
    case csv

    fileprivate var mediaType: String {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .csv: "text/csv"
        }
    }
}

extension AdminClient {
    /// Hands over the record line by line as it comes; answers whether its last line came, without
    /// which something is missing.
    package func export(
        _ filter: EventFilter,
        as form: RecordForm,
        limit: Int?,
        _ take: (String) -> Void
    ) async throws(AdminError) -> Bool {
        var headers = headers().filter { $0.name != "Accept" }
        headers.append(("Accept", "\(form.mediaType), application/problem+json"))
        let url = address.url("/v1/events", filter.query + PageOptions(limit: limit).query)
        let request = WebRequest(.get, url, headers: headers)
        var end = EndOfRecord(form)
        let refusal = try await lines(of: request) { line throws(AdminError) in
            end.take(line)
            take(line)
        }
        if let refusal { _ = try granted(refusal, to: request) }
        return end.isReached
    }
}

/// Recognises the line that says that the record is whole.
private struct EndOfRecord {
    private let form: RecordForm
    private(set) var isReached = false
    /// Whether a cell of a table is open, and goes on in the next line.
    private var isInCell = false

    init(_ form: RecordForm) {
        self.form = form
    }

    mutating func take(_ line: String) {
        switch form {
        case .ndjson: isReached = line.hasPrefix(#"{"end":"#)
        case .csv:
            if !isInCell { isReached = line.hasPrefix("end,") }
            let quotes = line.utf8.count { $0 == UInt8(ascii: "\"") }
            if !quotes.isMultiple(of: 2) { isInCell.toggle() }
        }
    }
}
