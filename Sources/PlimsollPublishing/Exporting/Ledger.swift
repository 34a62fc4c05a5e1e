package import PlimsollDomain
package import PlimsollStore

/// How the exporter tells the log what it did, each thing once.
///
/// What it tells has a name made of what it is about, and commands of one name are one command:
/// told again after a crash, the log answers that it knows.
package struct Ledger: Sendable {
    package typealias Perform = @Sendable (any Command, CommandIdentity) async throws -> Void

    private let perform: Perform
    private let newest: @Sendable () async throws -> Position
    private let time: @Sendable () async throws -> Instant?

    /// How far this machine's clock and the log's may be apart.
    private static let clockTolerance: Duration = .seconds(60)

    /// Takes what time it is where the log is, for a second opinion; `nil` has none.
    package init(
        perform: @escaping Perform,
        head: @escaping @Sendable () async throws -> Position,
        clock: @escaping @Sendable () async throws -> Instant? = { nil }
    ) {
        self.perform = perform
        newest = head
        time = clock
    }

    /// Whether the log hears of a snapshot for the first time.
    enum Telling {
        case first
        /// The snapshot was lost and written again, so its signatures are others.
        case again
    }

    /// The position of the last event in the log.
    func head() async throws -> Position {
        try await newest()
    }

    /// Whether it is about that time where the log is, too.
    func agrees(on wall: Instant) async throws -> Bool {
        guard let there = try await time() else { return true }
        return there <= wall.advanced(by: Self.clockTolerance)
            && wall <= there.advanced(by: Self.clockTolerance)
    }

    func published(
        _ record: PublicationRecord,
        of app: AppSlug,
        _ telling: Telling
    ) async throws {
        let name = "snapshot/\(app)/\(record.sequence)"
        let identity =
            switch telling {
            case .first: CommandIdentity.named(name)
            case .again: CommandIdentity.named("\(name)/\(record.manifestDigest)")
            }
        try await perform(
            RecordPublication(app: app, event: .snapshotPublished(record)),
            identity
        )
    }

    func failed(
        _ failure: PublicationFailure,
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) async throws {
        let event = ExportEvent.publicationFailed(sequence: sequence, cause: failure.cause)
        try await perform(
            RecordPublication(app: app, event: event),
            .named("publication-failed/\(app)/\(sequence)/\(failure.cause)")
        )
    }

    /// Has the content of the order published anew, unless that was asked for already.
    func orderRenewal(of app: AppSlug, after sequence: SnapshotSequence) async throws {
        try await perform(OrderRenewal(app: app), .named("renewal/\(app)/\(sequence)"))
    }
}
