/// The five characters by which PostgreSQL names a condition.
package struct SQLState: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }

    package static let uniqueViolation: SQLState = "23505"
    package static let serializationFailure: SQLState = "40001"
    package static let deadlockDetected: SQLState = "40P01"
    package static let queryCanceled: SQLState = "57014"
    package static let cachedPlanChanged: SQLState = "0A000"
    package static let statementNameUnknown: SQLState = "26000"
    package static let raised: SQLState = "P0001"

    /// Whether the whole transaction may succeed when it is done again.
    package var isRetryableTransaction: Bool {
        self == .serializationFailure || self == .deadlockDetected
    }

    /// Whether the server ended the session, or cannot take one now.
    package var isConnectionLoss: Bool {
        rawValue.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(rawValue)
    }
}

extension SQLState: CustomStringConvertible {
    package var description: String { rawValue }
}
