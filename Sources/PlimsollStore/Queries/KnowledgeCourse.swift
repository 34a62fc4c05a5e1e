import PlimsollDomain

/// What an app's record says of its releases, or of its devices, read from its end back: each event
/// asked about waits for the one before it that is about the same.
struct KnowledgeCourse {
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

    /// The courses in which what some events put an end to is found.
    static func courses(ending events: [RecordedEvent]) -> [KnowledgeCourse] {
        var releases: [AppSlug: Set<Position>] = [:]
        var shares: [AppSlug: Set<Position>] = [:]
        for recorded in events {
            guard case .app(let app) = recorded.stream, case .app(let event) = recorded.event
            else { continue }
            switch event {
            case .releaseAmended, .releaseWithdrawn:
                releases[app, default: []].insert(recorded.position)
            case .versionSharesReplaced: shares[app, default: []].insert(recorded.position)
            default: break
            }
        }
        return courses(releases, [.releaseRegistered, .releaseAmended, .releaseWithdrawn])
            + courses(shares, [.versionSharesReplaced])
    }

    private static func courses(
        _ wanted: [AppSlug: Set<Position>],
        _ types: [EventType]
    ) -> [KnowledgeCourse] {
        wanted.compactMap { app, positions in
            positions.max().map { KnowledgeCourse(app, types, positions, end: $0) }
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
        default: nil
        }
    }
}
