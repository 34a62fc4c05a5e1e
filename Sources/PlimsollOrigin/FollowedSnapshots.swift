import PlimsollDocuments
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
    /// What is at hand of apps that are not settled: it came along, or waits for witnesses.
    private var files: [AppSlug: [ContentDigest: [UInt8]]] = [:]

    /// How many have to begin to work.
    ///
    /// Takes what came along.
    mutating func tell(
        _ notice: SnapshotNotice,
        bringing new: [ContentDigest: [UInt8]] = [:]
    ) -> Int {
        let app = notice.app
        guard told[app] != nil || told.count < Self.appsMaximum else { return 0 }
        told[app] = notice
        if trusted.contains(app), notice != settled[app] {
            files[app, default: [:]].merge(new) { known, _ in known }
        }
        dropForeignFiles(of: app)
        mark(app)
        return beginners()
    }

    /// What could not be had is due again; how many have to begin to work.
    mutating func retry(trusting apps: Set<AppSlug>) -> Int {
        trusted = apps
        files = files.filter { apps.contains($0.key) }
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

    /// The trusted apps that nothing was told of.
    var untold: Set<AppSlug> { trusted.subtracting(told.keys) }

    func isNewest(_ notice: SnapshotNotice) -> Bool { told[notice.app] == notice }

    /// What is at hand of a snapshot.
    func files(of notice: SnapshotNotice) -> [ContentDigest: [UInt8]] { files[notice.app] ?? [:] }

    mutating func finish(_ notice: SnapshotNotice, _ outcome: FetchOutcome) {
        let app = notice.app
        atWork.remove(app)
        switch outcome {
        case .failed:
            // A newer one is not to wait for the next time.
            if told[app] != notice { mark(app) }
            return
        case .served:
            refused.remove(app)
        case .refused:
            refused.insert(app)
        case .waiting(let fetched):
            refused.insert(app)
            files[app, default: [:]].merge(fetched) { known, _ in known }
        }
        settled[app] = notice
        if told[app] == notice, outcome.isSettled { files[app] = nil }
        dropForeignFiles(of: app)
        mark(app)
    }

    /// Only what belongs to the newest snapshot can still serve.
    private mutating func dropForeignFiles(of app: AppSlug) {
        let digests = told[app]?.digests ?? []
        files[app] = files[app]?.filter { digests.contains($0.key) }
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

/// What came of a snapshot that an edge was told of.
enum FetchOutcome {
    /// It is served, or something newer.
    case served
    /// It may not be served, and would be no better if it were fetched again.
    case refused
    /// Witnesses have not seen it yet; what was fetched serves when they have.
    case waiting([ContentDigest: [UInt8]])
    /// It could not be had.
    case failed

    fileprivate var isSettled: Bool {
        switch self {
        case .served, .refused: true
        case .waiting, .failed: false
        }
    }
}
