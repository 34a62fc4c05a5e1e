package import PlimsollDomain
import PlimsollJSON

/// What happened.
extension AdminClient {
    /// Newest first.
    package func events(
        _ filter: EventFilter = EventFilter(),
        _ page: PageOptions = PageOptions()
    ) async throws(AdminError) -> EventList {
        try await call(Endpoints.listEvents, filter.query + page.query)
    }
}

/// A form in which the record is written out, whole.
package enum RecordForm: String, Sendable {
    case ndjson
    case csv

    fileprivate var mediaType: ContentType {
        switch self {
        case .ndjson: .ndjson
        case .csv: .csv
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
        _ take: (String) throws(AdminError) -> Void
    ) async throws(AdminError) -> Bool {
        let url = address.url(
            Endpoints.listEvents.facts.path,
            filter.query + PageOptions(limit: limit).query
        )
        let request = WebRequest(.get, url, headers: headers(accepting: form.mediaType))
        var end = EndOfRecord(form)
        let refusal = try await lines(of: request) { line throws(AdminError) in
            end.take(line)
            try take(line)
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

/// A message of the live feed: how far everything has been told, and the event there, if any.
package struct FeedMessage: Sendable {
    package let position: Position
    package let event: EventAnswer?
}

extension AdminClient {
    /// Follows the record behind a position, or from now on, until the connection ends.
    ///
    /// Whoever comes again with the position of the last message misses nothing and gets nothing
    /// twice.
    package func follow(
        _ filter: EventFilter = EventFilter(),
        after position: Position?,
        _ take: (FeedMessage) async throws(AdminError) -> Void
    ) async throws(AdminError) {
        var headers = headers(accepting: .eventStream)
        if let position { headers.append(("Last-Event-ID", position.description)) }
        let url = address.url(Endpoints.listEvents.facts.path, filter.query)
        let request = WebRequest(.get, url, headers: headers)
        var parser = FeedParser()
        let refusal = try await lines(of: request) { line throws(AdminError) in
            let message: FeedMessage?
            do throws(JSONIssues) {
                message = try parser.take(line)
            } catch {
                throw AdminError(.notUnderstood(status: 200, "\(error)"), url: url)
            }
            if let message { try await take(message) }
        }
        if let refusal { _ = try granted(refusal, to: request) }
    }
}

/// Puts the lines of a feed together (WHATWG HTML, 9.2.6).
private struct FeedParser {
    private var position: Position?
    private var data: String?

    mutating func take(_ line: String) throws(JSONIssues) -> FeedMessage? {
        guard !line.isEmpty else { return try message() }
        if let id = line.value(of: "id") {
            position = Int64(id).flatMap(Position.init(rawValue:))
        } else if let part = line.value(of: "data") {
            data = data.map { $0 + "\n" + part } ?? String(part)
        }
        return nil
    }

    private mutating func message() throws(JSONIssues) -> FeedMessage? {
        defer { (position, data) = (nil, nil) }
        guard let position else { return nil }
        guard let data else { return FeedMessage(position: position, event: nil) }
        guard let json = try? JSONValue(parsing: Array(data.utf8)) else {
            throw JSONIssues([.mismatch(.string(data), needed: "JSON", at: .root)])
        }
        return FeedMessage(position: position, event: try EventAnswer(json))
    }
}

extension String {
    fileprivate func value(of name: String) -> Substring? {
        guard hasPrefix(name + ":") else { return nil }
        let value = dropFirst(name.utf8.count + 1)
        return value.hasPrefix(" ") ? value.dropFirst() : value
    }
}

/// `/healthz`, `/readyz` and `/metrics`, which ask nobody for a token.
extension AdminClient {
    /// What the service's clock says, in the form of the header `Date` (RFC 9110, 5.6.7).
    package func clock() async throws(AdminError) -> String? {
        let request = WebRequest(
            .get,
            address.url(Endpoints.getHealth.facts.path),
            headers: headers()
        )
        return try await granted(request).header("Date")
    }

    /// What the instance that answers has counted and measured, as Prometheus reads it.
    package func metrics() async throws(AdminError) -> String {
        try await text(of: Endpoints.getMetrics, NoNames())
    }
}

extension AdminClient {
    /// A file of the service that people can read, as it stands.
    package func text<Names: PathNames>(
        of endpoint: Read<Names, Bytes>,
        _ names: Names
    ) async throws(AdminError) -> String {
        let request = WebRequest(
            .get,
            address.url(endpoint.facts.path(naming: names)),
            headers: headers(accepting: .plainText)
        )
        return String(decoding: try await granted(request).body, as: UTF8.self)
    }
}

/// What witnesses bring to the transparency log.
extension AdminClient {
    /// Brings a checkpoint with the lines of witnesses under it; the same may be sent again.
    package func addCosignatures(_ note: [UInt8]) async throws(AdminError) {
        let request = WebRequest(
            .post,
            address.url(Endpoints.addCosignatures.facts.path),
            headers: headers() + [("Content-Type", ContentType.plainText.field)],
            body: note
        )
        _ = try await granted(request)
    }
}
