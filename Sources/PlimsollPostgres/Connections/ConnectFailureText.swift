/// What libpq says when it could not connect, taken apart.
///
/// For example `connection to server on socket "…" failed: FATAL:  57P03: the database system
/// is starting up`, followed by a line that names a place in PostgreSQL's source.
struct ConnectFailureText {
    private let text: String

    init(_ text: String) { self.text = text }

    var error: PostgresError {
        let sqlState = sqlState
        return PostgresError(
            .connectFailed,
            sentence,
            server: sqlState.map { ServerMessage(severity: "FATAL", sqlState: $0) }
        )
    }

    /// The first word of five capitals or digits that stands between two colons.
    private var sqlState: SQLState? {
        text.split(separator: ":").lazy
            .map { $0.drop { $0 == " " } }
            .first { word in
                word.utf8.count == 5 && word.contains(where: \.isNumber)
                    && word.allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            }
            .map { SQLState(rawValue: String($0)) }
    }

    private var sentence: String {
        text.split(separator: "\n")
            .filter { !$0.hasPrefix("LOCATION:") }
            .joined(separator: " ")
    }
}
