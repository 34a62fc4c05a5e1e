import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollStore
import PlimsollService

/// `/v1/log`: the whole transparency log for auditors, entries included, in the form of
/// c2sp.org/tlog-tiles; and the proof that an event is in it.
///
/// Tools that fetch it know addresses, not `Accept`: they get the bytes whatever they accept.
struct LogController {
    let useCases: UseCases
    /// The verifier key, as text; `nil` where none is published yet.
    let key: @Sendable () async -> String?

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .raw(Endpoints.getLogCheckpoint, checkpoint), .raw(Endpoints.getLogKey, key),
            .raw(Endpoints.getLogTile, tile), .raw(Endpoints.addCosignatures, cosign),
            .raw(Endpoints.getEventProof, proof),
        ]
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
        let index = context.parameters.getCatchAll().joined(separator: "/")
        let path = "tile/\(context.parameters.get("level") ?? "")/\(index)"
        guard let bytes = try await useCases.logTile(path, for: context.caller) else {
            throw Problem(.notFound, detail: "The newest checkpoint has no such tile.")
        }
        // Hashes tell nothing of what happened.
        if context.parameters.get("level") == "entries" {
            context.noteReading(request, as: .octets)
        }
        return Reply(bytes: bytes, mediaType: .octets)
    }

    /// A line is worth what it says, whoever brings it and however often.
    private func cosign(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        try useCases.requireAuditor(context.caller)
        let body = try await request.wholeBody()
        let note = Array(body.readableBytesView)
        let kept = try await useCases.keep(cosigned: note, for: context.caller)
        return Reply(bytes: try kept.mapError(Problem.init).get(), mediaType: .plainText)
    }

    private func proof(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let position: Position = try context.names()
        guard let proof = try await useCases.proof(of: position, for: context.caller) else {
            throw Problem(
                .notFound,
                detail: "No checkpoint covers event \(position) yet; while an instance exports,"
                    + " one follows within seconds."
            )
        }
        context.noteReading(request)
        return Reply(bytes: proof, mediaType: .plainText)
    }
}

extension Problem {
    fileprivate init(_ refusal: Cosignatures.Refusal) {
        switch refusal {
        case .malformed(let sentence):
            self.init(
                .invalidRequest,
                "noteMalformed",
                sentence,
                remedy: "Send the checkpoint as it was fetched, with the witness's line under it."
            )
        case .noCheckpoint(let size):
            self.init(
                .notFound,
                "checkpointUnknown",
                "No checkpoint over \(size) events was signed here.",
                remedy: "Fetch the newest checkpoint and cosign that."
            )
        case .otherCheckpoint(let size):
            self.init(
                .conflict,
                "checkpointDiffers",
                "The checkpoint over \(size) events that was signed here says something else.",
                remedy: "Keep yours: if this log's key has signed it, the log has two histories."
            )
        case .unknownWitness:
            self.init(
                .invalidRequest,
                "witnessUnknown",
                "None of the lines is by a witness that this service knows.",
                remedy: "Have the operator start it with --witness-key and your verifier key."
            )
        case .wrongLine(let sentence):
            self.init(
                .invalidRequest,
                "lineWrong",
                sentence,
                remedy: "Cosign the checkpoint as it was fetched, byte for byte."
            )
        }
    }

    private init(_ code: ProblemCode, _ fault: String, _ detail: String, remedy: String) {
        self.init(
            code,
            detail: detail,
            errors: [Fault(at: nil, code: fault, detail: detail, remedy: remedy)]
        )
    }
}
