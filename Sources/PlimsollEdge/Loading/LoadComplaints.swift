import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain

/// Why newer snapshots of apps are not served; the log is told of each refusal only once, however
/// often a poll comes upon it.
struct LoadComplaints {
    private let settings: SnapshotLoader.Settings
    private let logger: Logger
    private let refusals = Counter(label: "plimsoll.snapshots.refused")
    /// What was refused of each app since something of it was served, the newest last.
    ///
    /// Of several origins each may have something else, in turns; of one only the last counts.
    private var refused: [AppSlug: [LoadRefusal]] = [:]
    /// Which proofs of each app were refused and why, the newest last.
    private var refusedProofs: [AppSlug: [ProofRefusal]] = [:]
    /// The first snapshot of each app that was older than what was served before, while nothing is.
    private var lagging: [AppSlug: Lag] = [:]

    private static let refusedMaximum = 16

    private struct ProofRefusal: Equatable {
        let sequence: SnapshotSequence
        let reason: String
    }

    private struct Lag {
        let refusal: LoadRefusal
        let start: ContinuousClock.Instant
        var isTold = false
    }

    init(_ settings: SnapshotLoader.Settings, logger: Logger) {
        (self.settings, self.logger) = (settings, logger)
    }

    var apps: [AppSlug] { refused.keys.sorted() }

    /// Why the app's newest snapshot waits for witnesses; `nil` where none does.
    func wait(of app: AppSlug) -> LoadRefusal? { refused[app]?.last(where: \.isUnwitnessed) }

    /// Takes note of what is served of the app.
    ///
    /// Of several origins one may have something newer that waits. What else was refused stays known
    /// until something newer is served: it lies at its origin, and is come upon again.
    mutating func clear(_ app: AppSlug, serving sequence: SnapshotSequence, isNew: Bool) {
        lagging[app] = nil
        refused[app] = refused[app].flatMap { refused in
            guard settings.hasSeveralOrigins else { return nil }
            let known = refused.filter { refusal in
                refusal.isUnwitnessed ? refusal.isWait(after: sequence) : !isNew
            }
            return known.isEmpty ? nil : known
        }
        showWaiting(app)
    }

    /// What no quorum has seen is no fault, and is looked at again when its proof is another one.
    ///
    /// What one origin has that is damaged says nothing of what waits at another.
    mutating func make(_ refusal: LoadRefusal, of app: AppSlug) {
        let before = refused[app] ?? []
        let others = settings.hasSeveralOrigins ? before.filter { $0 != refusal } : []
        refused[app] = others.suffix(Self.refusedMaximum - 1) + [refusal]
        showWaiting(app)
        guard !before.contains(refusal) else { return }
        if refusal.isUnwitnessed {
            logger.notice(
                "a snapshot waits for witnesses; what was served before stays",
                metadata: ["app.slug": "\(app)", "refusal.reason": "\(refusal)"]
            )
        } else {
            tell(refusal, of: app)
        }
    }

    /// Tells of a proof that is refused, which lies at its origin and is come upon again.
    mutating func make(refusedProof reason: String, of manifest: VerifiedManifest) {
        let (app, sequence) = (manifest.manifest.app, manifest.manifest.sequence)
        let refusal = ProofRefusal(sequence: sequence, reason: reason)
        let before = refusedProofs[app] ?? []
        let others = settings.hasSeveralOrigins ? before.filter { $0 != refusal } : []
        refusedProofs[app] = others.suffix(Self.refusedMaximum - 1) + [refusal]
        guard !before.contains(refusal) else { return }
        logger.error("proof refused", metadata: manifest.metadata(refused: reason))
    }

    /// Takes note that a proof is as it should be; that of another origin may still be none.
    mutating func clearProofs(of app: AppSlug) {
        if !settings.hasSeveralOrigins { refusedProofs[app] = nil }
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
            guard wait(of: app) == nil else { continue }
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

    private func showWaiting(_ app: AppSlug) {
        guard settings.quorum > 0 else { return }
        Gauge(label: "plimsoll.snapshot.waiting", dimensions: [("app", app.text)])
            .record(wait(of: app) == nil ? 0 : 1)
    }
}

extension LoadRefusal {
    var isUnwitnessed: Bool {
        if case .unwitnessed = self { true } else { false }
    }

    /// Whether what waits for witnesses is newer than that.
    func isWait(after sequence: SnapshotSequence) -> Bool {
        if case .unwitnessed(let found, _, _) = self { found > sequence } else { false }
    }
}
