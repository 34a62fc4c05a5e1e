/// What the server said about an error or a notice, in its own words.
package struct ServerMessage: Sendable, Hashable {
    package var severity: String?
    package var sqlState: SQLState?
    package var message: String?
    package var detail: String?
    package var hint: String?
    package var schema: String?
    package var table: String?
    package var column: String?
    package var constraint: String?
    package var context: String?

    /// Whether the server has ended the session with it.
    package var isFatal: Bool { severity == "FATAL" || severity == "PANIC" }
}
