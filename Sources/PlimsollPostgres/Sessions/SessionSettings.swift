/// How a session behaves, beyond where it connects to.
package struct SessionSettings: Sendable, Hashable {
    /// How long one address may take to connect, unless the string has `connect_timeout`.
    package var connectTimeout: Duration = .seconds(5)

    /// How long a statement may take when its caller says nothing.
    ///
    /// The server is told a little more, for the case that this process is gone.
    package var statementTimeout: Duration = .seconds(30)

    /// How long a transaction may lie idle before the server ends the session.
    package var idleInTransactionTimeout: Duration = .seconds(60)

    /// How long a stopped statement may go on before the connection is cut.
    package var cancelGrace: Duration = .seconds(5)

    /// The role to act as, when it is not the one that logs in.
    package var role: String?

    /// Shown in `pg_stat_activity`.
    package var applicationName = "plimsoll"

    /// How many statements a session keeps prepared; 0 behind poolers that cannot.
    package var preparedStatementsMaximum = 128

    package init() {}

    /// What the server allows beyond the client's own deadline.
    static let serverAllowance: Duration = .seconds(5)

    /// The settings sent with the first message, in the form of `options`.
    var options: String {
        var options = [
            "statement_timeout=\(milliseconds(statementTimeout + Self.serverAllowance))",
            "idle_in_transaction_session_timeout=\(milliseconds(idleInTransactionTimeout))",
            "TimeZone=UTC",
            // Lists are read from their end, in the order of an index. A bitmap has no order: all
            // that was ever found would be sorted for the hundred rows that are wanted.
            "enable_bitmapscan=off",
        ]
        if let role { options.append("role=\(role)") }
        return options.map { "-c \(escaped($0))" }.joined(separator: " ")
    }

    private func escaped(_ option: String) -> String {
        option.reduce(into: "") { text, character in
            if character == " " || character == "\\" { text.append("\\") }
            text.append(character)
        }
    }
}

func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
}
