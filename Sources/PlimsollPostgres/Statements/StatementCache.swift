/// Which statements a session keeps prepared: those used at least twice, the latest used.
struct StatementCache {
    private struct Key: Hashable {
        let text: String
        let types: [UInt32]

        init(_ statement: Statement) {
            text = statement.text
            types = statement.parameters.types
        }
    }

    private struct Entry {
        let name: String
        var columns: Columns?
        var lastUse: Int
    }

    /// What to do with a statement.
    enum Plan: Equatable {
        case sendUnprepared
        case prepare(name: String)
        case usePrepared(name: String)
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    private var seenOnce: Set<Key> = []
    private var useCount = 0
    private var nameCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// What is known of a statement, without counting a use.
    func peek(_ statement: Statement) -> Plan {
        entries[Key(statement)].map { .usePrepared(name: $0.name) } ?? .sendUnprepared
    }

    /// To prepare pays from the second use on.
    mutating func use(_ statement: Statement) -> Plan {
        guard capacity > 0 else { return .sendUnprepared }
        let key = Key(statement)
        useCount += 1
        if let entry = entries[key] {
            entries[key]?.lastUse = useCount
            return .usePrepared(name: entry.name)
        }
        guard seenOnce.remove(key) != nil else {
            if seenOnce.count >= capacity { seenOnce.removeAll(keepingCapacity: true) }
            seenOnce.insert(key)
            return .sendUnprepared
        }
        nameCount += 1
        return .prepare(name: "s\(nameCount)")
    }

    /// Remembers what was prepared; answers the name of the statement that has to go for it.
    mutating func prepared(_ statement: Statement, as name: String) -> String? {
        entries[Key(statement)] = Entry(name: name, columns: nil, lastUse: useCount)
        guard entries.count > capacity,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        entries[oldest.key] = nil
        return oldest.value.name
    }

    /// The server does not know it any more, or not in this form; answers whether it was known.
    mutating func forget(_ statement: Statement) -> String? {
        entries.removeValue(forKey: Key(statement))?.name
    }

    /// The columns of a prepared statement do not change, so they are read once.
    func columns(of statement: Statement) -> Columns? { entries[Key(statement)]?.columns }

    mutating func remember(_ columns: Columns, of statement: Statement) {
        entries[Key(statement)]?.columns = columns
    }
}
