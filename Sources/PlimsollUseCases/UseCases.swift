package import PlimsollDomain
package import PlimsollProjection
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

/// Makes signing keys and keeps their private halves; where, is not the use cases' business.
package struct KeyMaker: Sendable {
    /// Makes a key for an app and keeps it durably before it returns.
    package let make: @Sendable (AppSlug) async throws -> KeyRecord
    /// Forgets a key that never came to be used.
    package let discard: @Sendable (KeyRecord) async -> Void

    package init(
        make: @escaping @Sendable (AppSlug) async throws -> KeyRecord,
        discard: @escaping @Sendable (KeyRecord) async -> Void
    ) {
        self.make = make
        self.discard = discard
    }
}
