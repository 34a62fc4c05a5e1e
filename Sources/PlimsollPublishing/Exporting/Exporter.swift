import FoundationEssentials
package import Logging
import PlimsollDomain
package import PlimsollPostgres
package import PlimsollStore
import PlimsollSystem
import ServiceLifecycle

/// Publishes what the log has ordered: signs it, writes it, switches to it, and tells the log.
///
/// It wakes when something is entered into the order book, and by itself. Of all exporters of one
/// database only the holder of a lease works; the others wait for it. It never blocks anybody who
/// appends, and a failing app never blocks another one.
package struct Exporter: Service {
    private let book: PublicationQueue
    private let parts: ExporterParts
    private let intervals: ExporterIntervals

    /// What the exporter is doing now.
    package var state: ExporterState { parts.state.latest }

    package init(_ configuration: ExporterConfiguration, book: PublicationQueue, logger: Logger) {
        self.book = book
        intervals = configuration.intervals
        let publisher = SnapshotPublisher(configuration)
        parts = ExporterParts(
            publisher: publisher,
            sinks: configuration.sinks,
            logPublisher: configuration.log.map {
                LogPublisher(
                    $0,
                    configuration.folder,
                    lead: publisher.lead,
                    memory: configuration.memory
                )
            },
            retention: configuration.retention,
            state: SharedExporterState(),
            logger: logger,
            clocks: configuration.clocks,
            trustsClock: configuration.trustsClock
        )
    }

    package func run() async throws {
        let (wakes, waker) = book.listen()
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { keeping in
                let lead = parts.publisher.lead
                keeping.addTask(name: "exporter lease") {
                    // Cancellation is how it ends.
                    _ = try? await lead.keep()
                }
                await work(wakes, waker)
                keeping.cancelAll()
            }
            await parts.publisher.lead.release()
        } onGracefulShutdown: {
            // What is under way is finished first.
            waker.finish()
        }
    }

    private func work(
        _ wakes: AsyncStream<Void>,
        _ waker: AsyncStream<Void>.Continuation
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask(name: "exporter clock") { await tick(waker) }
            group.addTask(name: "exporter lag") { await showLag() }
            var shift = ExporterTerm(book, parts, intervals)
            for await _ in wakes {
                await shift.work(&group)
            }
            shift.end()
        }
    }

    private func tick(_ waker: AsyncStream<Void>.Continuation) async {
        // Cancellation is how it ends.
        _ = try? await cancelWhenGracefulShutdown {
            while true {
                waker.yield()
                try await Task.sleep(for: intervals.check)
            }
        }
    }

    private func showLag() async {
        // Cancellation is how it ends.
        _ = try? await cancelWhenGracefulShutdown {
            var lag = PublicationLag()
            while true {
                lag.show(book.latest, parts.publisher.lead.leader)
                try await Task.sleep(for: intervals.check)
            }
        }
    }
}

/// What an exporter works with.
package struct ExporterConfiguration: Sendable {
    package let folder: ExportFolder
    package let keys: SigningKeys
    /// Where the lease is; a session of its own is opened there.
    package let database: ConnectionString
    /// Whether no other instance can be at work there.
    package var isAlone = false
    /// For how long the log has said nothing to this instance: one whose connections are dead may have
    /// its lease, and hears of nothing to publish.
    package var silence: @Sendable () -> Duration = { .zero }
    package var lease = LeaseTerms()
    /// What this process knows of the log.
    package var memory: LogMemory?
    package let ledger: PublicationRecorder
    /// Told first, and waited for.
    package var readers: [LocalReader] = []
    /// Told in this order, after the directory; each has its own name.
    package var sinks: [any Sink] = []
    /// The transparency log beside the snapshots; `nil` publishes none.
    package var log: PublicLog?
    package var clocks: @Sendable () -> ClockReading = {
        ClockReading(wall: Instant(Date.now), uptime: .now)
    }
    /// Whether something may be ordered because of the time alone.
    package var trustsClock: @Sendable () -> Bool = { true }
    package var intervals = ExporterIntervals()
    /// How long snapshots are kept that are published no more.
    package var retention = SnapshotRetention()

    package init(
        folder: ExportFolder,
        keys: SigningKeys,
        database: ConnectionString,
        ledger: PublicationRecorder
    ) {
        self.folder = folder
        self.keys = keys
        self.database = database
        self.ledger = ledger
    }
}

/// How often the exporter does what nobody wakes it for.
package struct ExporterIntervals: Sendable {
    /// Sees whether this instance leads, failures can be tried again and renewals are due.
    package var check: Duration = .milliseconds(500)
    /// Reads and checks everything that is current, as if it had just started.
    package var scrub: Duration = .seconds(60)

    /// How long after a checkpoint the next one is published at the earliest.
    package var checkpoint: Duration = .seconds(1)

    package init() {}
}

extension SnapshotPublisher {
    init(_ configuration: ExporterConfiguration) {
        self.init(
            store: SnapshotStore(configuration.folder),
            keys: configuration.keys,
            disk: Disk(),
            lead: Leadership(
                .exporter,
                on: configuration.database,
                isAlone: configuration.isAlone,
                terms: configuration.lease,
                memory: configuration.memory
            ),
            ledger: configuration.ledger,
            readers: configuration.readers,
            log: configuration.log
        )
        if !configuration.isAlone { silence = configuration.silence }
    }
}

/// What all that publish have in common.
struct ExporterParts: Sendable {
    let publisher: SnapshotPublisher
    let sinks: [any Sink]
    let logPublisher: LogPublisher?
    let proofs = LatestProofs()
    let retention: SnapshotRetention
    let state: SharedExporterState
    let logger: Logger
    let clocks: @Sendable () -> ClockReading
    let trustsClock: @Sendable () -> Bool

    /// After a renewal was ordered, how long until the next may be: a clock that is wrong must not
    /// fill the log.
    static let renewalInterval: Duration = .seconds(5)
    /// The same after one that could not be ordered.
    static let renewalRetryInterval: Duration = .seconds(60)
}

/// How long to wait after failures in a row: ever longer, and never two alike.
struct Backoff: Sendable {
    /// After the first failure.
    static let initialDelay: Duration = .seconds(1)
    /// After many: a human may be mending something, and should not have to wait long.
    static let delayMaximum: Duration = .seconds(60)

    private var failures = 0

    /// Counts a failure and says how long to wait: half of the step for sure, the rest by chance,
    /// so that several who failed together do not return together.
    mutating func fail(chance: Double = .random(in: 0...1)) -> Duration {
        let step = min(Self.initialDelay * (1 << min(failures, 16)), Self.delayMaximum)
        failures += 1
        return step / 2 + step / 2 * chance
    }

    mutating func succeed() {
        failures = 0
    }
}
