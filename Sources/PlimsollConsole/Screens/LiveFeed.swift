import HTTPTypes
import Hummingbird
import PlimsollAPI
import PlimsollHTTP

/// What happens, as it happens, for pages that are open.
enum LiveFeed {
    static let routes: [Route] = [
        Route(method: .get, path: "/live", isUse: false) { visit in
            var fields: HTTPFields = [.accept: "text/event-stream"]
            fields[.knownName("Last-Event-ID")] =
                visit.request.headers[.knownName("Last-Event-ID")] ?? visit.query["_after"]
            let head = HTTPRequest(
                method: .get,
                scheme: nil,
                authority: nil,
                path: Endpoints.listEvents.facts.path + "?" + visit.query.typed.encoded,
                headerFields: fields
            )
            let request = Request(head: head, body: RequestBody(buffer: .init()))
            var response = try await visit.stream(request)
            // Each message, and each of the signs that there is none, is for a session that goes on.
            response.body = response.body.map { part in
                try await visit.expectSession()
                return part
            }
            return .stream(response)
        }
    ]
}
