package import PlimsollDomain
import PlimsollJSON

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
        _ take: (FeedMessage) async -> Void
    ) async throws(AdminError) {
        var headers = headers().filter { $0.name != "Accept" }
        headers.append(("Accept", "text/event-stream, application/problem+json"))
        if let position { headers.append(("Last-Event-ID", position.description)) }
        let url = address.url("/v1/events", filter.query)
        let request = WebRequest(.get, url, headers: headers)
        var parser = FeedParser()
        let refusal = try await lines(of: request) { line throws(AdminError) in
            do throws(JSONIssues) {
                if let message = try parser.take(line) { await take(message) }
            } catch {
                throw AdminError(.notUnderstood(status: 200, "\(error)"), url: url)
            }
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
