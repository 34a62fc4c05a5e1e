import PlimsollDomain
import PlimsollPostgres

extension EventLog {
    /// Learns which keys count where, so that reading may begin anywhere.
    package func learnEntryKeys() async throws(LogError) {
        guard authentication != nil else { return }
        let types = [EventType.entryKeyAdded, .entryKeyRetired].map(\.rawValue)
        let statement: Statement = """
            SELECT position, entry FROM log.event
            WHERE stream = \(StreamName.service.text) AND type = ANY(\(types)) ORDER BY position
            """
        var reader = EntryReader(authentication)
        for (position, entry) in try await entries(statement) {
            _ = try reader.read(entry.span, at: position)
        }
    }

    /// The same, where what says so was not tampered with; whoever folds the log finds that.
    package func learnEntryKeysIfWhole() async throws(LogError) {
        do throws(LogError) {
            try await learnEntryKeys()
        } catch  where error.damagedPosition != nil {
            return
        }
    }

    /// Reads once more where a key was added meanwhile, which only those know who read in order.
    ///
    /// What the service did not write ends what is read; where it stands first, it is an error.
    func authenticated<Value>(
        _ read: (_ isLast: Bool) throws(LogError) -> Value
    ) async throws(LogError) -> Value {
        do throws(LogError) {
            return try read(false)
        } catch  where error.mayBeLate {
            try await learnEntryKeys()
            return try read(true)
        }
    }
}

extension LogError {
    var mayBeLate: Bool {
        if case .unauthentic(_, let flaw) = self { flaw.mayBeLate } else { false }
    }
}
