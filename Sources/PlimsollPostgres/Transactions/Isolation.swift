/// How far transactions are kept apart.
package enum Isolation: Sendable {
    case readCommitted, repeatableRead, serializable
}

/// What a transaction may do.
package enum TransactionAccess: Sendable {
    case readWrite, readOnly
}

extension Statement {
    static func begin(_ isolation: Isolation, _ access: TransactionAccess) -> Statement {
        switch (isolation, access) {
        case (.readCommitted, .readWrite): "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
        case (.readCommitted, .readOnly): "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY"
        case (.repeatableRead, .readWrite): "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
        case (.repeatableRead, .readOnly): "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        case (.serializable, .readWrite): "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
        case (.serializable, .readOnly): "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY"
        }
    }
}
