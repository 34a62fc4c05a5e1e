import PlimsollDomain
import PlimsollPostgres

extension EventLog {
    /// Learns which keys count where, so that reading may begin anywhere.
    func learnEntryKeys() async throws(LogError) {
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

    /// The same; answers why nothing may be written where what says so cannot be believed.
    package func entryKeyDamage() async throws(LogError) -> Prohibition? {
        do throws(LogError) {
            try await learnEntryKeys()
            return nil
        } catch  where error.damagedPosition != nil {
            return Prohibition(damage: error)
        }
    }

    /// What is made of entries that stand behind one another, up to the first that the service did not
    /// write; where that stands first, it is an error.
    func authenticPrefix<Entry, Value>(
        of entries: [Entry],
        _ read: (inout EntryReader, Entry, _ place: Int) throws(LogError) -> Value
    ) async throws(LogError) -> [Value] {
        try await authenticated { isLast throws(LogError) in
            var reader = EntryReader(authentication)
            var values: [Value] = []
            for (place, entry) in entries.enumerated() {
                do throws(LogError) {
                    values.append(try read(&reader, entry, place))
                } catch {
                    if values.isEmpty || error.mayBeLate && !isLast { throw error }
                    break
                }
            }
            return values
        }
    }

    /// Reads once more where a key was added meanwhile, which only those know who read in order.
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
