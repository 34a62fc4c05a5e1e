import PlimsollDomain

/// What an origin has told of, and which of it is still to be fetched: of a few apps at a time, and
/// of each always the newest.
struct FollowedSnapshots {
    /// So many apps are fetched at a time: each may take as many bytes as a snapshot has.
    static let workersMaximum = 4
    /// More than anybody has; an origin that invents more is not listened to.
    private static let appsMaximum = 10_000

    private var trusted: Set<AppSlug> = []
    private var told: [AppSlug: SnapshotNotice] = [:]
    /// What is served, or may not be served and would be no better if it were fetched again.
    private var settled: [AppSlug: SnapshotNotice] = [:]
    private var refused: Set<AppSlug> = []
    /// Told of, trusted and not settled, and nobody is at work on it.
    private var due: Set<AppSlug> = []
    private var atWork: Set<AppSlug> = []
    private var workers = 0

    /// How many have to begin to work.
    mutating func tell(_ notice: SnapshotNotice) -> Int {
        guard told[notice.app] != nil || told.count < Self.appsMaximum else { return 0 }
        told[notice.app] = notice
        mark(notice.app)
        return beginners()
    }

    /// What could not be had is due again; how many have to begin to work.
    mutating func retry(trusting apps: Set<AppSlug>) -> Int {
        trusted = apps
        for app in told.keys { mark(app) }
        return beginners()
    }

    /// What was refused is due again, as other keys are trusted.
    mutating func forgetRefusals() {
        for app in refused { settled[app] = nil }
        refused = []
    }

    /// What somebody at work does next; `nil` where that is nothing.
    mutating func next() -> SnapshotNotice? {
        guard let app = due.popFirst(), let notice = told[app] else {
            workers -= 1
            return nil
        }
        atWork.insert(app)
        return notice
    }

    func isTrusted(_ app: AppSlug) -> Bool { trusted.contains(app) }

    func isNewest(_ notice: SnapshotNotice) -> Bool { told[notice.app] == notice }

    /// What came of the work; `nil` where it could not be had.
    mutating func finish(_ notice: SnapshotNotice, isServed: Bool?) {
        let app = notice.app
        atWork.remove(app)
        guard let isServed else {
            // A newer one is not to wait for the next time.
            if told[app] != notice { mark(app) }
            return
        }
        settled[app] = notice
        if isServed { refused.remove(app) } else { refused.insert(app) }
        mark(app)
    }

    private mutating func mark(_ app: AppSlug) {
        guard trusted.contains(app), told[app] != settled[app], !atWork.contains(app) else {
            return
        }
        due.insert(app)
    }

    /// Those who have begun and hold nothing yet will take what is due.
    private mutating func beginners() -> Int {
        let idle = workers - atWork.count
        let count = max(0, min(Self.workersMaximum - workers, due.count - idle))
        workers += count
        return count
    }
}
