import PlimsollDomain
import PlimsollPublishing
import PlimsollStore

/// Does what writer and projector do: appends commands once, and enters events in a book.
actor StandInWriter {
    nonisolated let book = PublicationQueue()
    private(set) var log: LogBuilder
    private var known: Set<CommandID> = []
    private var isAway = false

    /// The log as it stands is in the book already.
    init(_ log: LogBuilder) {
        self.log = log
        book.enter(log.events, leadingTo: log.logState)
    }

    nonisolated var ledger: PublicationRecorder {
        PublicationRecorder(
            perform: { command, identity, _ in try await self.perform(command, identity) },
            head: { try await self.head() }
        )
    }

    /// Appends what others do.
    func change(_ edit: @Sendable (inout LogBuilder) throws -> Void) rethrows {
        let count = log.events.count
        try edit(&log)
        book.enter(log.events.dropFirst(count), leadingTo: log.logState)
    }

    /// Lets every call fail, as it does without a database, or work again.
    func goAway(_ isAway: Bool) {
        self.isAway = isAway
    }

    /// What was told about publications, in order.
    var told: [ExportEvent] {
        log.events.compactMap { recorded in
            if case .export(let event) = recorded.event { event } else { nil }
        }
    }

    private func perform(_ command: any Command, _ identity: CommandIdentity) throws {
        guard !isAway else { throw LogAway() }
        guard known.insert(identity.id).inserted else { return }
        let events = try log.append(
            command.decide(in: log.logState, at: log.now).events.map { ($0.stream, $0.event) }
        )
        book.enter(events, leadingTo: log.logState)
    }

    private func head() throws -> Position {
        guard !isAway else { throw LogAway() }
        return log.logState.position
    }
}

struct LogAway: Error {}

extension ExportEvent {
    var published: PublicationRecord? {
        if case .snapshotPublished(let record) = self { record } else { nil }
    }

    var failure: (sequence: SnapshotSequence, cause: String)? {
        if case .publicationFailed(let sequence, let cause) = self {
            (sequence, cause)
        } else {
            nil
        }
    }
}
