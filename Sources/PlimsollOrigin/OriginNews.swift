import PlimsollAPI
import PlimsollJSON

/// How an edge is told of new snapshots: by one answer that goes on, or by one that waits.
enum NewsMode {
    case streaming
    /// For origins behind something that holds answers back until they are whole.
    case polling
}

/// Asks an origin for news, and hands them over as they come.
struct OriginNews {
    let address: ServiceAddress
    let transport: Transport
    let pace: OriginPace

    private var url: String { address.url("/origin/snapshots") }

    /// Ends with the answer, by throwing.
    ///
    /// Takes up to where it was told, and says how far it was told now.
    func stream(
        after mark: String?,
        heard: () -> Void,
        _ take: (SnapshotNotice, _ mark: String?) -> Void
    ) async throws {
        var headers = [(name: "Accept", value: "text/event-stream")]
        if let mark { headers.append(("Last-Event-ID", mark)) }
        var id: String?
        let refused = try await transport.lines(of: WebRequest(.get, url, headers: headers)) {
            (line: String) throws(AdminError) in
            heard()
            if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
            guard line.hasPrefix("data: ") else { return }
            defer { id = nil }
            // What no origin says is passed over, as the next message may be better.
            guard let notice = try? SnapshotNotice(parsing: Array(line.utf8.dropFirst(6)))
            else { return }
            take(notice, id)
        }
        if let refused { throw OriginFault.answered(refused.status, url) }
        throw OriginFault.ended(url)
    }

    /// Asks once, and waits for news.
    func poll(
        after mark: String?,
        _ take: (SnapshotNotice, _ mark: String?) -> Void
    ) async throws -> String? {
        var headers = [
            (name: "Accept", value: "application/json"),
            (name: "Prefer", value: "wait=\(pace.wait.components.seconds)"),
        ]
        if let mark { headers.append(("If-None-Match", mark)) }
        let answer = try await transport.send(WebRequest(.get, url, headers: headers))
        if answer.status == 304 { return mark }
        guard answer.status == 200 else { throw OriginFault.answered(answer.status, url) }
        guard let notices = Self.notices(in: answer.body) else {
            throw OriginFault.unreadable(url)
        }
        for notice in notices { take(notice, nil) }
        return answer.header("ETag")
    }

    /// A list of many apps is longer than what strangers may send.
    private static func notices(in body: [UInt8]) -> [SnapshotNotice]? {
        let limits = JSONLimits(sizeMaximum: body.count)
        guard var reader = try? ObjectReader(parsing: body, limits: limits) else { return nil }
        reader.isLenient = true
        return reader.objects("snapshots", .ignored) { $0.snapshotNotice() }
    }
}
