import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollDomain
import PlimsollHTTP
import ServiceLifecycle

/// What happens, as it happens, for pages that are open.
enum LiveFeed {
    static let routes: [Route] = [
        Route(method: .get, path: "/live", isUse: false) { visit in
            var response = try await visit.record()
            // Who may not read the record is told that a change is another one, and no more.
            if response.status == .forbidden, let change = visit.query["change"] {
                response = try ChangeWatch(visit, change).response
            }
            // Each message, and each of the signs that there is none, is for a session that goes on.
            response.body = response.body.map { part in
                try await visit.expectSession()
                return part
            }
            return .stream(response)
        }
    ]
}

extension Visit {
    /// The record from where the page stands, or the reader was cut off.
    fileprivate func record() async throws -> Response {
        var fields: HTTPFields = [.accept: "text/event-stream"]
        fields[.knownName("Last-Event-ID")] =
            request.headers[.knownName("Last-Event-ID")] ?? query["_after"]
        return try await stream(query.typed, fields)
    }
}

extension ChangeAnswer {
    /// Another one whenever anything of the change is: a word for it, and no more.
    var version: String {
        SHA256.hash(data: bytes).prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
    }
}

/// Tells that a change has become another one than a page shows.
private struct ChangeWatch: Sendable {
    private let visit: Visit
    private let id: ChangeID

    init(_ visit: Visit, _ text: String) throws {
        guard let id = ChangeID(typed: text) else {
            throw HTTPError(.notFound)
        }
        (self.visit, self.id) = (visit, id)
    }

    var response: Response {
        Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    /// It is looked at whenever the record has grown; what is no news is a sign of life.
    private var body: ResponseBody {
        ResponseBody { writer in
            var (known, shown) = (visit.position, visit.query["_version"])
            while !Task.isShuttingDownGracefully {
                let version = try await visit.rest.call(Endpoints.getChange, id).version
                let news = version == shown ? ":" : "id: \(known)\ndata: \(version)"
                try await writer.write(ByteBuffer(string: news + "\n\n"))
                shown = version
                while !Task.isShuttingDownGracefully, visit.knownPosition <= known {
                    _ = await visit.reaches(known.advanced(by: 1))
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                }
                known = visit.knownPosition
            }
            try await writer.finish(nil)
        }
    }
}
