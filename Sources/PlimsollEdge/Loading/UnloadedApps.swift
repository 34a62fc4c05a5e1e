package import Logging
package import PlimsollDomain

/// The apps that an edge is to serve, since their keys are trusted, and has nothing of.
///
/// Their addresses are 503, not 404: a cache that has a document then hands it out for as long as
/// `stale-if-error` says, and forgets it where it is told that there is none.
enum UnloadedApps: Equatable, Sendable {
    /// These; addresses without a name are known where an app has them.
    case these(Set<AppSlug>, hasDefault: Bool)
    /// Nobody has said yet which there are.
    case unknown

    static let none = Self.these([], hasDefault: false)

    var isEmpty: Bool {
        switch self {
        case .these(let apps, hasDefault: _): apps.isEmpty
        case .unknown: false
        }
    }

    /// Whether one of them may have a path that no app has which is loaded.
    func mayHave(_ path: String, onHostOfKey: Bool) -> Bool {
        if ServedMarketplace.wellKnown.contains(where: { $0.path == path }) { return !isEmpty }
        guard path.hasPrefix(Self.root) else { return false }
        guard case .these(let apps, let hasDefault) = self else { return true }
        let parts = path.dropFirst(Self.root.count).split(
            separator: "/",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        if let app = AppSlug(String(parts[0])), apps.contains(app) { return true }
        return parts.count == 1 && !apps.isEmpty && (onHostOfKey || !hasDefault)
    }

    static let root = "\(EdgeComposition.root)/"
}

/// The apps of which an edge serves nothing, and finds nothing where it looks.
///
/// One that is missing for a moment only is a publication that is still under way, or comes from
/// another origin.
package struct MissingApps: Sendable {
    private let now: @Sendable () -> ContinuousClock.Instant
    private var starts: [AppSlug: ContinuousClock.Instant] = [:]
    private var told: Set<AppSlug> = []

    package init(of loader: SnapshotLoader) { now = loader.now }

    /// Takes those that are missing at a look; the log is told once of each that stays so.
    ///
    /// Of those that could not be looked at it knows as much as before.
    package mutating func note(
        _ missing: Set<AppSlug>,
        unseen: Set<AppSlug> = [],
        to logger: Logger
    ) {
        let (now, kept) = (now(), missing.union(unseen))
        starts = starts.filter { kept.contains($0.key) }
        told.formIntersection(kept)
        for app in missing.sorted() {
            let start = starts[app] ?? now
            starts[app] = start
            guard start.duration(to: now) >= SnapshotLoader.patience, told.insert(app).inserted
            else { continue }
            logger.notice(
                "nothing is there of an app that is to be served",
                metadata: ["app.slug": "\(app)"]
            )
        }
    }
}
