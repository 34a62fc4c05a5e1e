package import PlimsollDomain
package import PlimsollStore

/// What a person can do with Plimsoll.
///
/// HTTP, the console, the scheduler and webhooks call only this, so that no road goes round the
/// rules. Every write is decided where it is appended.
package struct UseCases: Sendable {
    /// How long a token lives that was asked for without a word on it.
    package static let tokenLifetime = Duration.seconds(90 * 86_400)

    let writer: Writer
    let readModels: ReadModels
    let directory: Directory
    let keys: KeyMaker
    let clock: @Sendable () -> Instant
    let logFiles: LogFiles
    let reach: Reach
    let webhooks: WebhookDesk
    /// For what takes a processor for long.
    package let expensiveReads = ExpensiveReads()

    package init(
        writer: Writer,
        readModels: ReadModels,
        directory: Directory,
        keys: KeyMaker,
        logFiles: LogFiles,
        reach: Reach = .usual,
        webhooks: WebhookDesk = .closed,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.writer = writer
        self.readModels = readModels
        self.directory = directory
        self.keys = keys
        self.clock = clock
        self.logFiles = logFiles
        self.reach = reach
        self.webhooks = webhooks
    }
}
