import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService

/// `/v1/tokens`, `/v1/principals` and `/v1/me`: who may come in, and as what.
struct AccessController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] { tokens + principals }

    private var tokens: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.issueToken) { call in
                try await useCases.issueToken(call.form, call.write)
            },
            .read(Endpoints.listTokens) { call in
                var query = call.query
                let since = query.one("since", Instant.grammar, Instant.init(rfc3339:))
                try query.finish()
                let tokens = try await useCases.tokens(since: since, for: call.caller)
                return TokenList(tokens: tokens)
            },
            .write(Endpoints.renewToken) { call in
                try await useCases.renewToken(until: call.form.expiresAt, call.write)
            },
            .write(Endpoints.revokeToken) { call in
                try await useCases.revokeToken(call.names, call.write)
            },
            .read(Endpoints.getIdentity) { call in
                try await useCases.identity(of: call.caller)
            },
        ] + sessions
    }

    private var sessions: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listSessions) { call in
                SessionList(sessions: try await useCases.sessions(for: call.caller))
            },
            .write(Endpoints.endSession) { call in
                try await useCases.endSession(call.names, call.write)
            },
        ]
    }

    private var principals: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listPrincipals) { call in
                PrincipalList(principals: try await useCases.principals(for: call.caller))
            },
            .write(Endpoints.eraseName) { call in
                try await useCases.eraseName(of: call.names, call.write)
            },
            .write(Endpoints.suspendPrincipal) { call in
                let (reason, by) = (call.form.reason, call.by)
                let command = SuspendPrincipal(call.names, reason: reason, by: by)
                return try await useCases.suspend(call.names, command, call.write)
            },
            .write(Endpoints.resumePrincipal) { call in
                let (reason, by) = (call.form.reason, call.by)
                let command = ResumePrincipal(call.names, reason: reason, by: by)
                return try await useCases.standing(of: call.names, after: command, call.write)
            },
            .write(Endpoints.revokeRole) { call in
                let command = RevokeRole(
                    call.form.grant,
                    of: call.names,
                    reason: call.form.reason,
                    by: call.by
                )
                return try await useCases.standing(of: call.names, after: command, call.write)
            },
        ] + personKeys
    }

    private var personKeys: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.addPersonKey) { call in
                try await useCases.addPersonKey(call.form, of: call.names, call.write)
            },
            .write(Endpoints.revokePersonKey) { call in
                let command = RevokePersonKey(
                    call.form.key,
                    of: call.names,
                    reason: call.form.reason,
                    by: call.by
                )
                return try await useCases.standing(of: call.names, after: command, call.write)
            },
        ]
    }
}

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
                try KeyAnswer(try await useCases.addKey(call.form, to: call.names, call.write))
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
        ] + ofEntries
    }

    private var ofEntries: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listEntryKeys) { call in
                EntryKeyList(keys: try useCases.entryKeys(for: call.caller))
            },
            .write(Endpoints.addEntryKey) { call in
                try await useCases.addEntryKey(reason: call.form.reason, call.write)
            },
            .write(Endpoints.retireEntryKey) { call in
                let reason = call.form.reason
                return try await useCases.retireEntryKey(call.names, reason: reason, call.write)
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

/// `/v1/webhooks`: who is told what happens, and how that goes.
struct WebhookController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] { registrations + turns + messages }

    private var registrations: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listWebhooks) { call in
                WebhookList(webhooks: try await useCases.webhooks(for: call.caller))
            },
            .write(Endpoints.registerWebhook, at: { "/v1/webhooks/\($0.webhook.id)" }) { call in
                try await useCases.registerWebhook(call.form.settings, call.write)
            },
            .read(Endpoints.getWebhook) { call in
                try await useCases.webhook(try call.names(), for: call.caller)
            },
            .write(Endpoints.removeWebhook) { call in
                let (reason, by) = (call.form.reason, call.by)
                let command = RemoveWebhook(call.names, reason: reason, by: by)
                try await useCases.perform(command, call.write)
            },
        ]
    }

    private var turns: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.rotateWebhookSecret) { call in
                try await useCases.rotateWebhookSecret(of: call.names, call.write)
            },
            .write(Endpoints.enableWebhook) { call in
                let (reason, by) = (call.form.reason, call.by)
                let command = EnableWebhook(call.names, reason: reason, by: by)
                return try await useCases.webhook(after: command, call.write)
            },
            .write(Endpoints.disableWebhook) { call in
                let (reason, by) = (call.form.reason, call.by)
                let command = DisableWebhook(call.names, reason: reason, by: by)
                return try await useCases.webhook(after: command, call.write)
            },
        ]
    }

    private var messages: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.replayToWebhook) { call in
                let (since, until) = (call.form.since, call.form.until)
                let command = ReplayToWebhook(call.names, since: since, until: until, by: call.by)
                return try await useCases.webhook(after: command, call.write)
            },
            // Nothing is recorded; whoever asks is told what came of it.
            .ask(Endpoints.testWebhook) { webhook, _, caller in
                try await useCases.testWebhook(webhook, for: caller)
            },
            .read(Endpoints.listDeliveries) { call in
                let webhook = try call.names()
                let question = ["deliveries", webhook.text]
                var query = call.query
                let limit = query.limit(50, most: call.facts.limitMaximum)
                let place = query.cursor(of: question)
                try query.finish()
                let page = try await useCases.deliveries(
                    to: webhook,
                    before: place,
                    limit: limit,
                    for: call.caller
                )
                return DeliveryList(
                    deliveries: page.elements,
                    next: page.next.map { Cursor(after: $0, of: question).text }
                )
            },
        ]
    }
}
