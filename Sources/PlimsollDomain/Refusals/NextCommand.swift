/// A command that helps somebody further whom an objection met.
package enum NextCommand: Equatable, Sendable {
    case command(String)
    /// Shows the change that the request was about, if it was about one.
    case ofChange(otherwise: String)
    /// The same, with the app that the request was about behind it.
    case ofApp(String)
}

extension Objection {
    /// The command to run next, by the code of an objection.
    ///
    /// It is looked up where only an answer is known, which tells the code.
    package static let nextCommands: [String: NextCommand] = [
        accessCommands, appCommands, approvalCommands, changeCommands, emergencyCommands,
        keyCommands, marketplaceCommands, releaseCommands, rollbackCommands,
    ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }
}
