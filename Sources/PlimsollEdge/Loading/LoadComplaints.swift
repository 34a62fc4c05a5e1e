import Logging
import Metrics
import PlimsollDomain

/// Why newer snapshots of apps are not served; the log is told of each refusal only once, however
/// often a poll comes upon it.
struct LoadComplaints {
    private let settings: SnapshotLoader.Settings
    private let logger: Logger
    private let refusals = Counter(label: "plimsoll.snapshots.refused")
    private var last: [AppSlug: LoadRefusal] = [:]
    /// The first snapshot of each app that was older than what was served before, while nothing is.
    private var lagging: [AppSlug: Lag] = [:]

    private struct Lag {
        let refusal: LoadRefusal
        let start: ContinuousClock.Instant
        var isTold = false
    }

    init(_ settings: SnapshotLoader.Settings, logger: Logger) {
        (self.settings, self.logger) = (settings, logger)
    }

    var apps: [AppSlug] { last.keys.sorted() }

    /// The last refusal of the app.
    subscript(_ app: AppSlug) -> LoadRefusal? { last[app] }

    mutating func clear(_ app: AppSlug) { (last[app], lagging[app]) = (nil, nil) }

    /// What no quorum has seen is no fault, and is looked at again when its proof is another one.
    mutating func make(_ refusal: LoadRefusal, of app: AppSlug) {
        let isNew = last.updateValue(refusal, forKey: app) != refusal
        if !refusal.isUnwitnessed { showWaiting(0, app) }
        guard isNew else { return }
        if refusal.isUnwitnessed {
            showWaiting(1, app)
            logger.notice(
                "a snapshot waits for witnesses; what was served before stays",
                metadata: ["app.slug": "\(app)", "refusal.reason": "\(refusal)"]
            )
        } else {
            tell(refusal, of: app)
        }
    }

    /// Takes note that one of several origins lags while nothing is served.
    ///
    /// Another may bring what is newest at any moment, so it is told of only once that has lasted.
    mutating func note(older refusal: LoadRefusal, of app: AppSlug) {
        guard lagging[app] == nil else { return }
        lagging[app] = Lag(refusal: refusal, start: settings.now())
    }

    /// Tells of the apps of which nothing is served for a while, since all that came is older.
    mutating func tellOfLagging() {
        let end = settings.now().advanced(by: .zero - SnapshotLoader.patience)
        for (app, lag) in lagging where !lag.isTold && lag.start <= end {
            // What waits for witnesses is newer, and needs nobody to go back.
            guard last[app]?.isUnwitnessed != true else { continue }
            lagging[app]?.isTold = true
            tell(lag.refusal, of: app)
        }
    }

    private func tell(_ refusal: LoadRefusal, of app: AppSlug) {
        refusals.increment()
        logger.error(
            "snapshot refused",
            metadata: ["app.slug": "\(app)", "refusal.reason": "\(refusal)"]
        )
    }

    /// Shows whether a snapshot of the app waits for witnesses.
    func showWaiting(_ value: Int, _ app: AppSlug) {
        guard settings.quorum > 0 else { return }
        Gauge(label: "plimsoll.snapshot.waiting", dimensions: [("app", app.text)]).record(value)
    }
}

extension LoadRefusal {
    var isUnwitnessed: Bool {
        if case .unwitnessed = self { true } else { false }
    }
}
