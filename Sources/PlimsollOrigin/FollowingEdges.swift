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
    private struct Entry {
        var report: EdgeReport
        var heardAt: ContinuousClock.Instant
    }

    /// Twice the time after which each says something anyway.
    static let silentAfter = Duration.seconds(30)
    /// Whoever was away for so long is gone.
    static let goneAfter = Duration.seconds(600)
    private static let maximum = 4096

    package let name: String
    private let entries = Mutex<[EdgeID: Entry]>([:])

    package init(name: String) { self.name = name }

    package func take(_ report: EdgeReport, of edge: EdgeID, at now: ContinuousClock.Instant) {
        entries.withLock { entries in
            entries = entries.filter { now - $0.value.heardAt < Self.goneAfter }
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
        }
        let reports = known.map(\.report).sorted { $0.name < $1.name }
        let silent = known.filter { now - $0.heardAt > Self.silentAfter }.map(\.report.name)
        return EdgeReport(
            name: name,
            serves: serves,
            edges: min(1_000_000, reports.reduce(1) { $0 + $1.edges }),
            depth: min(1_000_000, 1 + (reports.map(\.depth).max() ?? 0)),
            lagging: Array(
                reports.flatMap { $0.lags(behind: serves) }.prefix(EdgeReport.namedMaximum)
            ),
            silent: Array(
                (silent.sorted() + reports.flatMap(\.silent)).prefix(EdgeReport.namedMaximum)
            )
        )
    }
}

extension EdgeReport {
    /// Who lags, itself and below it, where the edge above serves these.
    fileprivate func lags(behind above: [AppSlug: SnapshotSequence?]) -> [Lag] {
        let own = serves.sorted { $0.key < $1.key }.compactMap { app, served -> Lag? in
            guard let newest = above[app] ?? nil, served.map({ $0 < newest }) ?? true
            else { return nil }
            return Lag(path: [name], app: app, sequence: served)
        }
        return own
            + lagging.map { Lag(path: [name] + $0.path, app: $0.app, sequence: $0.sequence) }
    }
}
