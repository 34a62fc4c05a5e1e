import Hummingbird
import PlimsollAPI
import PlimsollJSON

/// `/openapi.json`: what there is, for programs.
struct DocumentationController {
    private let bytes: [UInt8]

    init(_ table: RouteTable) {
        bytes = OpenAPIDocument(table).json.canonicalBytes()
    }

    var routes: RouteCollection<PlimsollContext> {
        RouteCollection(context: PlimsollContext.self).get("openapi.json", use: show)
    }

    private func show(_ request: Request, _ context: PlimsollContext) async throws -> Reply {
        try QueryReader(request).finish()
        return Reply(bytes: bytes, mediaType: .json)
    }
}
