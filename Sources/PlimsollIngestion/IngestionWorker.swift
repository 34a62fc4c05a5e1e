package import Logging
import Metrics
package import PlimsollDomain
import ServiceLifecycle

/// A package that Apple announced and nobody has fetched yet.
package struct AwaitedPackage: Hashable, Sendable {
    package let app: AppSlug
    package let id: PackageID
    package let version: PackageID
    /// The AppleItemIDs under which marketplaces list the app.
    package let items: Set<AppleItemID>

    package init(app: AppSlug, id: PackageID, version: PackageID, items: Set<AppleItemID>) {
        (self.app, self.id, self.version, self.items) = (app, id, version, items)
    }
}

/// What the worker needs of the service around it.
package struct IngestionParts: Sendable {
    package var awaited: @Sendable () -> [AwaitedPackage]
    /// Something at once, and whenever the record has grown.
    package var growth: @Sendable () -> AsyncStream<Position>
    package var fetch: @Sendable (AwaitedPackage) async throws -> IngestedPackage
    /// Makes the package known.
    package var record: @Sendable (IngestedPackage, AwaitedPackage) async throws -> Void
    package var logger: Logger

    package init(
        awaited: @escaping @Sendable () -> [AwaitedPackage],
        growth: @escaping @Sendable () -> AsyncStream<Position>,
        fetch: @escaping @Sendable (AwaitedPackage) async throws -> IngestedPackage,
        record: @escaping @Sendable (IngestedPackage, AwaitedPackage) async throws -> Void,
        logger: Logger
    ) {
        (self.awaited, self.growth, self.fetch) = (awaited, growth, fetch)
        (self.record, self.logger) = (record, logger)
    }
}

/// Fetches what Apple announced, one package after another, and makes it known.
///
/// One of all instances runs it. Of two that share a folder all the same, as where somebody fetches
/// by hand, one holds the package's lock, and the other tries again later, when there is nothing
/// left to do.
package struct IngestionWorker: Service {
    private let parts: IngestionParts

    package static let delay = Duration.seconds(15)
    package static let delayMaximum = Duration.seconds(3600)

    package init(_ parts: IngestionParts) { self.parts = parts }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            var postponed: [AwaitedPackage: Postponement] = [:]
            while !Task.isCancelled {
                let awaited = parts.awaited()
                postponed = postponed.filter { awaited.contains($0.key) }
                let next = awaited.first { postponed[$0]?.isOver ?? true }
                if let next {
                    await ingest(next, &postponed)
                } else {
                    let retry = postponed.values.compactMap(\.until).min()
                    await wait(until: retry, havingSeen: awaited)
                }
            }
        }
    }

    struct Postponement {
        var attempts = 0
        /// What failed last, and how often in a row.
        var failure: IngestionFailure?
        var repeats = 0
        /// `nil` where it is given up.
        var until: ContinuousClock.Instant? = .now

        var isOver: Bool { until.map { $0 <= .now } ?? false }
    }

    private func ingest(
        _ package: AwaitedPackage,
        _ postponed: inout [AwaitedPackage: Postponement]
    ) async {
        let metadata: Logger.Metadata = [
            "app": "\(package.app)", "package": "\(package.id)", "version": "\(package.version)",
        ]
        do {
            let ingested = try await parts.fetch(package)
            try await parts.record(ingested, package)
            Counter(label: "plimsoll.packages.ingested").increment()
            parts.logger.notice("a package was fetched", metadata: metadata)
            postponed[package] = (postponed[package] ?? Postponement()).after(nil)
        } catch {
            let next = (postponed[package] ?? Postponement()).after(error)
            postponed[package] = next
            guard !Task.isCancelled else { return }
            Counter(label: "plimsoll.packages.failed").increment()
            parts.logger.log(
                level: next.until == nil ? .error : .warning,
                next.until == nil ? "a package is given up" : "a package could not be fetched",
                metadata: metadata.merging(["error": "\(error)"]) { $1 }
            )
        }
    }

    /// Returns when something else is awaited, or something is to be tried again.
    private func wait(
        until instant: ContinuousClock.Instant?,
        havingSeen awaited: [AwaitedPackage]
    ) async {
        await withTaskGroup { group in
            group.addTask(name: "ingestion growth") {
                for await _ in parts.growth() where parts.awaited() != awaited { return }
            }
            if let instant {
                // A cancelled sleep is the end of the wait as well.
                group.addTask(name: "ingestion retry") { _ = try? await Task.sleep(until: instant) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

extension IngestionWorker.Postponement {
    /// What was tried once more steps aside twice as long; what failed in the same way too often is
    /// given up.
    func after(_ error: (any Error)?) -> Self {
        let failure = error as? IngestionFailure
        let repeats = failure == self.failure ? self.repeats + 1 : 1
        let isGivenUp = failure?.attemptsMaximum.map { repeats >= $0 } ?? false
        let delay = IngestionWorker.delay * (1 << min(attempts, 10))
        return Self(
            attempts: attempts + 1,
            failure: failure,
            repeats: repeats,
            until: isGivenUp ? nil : .now + min(delay, IngestionWorker.delayMaximum)
        )
    }
}
