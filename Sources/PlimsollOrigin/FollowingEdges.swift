import Foundation
package import PlimsollAPI
package import PlimsollDomain
import Synchronization

/// Which edge speaks: a name that it draws at its start.
package struct EdgeID: Hashable, Sendable {
    private let id: UUID

    package init() { id = UUID() }

    package init?(_ text: String) {
        guard let id = UUID(uuidString: text) else { return nil }
        self.id = id
    }

    package var text: String { id.uuidString.lowercased() }
}

/// The edges that follow this one, as they last said of themselves.
package final class FollowingEdges: Sendable {
    fileprivate struct Entry {
        var report: EdgeReport
        var heardAt: ContinuousClock.Instant
    }

    /// Twice the time after which each says something anyway.
    static let silentAfter = Duration.seconds(30)
    /// Whoever was away for so long is gone.
    static let goneAfter = Duration.seconds(600)
    /// More than can follow one edge.
    private static let maximum = 1024
    /// Levels that nobody has; edges that follow each other in a circle have ever more.
    private static let depthMaximum = 16

    package let name: String
    private let entries = Mutex<[EdgeID: Entry]>([:])

    package init(name: String) { self.name = name }

    /// Takes what an edge that follows says; of the apps that are served here, which are `serves`.
    package func take(
        _ report: EdgeReport,
        of edge: EdgeID,
        at now: ContinuousClock.Instant,
        serving serves: [AppSlug: SnapshotSequence]
    ) {
        guard report.depth < Self.depthMaximum else { return }
        let report = report.limited { serves[$0] != nil }
        entries.withLock { entries in
            entries.makeRoom(for: report.name, at: now)
            guard entries[edge] != nil || entries.count < Self.maximum else { return }
            entries[edge] = Entry(report: report, heardAt: now)
        }
    }

    /// What this edge says of itself and of all below it.
    package func summary(
        serving serves: [AppSlug: SnapshotSequence?],
        at now: ContinuousClock.Instant = .now
    ) -> EdgeReport {
        let known = entries.withLock { entries in
            entries.values.filter { now - $0.heardAt < Self.goneAfter }
        }.sorted { $0.report.name < $1.report.name }
        let newest = serves.compactMapValues(\.self)
        let named = EdgeReport.namedMaximum
        var (lagging, silent): ([EdgeReport.Lag], [String]) = ([], [])
        for entry in known {
            if lagging.count < named { lagging += entry.report.lags(behind: newest) }
            if entry.isSilent(at: now) { silent.append(entry.report.name) }
            if silent.count < named { silent += entry.report.silent }
        }
        return EdgeReport(
            name: name,
            serves: serves,
            edges: min(1_000_000, known.reduce(1) { $0 + $1.report.edges }),
            depth: 1 + (known.map(\.report.depth).max() ?? 0),
            lagging: Array(lagging.prefix(named)),
            silent: Array(silent.prefix(named))
        )
    }
}

extension FollowingEdges.Entry {
    fileprivate func isSilent(at now: ContinuousClock.Instant) -> Bool {
        now - heardAt > FollowingEdges.silentAfter
    }
}

extension [EdgeID: FollowingEdges.Entry] {
    /// Whoever is gone, and whoever was silent by the name that is heard now: it was started anew.
    fileprivate mutating func makeRoom(for name: String, at now: ContinuousClock.Instant) {
        self = filter { _, entry in
            now - entry.heardAt < FollowingEdges.goneAfter
                && !(entry.report.name == name && entry.isSilent(at: now))
        }
    }
}

extension EdgeReport {
    /// Who lags, itself and below it, where the edge above serves these.
    fileprivate func lags(behind newest: [AppSlug: SnapshotSequence]) -> [Lag] {
        let own = serves.sorted { $0.key < $1.key }.compactMap { app, served -> Lag? in
            guard let newest = newest[app], served.map({ $0 < newest }) ?? true
            else { return nil }
            return Lag(path: [name], app: app, sequence: served)
        }
        return own
            + lagging.map { Lag(path: [name] + $0.path, app: $0.app, sequence: $0.sequence) }
    }
}
