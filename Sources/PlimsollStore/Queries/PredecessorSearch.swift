import PlimsollDomain
import PlimsollPostgres

/// What an app's record says of its releases, or of its devices, read from its end back: each event
/// asked about waits for the one before it that is about the same.
struct PredecessorSearch {
    let app: AppSlug
    let types: [EventType]
    /// The newest event that is asked about.
    let end: Position
    /// Those asked about that have not been met.
    private var wanted: Set<Position>
    /// Those that have been met, and wait for what stood before them.
    private var waiting: [Subject: Position] = [:]
    private(set) var found: [Position: Predecessor] = [:]

    var isOver: Bool { wanted.isEmpty && waiting.isEmpty }

    /// What an event says something of.
    private enum Subject: Hashable {
        case release(Platform, [Int32])
        case shares(Platform)
    }

    private init(_ app: AppSlug, _ types: [EventType], _ wanted: Set<Position>, end: Position) {
        (self.app, self.types, self.wanted, self.end) = (app, types, wanted, end)
    }

    /// The searches that find what some events put an end to.
    static func searches(ending events: [RecordedEvent]) -> [PredecessorSearch] {
        var releases: [AppSlug: Set<Position>] = [:]
        var shares: [AppSlug: Set<Position>] = [:]
        for recorded in events {
            guard case .app(let app) = recorded.stream else { continue }
            switch recorded.event.told.replacement {
            case .release: releases[app, default: []].insert(recorded.position)
            case .shares: shares[app, default: []].insert(recorded.position)
            case .settings, .policy, .defaultPolicy, .freezeStart, .freezeEnd, .freezePlanEnd,
                .defaultApp, nil:
                break
            }
        }
        return searches(releases, [.releaseRegistered, .releaseAmended, .releaseWithdrawn])
            + searches(shares, [.versionSharesReplaced])
    }

    private static func searches(
        _ wanted: [AppSlug: Set<Position>],
        _ types: [EventType]
    ) -> [PredecessorSearch] {
        wanted.compactMap { app, positions in
            positions.max().map { PredecessorSearch(app, types, positions, end: $0) }
        }
    }

    /// Takes in the next event of the app, of those before the last one.
    mutating func meet(_ recorded: RecordedEvent) {
        guard case .app(let event) = recorded.event, let (subject, knowledge) = Self.read(event)
        else { return }
        if let position = waiting.removeValue(forKey: subject) { found[position] = knowledge }
        if wanted.remove(recorded.position) != nil { waiting[subject] = recorded.position }
    }

    /// What an event is about, and what is known behind it.
    private static func read(_ event: AppEvent) -> (Subject, Predecessor?)? {
        switch event {
        case .releaseRegistered(let release), .releaseAmended(let release):
            (.release(release.platform, release.version.comparable), .release(release))
        case .releaseWithdrawn(let platform, let version):
            (.release(platform, version.comparable), nil)
        case .versionSharesReplaced(let platform, let shares):
            (.shares(platform), .shares(shares))
        case .appRegistered, .appSettingsChanged, .thresholdSet, .valueCleared, .thresholdCleared,
            .textSet, .textRemoved, .offersReplaced, .legacyOfferReplaced, .rolledBack,
            .renewalOrdered, .policyChanged, .freeze, .rollbackReviewOrdered, .rollbackReviewed,
            .packagesOffered, .marketplace:
            nil
        }
    }
}

/// A read model holds what the projector never writes; a rebuild makes it anew.
package struct CorruptReadModel: Error, Equatable, Sendable {
    package let sentence: String

    package init(_ sentence: String) {
        self.sentence = sentence
    }
}

extension Position {
    /// A position as a read model has it; whoever has the service's login can make it negative.
    init(readModel position: Int64) throws(CorruptReadModel) {
        guard let position = Position(rawValue: position) else {
            throw CorruptReadModel("it names event \(position)")
        }
        self = position
    }
}

extension ChangeSummary {
    init(row: Row) throws {
        let (id, app, title, author, state, base, proposedAt, position) = try row.decode(
            (Int64, String, String, String, String, Int64, Timestamp, Int64).self
        )
        guard
            let id = ChangeID(rawValue: id), let app = AppSlug(app),
            let title = try? Title(validating: title), let author = PrincipalID(author),
            let state = ChangeState(rawValue: state)
        else { throw CorruptReadModel("the row of change \(id) holds what is never written") }
        self.init(
            id: id,
            app: app,
            title: title,
            author: author,
            state: state,
            base: try Position(readModel: base),
            proposedAt: Instant(proposedAt),
            position: try Position(readModel: position)
        )
    }
}

extension PublishedSnapshot {
    init(app: AppSlug, row: Row) throws {
        let (sequence, position, digest, keys, publishedAt) = try row.decode(
            (Int64, Int64, String, [String], Timestamp).self
        )
        guard let sequence = SnapshotSequence(rawValue: sequence) else {
            throw CorruptReadModel("a snapshot of \(app) has no sequence")
        }
        let record = PublicationRecord(
            sequence: sequence,
            position: try Position(readModel: position),
            manifestDigest: digest,
            keys: keys.compactMap { KeyID($0) }
        )
        self.init(app: app, record: record, publishedAt: Instant(publishedAt))
    }
}
