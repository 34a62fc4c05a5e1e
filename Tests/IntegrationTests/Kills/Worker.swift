import Foundation
import PlimsollAPI
import PlimsollJSON
import Testing

/// One who goes on proposing and approving, whatever dies.
///
/// Each worker edits the text of a language of its own, so workers do not stand in each other's
/// way. A write whose outcome is open is sent again under the same key, in the next run of the
/// service if need be.
struct Worker: Sendable {
    let language: String
    let proposer: String
    let approver: String
    let ledger: Ledger

    static func crew(
        _ count: Int,
        at server: RunningServer,
        _ ledger: Ledger
    ) async throws -> [Worker] {
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

    /// Ends what is open, and works on until told to stop, or until the service is dead.
    func work(at server: RunningServer, while goOn: () -> Bool) async throws {
        for entry in ledger.open(in: language) { try await finish(entry, server) }
        while goOn(), server.isAlive {
            guard let entry = try await begin(server) else { return }
            try await finish(entry, server)
        }
    }

    private func begin(_ server: RunningServer) async throws -> Ledger.Entry? {
        let app = try await settled(server) {
            try await server.send(.get, "/v1/apps/harbour", as: proposer)
        }
        guard let base = app?.json["position"]?.integer else { return nil }
        let title = "\(language)-\(UUID().uuidString)"
        let entry = Ledger.Entry(title: title, language: language, base: base)
        ledger.note(entry)
        return entry
    }

    /// Sends what was not answered yet, under the key that it was sent under before.
    private func finish(_ entry: Ledger.Entry, _ server: RunningServer) async throws {
        var entry = entry
        guard let proposal = try await proposal(of: entry, server) else { return }
        entry.proposal = proposal
        ledger.note(entry)
        guard try await refusal(beside: entry, server) != nil else { return }
        let approved = try await settled(server) {
            try await server.decide(
                "approve",
                on: proposal,
                as: approver,
                key: "a-\(entry.title)"
            )
        }
        guard let approved else { return }
        #expect(approved.status == 200, "\(approved.json)")
        entry.isApplied = approved.json["state"]?.string == "applied"
        ledger.note(entry)
    }

    private func proposal(
        of entry: Ledger.Entry,
        _ server: RunningServer
    ) async throws -> Reply? {
        if let proposal = entry.proposal { return proposal }
        let proposed = try await settled(server) {
            try await server.propose(
                [Edits.setText("ios", "description", language, entry.title)],
                titled: entry.title,
                base: entry.base,
                as: proposer,
                key: "p-\(entry.title)"
            )
        }
        if let proposed { #expect(proposed.status == 201, "\(proposed.json)") }
        return proposed
    }

    /// One that has to be refused, since approvers propose nothing.
    private func refusal(
        beside entry: Ledger.Entry,
        _ server: RunningServer
    ) async throws -> Reply? {
        let name = "refused-\(entry.title)"
        let edit = Edits.setText("ios", "description", language, name)
        let refused = try await settled(server) {
            try await server.propose([edit], titled: name, base: entry.base, as: approver)
        }
        if let refused {
            #expect(refused.status == 403, "\(refused.json)")
            ledger.noteRefusal(of: name)
        }
        return refused
    }

    /// Sends until there is an answer that settles it; `nil` when the service is dead.
    private func settled(
        _ server: RunningServer,
        _ send: () async throws -> Reply
    ) async throws -> Reply? {
        let deadline = ContinuousClock.now + .seconds(180)
        while ContinuousClock.now < deadline {
            do {
                let reply = try await send()
                if reply.status < 500 { return reply }
                let log = reply.status == 503 ? "" : try server.fixture.logText().suffix(4000)
                #expect(reply.status == 503, "\(reply.json)\n\(log)")
            } catch let error as AdminError where error.problem == nil {
                guard server.isAlive else { return nil }
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the service lives and gives no answer within three minutes")
        return nil
    }
}
