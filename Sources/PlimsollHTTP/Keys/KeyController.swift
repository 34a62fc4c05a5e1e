import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/keys` and `/v1/apps/{app}/keys`: the keys that sign what is published, and their life.
struct KeyController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listKeys) { call in
                let keys = try useCases.keys(for: call.caller)
                return KeyList(keys: try keys.map(KeyAnswer.init))
            },
            .read(Endpoints.getKey) { call in
                try KeyAnswer(try useCases.key(try call.names(), for: call.caller))
            },
            .write(Endpoints.addKey, at: { "/v1/keys/\($0.id)" }) { call in
                let key = try await useCases.addKey(
                    call.form.place,
                    to: call.names,
                    reason: call.form.reason,
                    call.write
                )
                return try KeyAnswer(key)
            },
            .write(Endpoints.activateKey) { call in
                let reason = call.form.reason
                return try await turn(call.names, .activate, call.seen, reason, call.write)
            },
            .write(Endpoints.retireKey) { call in
                let reason = call.form.reason
                return try await turn(call.names, .retire, call.seen, reason, call.write)
            },
            // It binds to nothing that was seen: a key that leaked waits for nobody to look again.
            .write(Endpoints.compromiseKey) { call in
                let reason = call.form.reason
                return try await turn(call.names, .compromise, nil, reason, call.write)
            },
        ]
    }

    private func turn(
        _ id: KeyID,
        _ turn: TurnKey.Turn,
        _ seen: Position?,
        _ reason: Reason?,
        _ write: WriteRequest
    ) async throws -> KeyAnswer {
        let key = try await useCases.turnKey(id, turn, seen: seen, reason: reason, write)
        return try KeyAnswer(key)
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
