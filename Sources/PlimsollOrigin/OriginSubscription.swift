import PlimsollAPI
import PlimsollJSON

/// How an edge is told of new snapshots: by one answer that goes on, or by one that waits.
enum NewsMode {
    case streaming
    /// For origins behind something that holds answers back until they are whole.
    case polling
}

/// What an origin says.
enum News {
    /// Word of a snapshot, and up to where everything has been told, where it says that.
    case notice(NoticeWithFiles, mark: String?)
    /// A message that is no notice, as of a later program.
    case unreadable(String)
    case signOfLife
}

/// Asks an origin for news, and hands them over as they come.
struct OriginSubscription {
    let address: ServiceAddress
    let transport: Transport
    let pace: OriginPace

    private var url: String { address.url("/origin/snapshots") }

    /// Ends with the answer, by throwing.
    ///
    /// Takes up to where it was told.
    func stream(after mark: String?, _ take: (News) -> Void) async throws {
        var headers = [(name: "Accept", value: "text/event-stream")]
        if let mark { headers.append(("Last-Event-ID", mark)) }
        var messages = MessageReader()
        _ = try await transport.pieces(
            of: WebRequest(.get, url + "?files=new", headers: headers),
            after: { head in
                guard head.status == 200 else { throw OriginFault.answered(head.status, url) }
                let type = head.header("Content-Type")?.lowercased() ?? ""
                if type.hasPrefix("application/json") { throw OriginFault.lists }
                // Whatever answers everything with a page of its own knows nothing of snapshots.
                guard type.hasPrefix("text/event-stream") else {
                    throw OriginFault.answered(404, url)
                }
                return true
            },
            { piece in
                let news = try messages.take(piece)
                if news.isEmpty { take(.signOfLife) }
                for message in news { take(message) }
            }
        )
        throw OriginFault.ended(url)
    }

    /// Asks once, and waits for news; answers up to where it was told.
    func poll(after mark: String?, _ take: (News) -> Void) async throws -> String? {
        var headers = [
            (name: "Accept", value: "application/json"),
            (name: "Prefer", value: "wait=\(pace.wait.components.seconds)"),
        ]
        if let mark { headers.append(("If-None-Match", mark)) }
        let answer = try await transport.send(WebRequest(.get, url, headers: headers))
        take(.signOfLife)
        if answer.status == 304 { return mark }
        guard answer.status == 200 else { throw OriginFault.answered(answer.status, url) }
        guard let values = Self.list(answer.body) else { throw OriginFault.unreadable(url) }
        for value in values { take(News(value.canonicalBytes(), mark: nil)) }
        return answer.header("ETag")
    }

    /// A list of many apps is longer than what strangers may send.
    private static func list(_ body: [UInt8]) -> [JSONValue]? {
        let limits = JSONLimits(sizeMaximum: body.count)
        return (try? JSONValue(parsing: body, limits: limits))?["snapshots"]?.array
    }
}

extension News {
    fileprivate init(_ bytes: [UInt8], mark: String?) {
        do throws(JSONIssues) {
            self = .notice(try NoticeWithFiles(parsing: bytes), mark: mark)
        } catch {
            self = .unreadable(error.description)
        }
    }
}

/// Makes news of the bytes of server-sent events, wherever their pieces end.
struct MessageReader {
    private var line: [UInt8] = []
    private var id: String?

    /// More than a notice of the most documents has, with files.
    private static let lineMaximum = 256 << 10
    private static let data = Array("data: ".utf8)
    private static let identity = Array("id: ".utf8)
    /// More than an id of ours has.
    private static let identityMaximum = 256

    mutating func take(_ piece: [UInt8]) throws(MessageTooLong) -> [News] {
        var news: [News] = []
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try add(rest[..<end])
            if let message = finishLine() { news.append(message) }
            rest = rest[(end + 1)...]
        }
        try add(rest)
        return news
    }

    private mutating func add(_ bytes: ArraySlice<UInt8>) throws(MessageTooLong) {
        guard line.count + bytes.count <= Self.lineMaximum else { throw MessageTooLong() }
        line += bytes
    }

    private mutating func finishLine() -> News? {
        defer { line.removeAll(keepingCapacity: true) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if line.starts(with: Self.identity) { id = Self.mark(line.dropFirst(Self.identity.count)) }
        guard line.starts(with: Self.data) else { return nil }
        defer { id = nil }
        return News(Array(line.dropFirst(Self.data.count)), mark: id)
    }

    /// It goes back into a request; with one that cannot, nobody could come again for ever after.
    private static func mark(_ bytes: ArraySlice<UInt8>) -> String? {
        guard (1...identityMaximum).contains(bytes.count),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Somebody sends a line that no origin sends.
struct MessageTooLong: Error, CustomStringConvertible {
    var description: String { "A message is longer than a notice may be." }
}
