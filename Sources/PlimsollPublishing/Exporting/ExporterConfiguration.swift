import FoundationEssentials
import PlimsollDomain
package import PlimsollPostgres

/// What an exporter works with.
package struct ExporterConfiguration: Sendable {
    package let folder: ExportFolder
    package let keys: SigningKeys
    /// Where the lock is; a session of its own is opened there.
    package let database: ConnectionString
    package let ledger: Ledger
    /// Told first, and waited for.
    package var readers: [LocalReader] = []
    /// Told in this order, after the directory; each has its own name.
    package var sinks: [any Sink] = []
    /// The transparency log beside the snapshots; `nil` publishes none.
    package var log: PublicLog?
    package var clocks: @Sendable () -> ClockReading = {
        ClockReading(wall: Instant(Date.now), uptime: .now)
    }
    package var intervals = ExporterIntervals()

    package init(
        folder: ExportFolder,
        keys: SigningKeys,
        database: ConnectionString,
        ledger: Ledger
    ) {
        self.folder = folder
        self.keys = keys
        self.database = database
        self.ledger = ledger
    }
}

/// How often the exporter does what nobody wakes it for.
package struct ExporterIntervals: Sendable {
    /// Sees whether the lock is held, failures can be tried again and renewals are due.
    package var check: Duration = .seconds(1)
    /// Reads and checks everything that is current, as if it had just started.
    package var patrol: Duration = .seconds(60)

    /// How long after a checkpoint the next one is published at the earliest.
    package var checkpoint: Duration = .seconds(1)

    package init() {}
}

extension Press {
    init(_ configuration: ExporterConfiguration) {
        self.init(
            store: SnapshotStore(configuration.folder),
            keys: configuration.keys,
            disk: Disk(),
            lock: .ofExporter(on: configuration.database),
            ledger: configuration.ledger,
            readers: configuration.readers,
            checkpoints: configuration.log?.checkpoints
        )
    }
}
