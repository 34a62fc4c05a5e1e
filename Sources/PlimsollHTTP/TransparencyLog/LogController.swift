import Hummingbird
import PlimsollAPI
import PlimsollUseCases

/// `/v1/log`: the whole transparency log for auditors, entries included, in the form of
/// c2sp.org/tlog-tiles; and the proof that an event is in it.
///
/// Tools that fetch it know addresses, not `Accept`: they get the bytes whatever they accept.
struct LogController {
    let useCases: UseCases
    /// The verifier key, as text; `nil` where none is published yet.
    let key: @Sendable () async -> String?

    private static let parts = ["level", "first", "second", "third"]

    var files: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("log/checkpoint", use: checkpoint)
            .get("log/key", use: key)
            .get("log/tile/{level}/{first}", use: tile)
            .get("log/tile/{level}/{first}/{second}", use: tile)
            .get("log/tile/{level}/{first}/{second}/{third}", use: tile)
    }

    var proofs: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self).get("events/{position}/proof", use: proof)
    }

    private func checkpoint(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        guard let note = try await useCases.logCheckpoint(for: context.caller) else {
            throw Problem(.notFound, detail: "No checkpoint has been signed yet.")
        }
        return Reply(bytes: note, mediaType: .plainText)
    }

    private func key(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        try useCases.requireAuditor(context.caller)
        guard let key = await key() else {
            throw Problem(.notFound, detail: "No key of the log has been published here yet.")
        }
        return Reply(bytes: Array("\(key)\n".utf8), mediaType: .plainText)
    }

    private func tile(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let parts = Self.parts.compactMap { context.parameters.get($0) }
        let path = (["tile"] + parts).joined(separator: "/")
        guard let bytes = try await useCases.logTile(path, for: context.caller) else {
            throw Problem(.notFound, detail: "The newest checkpoint has no such tile.")
        }
        return Reply(bytes: bytes, mediaType: .octets)
    }

    private func proof(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let position = try context.position()
        guard let proof = try await useCases.proof(of: position, for: context.caller) else {
            throw Problem(
                .notFound,
                detail: "No checkpoint covers event \(position) yet; while an instance exports,"
                    + " one follows within seconds."
            )
        }
        return Reply(bytes: proof, mediaType: .plainText)
    }
}
