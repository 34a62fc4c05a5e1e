/// How to reach a database, as libpq reads it: `key=value` pairs or a `postgresql://` URI.
///
/// It may hold a password, so its description gives the places and the names only.
package struct ConnectionString: Sendable, Hashable {
    private let text: String
    private let overrides: [String: String]

    package init(_ text: String) {
        self.init(text: text, overrides: [:])
    }

    private init(text: String, overrides: [String: String]) {
        self.text = text
        self.overrides = overrides
    }

    /// The same server and account, with some settings replaced, such as `dbname`.
    package func replacing(_ settings: [String: String]) -> ConnectionString {
        ConnectionString(
            text: text,
            overrides: overrides.merging(settings) { _, new in new }
        )
    }

    package func replacing(database: String) -> ConnectionString {
        replacing(["dbname": database])
    }

    /// The account that the text names; `nil` where the environment or a service file does.
    package var user: String? {
        // Whoever connects is told that it cannot be read.
        (try? settings())?["user"]
    }

    /// What the text says, without what the environment adds.
    func settings() throws(PostgresError) -> [String: String] {
        try ConnectionDefaults.parse(text).merging(overrides) { _, new in new }
    }
}

extension ConnectionString: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        // An unreadable text might be a password put in the wrong place.
        guard let settings = try? settings() else { return "unreadable connection string" }
        let shown = ["host", "hostaddr", "port", "dbname", "user"].compactMap { keyword in
            settings[keyword].map { "\(keyword)=\($0)" }
        }
        return shown.joined(separator: " ")
    }

    package var debugDescription: String { description }
}
