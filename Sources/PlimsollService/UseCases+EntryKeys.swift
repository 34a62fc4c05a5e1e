package import PlimsollAPI
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Which secrets authenticate the entries of the log; asks for an auditor or an administrator.
    package func entryKeys(for caller: Caller) throws(UseCaseError) -> [EntryKeyAnswer] {
        let logState = try logState()
        if !logState.access.permits(caller.principal, .auditor, in: .all) {
            try require(.admin, of: caller, in: .all, logState)
        }
        return logState.entryKeys.all.map { EntryKeyAnswer($0) }
    }

    /// Begins to need an authenticator of every entry, unless that was done before, or this instance
    /// keeps no secrets.
    package func authenticateEntries() async throws(UseCaseError) {
        guard try logState().entryKeys.begin == nil, let key = writer.firstEntryKey else { return }
        _ = try await perform(
            AddEntryKey(key, reason: nil, by: .system),
            WriteRequest(
                caller: .system,
                id: "entry-keys",
                identity: .named("entry key \(key)"),
                mode: .commit
            )
        )
    }

    /// Has the entries of the log authenticated with a new secret; asks for an administrator.
    ///
    /// It is kept before the event that names it is appended, and stays where that is not known to
    /// be refused. A dry run keeps none.
    package func addEntryKey(
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EntryKeyAnswer {
        try require(.admin, of: request.caller, in: .all, try logState())
        if let prohibition = writer.prohibition { throw .readOnly(prohibition) }
        let id: EntryKeyID
        do throws(EntryKeyError) {
            id = try writer.nextEntryKey(isKept: request.mode == .commit)
        } catch {
            throw .problem(Problem(.keyUnusable, detail: "\(error.description) Nothing was done."))
        }
        let command = AddEntryKey(id, reason: reason, by: request.caller.principal)
        do {
            let receipt = try await perform(command, request)
            // The same request again made another key, which nobody needs.
            if receipt.logState.entryKeys.span(of: id) == nil { writer.discardEntryKey(id) }
            return try answer(to: receipt)
        } catch {
            if error.excludesAppend { writer.discardEntryKey(id) }
            throw error
        }
    }

    /// Has a secret count for nothing that comes later; asks for an administrator.
    package func retireEntryKey(
        _ id: EntryKeyID,
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EntryKeyAnswer {
        let command = RetireEntryKey(id, reason: reason, by: request.caller.principal)
        return try answer(to: try await perform(command, request))
    }

    private func answer(to receipt: Receipt) throws(UseCaseError) -> EntryKeyAnswer {
        guard case .service(.entryKey(let event))? = receipt.events.first?.event,
            let span = receipt.logState.entryKeys.span(of: event.key)
        else { throw .unexpected("an entry key is not brought on by an event of its own") }
        return EntryKeyAnswer(span, isCommitted: receipt.freshness != .dryRun)
    }
}

extension EntryKeyAnswer {
    fileprivate init(_ span: EntryKeySpan, isCommitted: Bool = true) {
        self.init(
            id: span.key,
            added: isCommitted ? span.added : nil,
            addedAt: span.addedAt,
            retired: isCommitted ? span.retired : nil
        )
    }
}

extension EntryKeyEvent {
    fileprivate var key: EntryKeyID {
        switch self {
        case .added(let key), .retired(let key): key
        }
    }
}
