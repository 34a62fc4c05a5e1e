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

    /// Has the entries of the log authenticated with a new secret; asks for an administrator.
    ///
    /// It is kept before the event that names it is appended. A dry run keeps none.
    package func addEntryKey(
        reason: Reason?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> EntryKeyAnswer {
        try require(.admin, of: request.caller, in: .all, try logState())
        // The first is the one that entries are written with already.
        let isFirst = try logState().entryKeys.begin == nil
        let id: EntryKeyID
        do throws(EntryKeyError) {
            id =
                isFirst
                ? try writer.firstEntryKey()
                : try writer.makeEntryKey(isKept: request.mode == .commit)
        } catch {
            throw .unexpected(error.description)
        }
        let command = AddEntryKey(id, reason: reason, by: request.caller.principal)
        return try answer(to: try await perform(command, request))
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
