import Foundation
import PlimsollAdmin
import PlimsollJSON
import Testing

/// One who goes on proposing and approving, whatever dies.
///
/// Each worker edits the text of a language of its own, so workers do not stand in each other's
/// way. A write whose outcome is open is sent again under the same key.
struct Worker: Sendable {
    let language: String
    let proposer: String
    let approver: String
    let ledger: Ledger

    static func crew(
        _ count: Int,
        at server: RunningServer,
        _ ledger: Ledger
    ) async throws
        -> [Worker]
    {
        let languages = ["fr", "es", "it", "pl", "pt", "nl", "sv", "da"]
        let proposer = try await server.admit("proposer", "proposer")
        let approver = try await server.admit("approver", "approver")
        return languages.prefix(count).map { language in
            Worker(
                language: language,
                proposer: proposer,
                approver: approver,
                ledger: ledger
            )
        }
    }

    /// Works until told to stop, or until the service does not answer any more.
    func work(at server: RunningServer, while goOn: () -> Bool) async throws {
        while goOn(), server.isAlive {
            try await change("\(language)-\(UUID().uuidString)", server)
        }
    }

    private func change(_ title: String, _ server: RunningServer) async throws {
        let slug = "/v1/apps/harbour"
        let app = try await settled(server) { try await server.send(.get, slug, as: proposer) }
        guard let base = app?.json["position"]?.integer else { return }
        ledger.note(title) { _ in }
        let edit = Edits.setText("ios", "description", language, title)
        let proposed = try await settled(server) {
            try await server.propose(
                [edit],
                titled: title,
                base: base,
                as: proposer,
                key: "p-\(title)"
            )
        }
        guard let proposed else { return }
        #expect(proposed.status == 201, "\(proposed.json)")
        ledger.note(title) { $0.id = proposed.json["id"]?.string }
        guard try await refusal(title, base, server) != nil else { return }
        let approved = try await settled(server) {
            try await server.decide("approve", on: proposed, as: approver, key: "a-\(title)")
        }
        guard let approved else { return }
        #expect(approved.status == 200, "\(approved.json)")
        ledger.note(title) { $0.isApplied = approved.json["state"]?.string == "applied" }
    }

    /// One that has to be refused, since approvers propose nothing.
    private func refusal(
        _ title: String,
        _ base: Int64,
        _ server: RunningServer
    ) async throws -> Reply? {
        let name = "refused-\(title)"
        let edit = Edits.setText("ios", "description", language, name)
        let refused = try await settled(server) {
            try await server.propose([edit], titled: name, base: base, as: approver)
        }
        if let refused {
            #expect(refused.status == 403, "\(refused.json)")
            ledger.note(name) { $0.isRefused = true }
        }
        return refused
    }

    /// Sends until there is an answer that settles it; `nil` when the service is dead.
    private func settled(
        _ server: RunningServer,
        _ send: () async throws -> Reply
    ) async throws -> Reply? {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            do {
                let reply = try await send()
                if reply.status < 500 { return reply }
            } catch let error as AdminError where error.problem == nil {
                guard server.isAlive else { return nil }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the service lives and gives no answer within a minute")
        return nil
    }
}
