import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/keys` and `/v1/apps/{app}/keys`: the keys that sign what is published, and their life.
struct KeyController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .get("keys", use: list)
            .get("keys/{key}", use: show)
            .post("apps/{app}/keys", use: add)
            .post("keys/{key}/activate") { try await turn(.activate, $0, $1) }
            .post("keys/{key}/retire") { try await turn(.retire, $0, $1) }
            .post("keys/{key}/compromise", use: compromise)
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let keys = try useCases.keys(for: context.caller)
        return Reply(KeyList(keys: try keys.map(KeyAnswer.init)))
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let key = try KeyAnswer(try useCases.key(try context.key(), for: context.caller))
        return Reply(key, tag: EntityTag(of: key))
    }

    private func add(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let app = try context.app()
        let submission = try await Submission<KeyForm>(request, context)
        let key = try KeyAnswer(
            try await useCases.addKey(
                submission.form.place,
                to: app,
                reason: submission.form.reason,
                submission.write
            )
        )
        return Reply(
            key,
            to: submission.write,
            status: .created,
            tag: EntityTag(of: key),
            location: "/v1/keys/\(key.id)"
        )
    }

    private func turn(
        _ turn: TurnKey.Turn,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        let (id, seen) = (try context.key(), try Position(ifMatchOfKey: request.headers))
        let submission = try await Submission<KeyTurnForm>(request, context)
        let key = try KeyAnswer(
            try await useCases.turnKey(
                id,
                turn,
                seen: seen,
                reason: submission.form.reason,
                submission.write
            )
        )
        return Reply(key, to: submission.write, tag: EntityTag(of: key))
    }

    /// It binds to nothing that was seen: a key that leaked waits for nobody to look again.
    private func compromise(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let id = try context.key()
        let submission = try await Submission<CompromiseForm>(request, context)
        let key = try KeyAnswer(
            try await useCases.turnKey(
                id,
                .compromise,
                seen: nil,
                reason: submission.form.reason,
                submission.write
            )
        )
        return Reply(key, to: submission.write, tag: EntityTag(of: key))
    }
}

extension KeyAnswer {
    init(_ key: KeyView) throws {
        guard let publicKey = PublicKey(der: key.record.publicKey) else {
            throw UseCaseError.unexpected("the log has no usable public key \(key.record.id)")
        }
        self.init(
            id: key.record.id,
            app: key.record.app,
            state: key.state,
            position: key.since,
            publicKey: publicKey.pem
        )
    }
}
