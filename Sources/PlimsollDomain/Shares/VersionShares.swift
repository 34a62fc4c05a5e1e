/// How many devices were counted with which versions, on one platform.
package struct VersionShares: Equatable, Sendable {
    package let rows: [Row]

    /// As many as an event holds, whatever stands in them.
    package static let rowsMaximum = 512

    /// The devices with one version of the app, on one version of the system.
    package struct Row: Hashable, Sendable {
        package let app: VersionValue
        /// `nil` where the systems were not told apart.
        package let system: VersionValue?
        package let devices: Int64

        /// More than there are, and few enough to be added up.
        package static let devicesMaximum: Int64 = 1_000_000_000_000

        package init(app: VersionValue, system: VersionValue?, devices: Int64) {
            self.app = app
            self.system = system
            self.devices = devices
        }
    }

    package init(rows: [Row]) {
        self.rows = rows
    }

    package var devices: Int64 { rows.reduce(0) { $0 + $1.devices } }

    /// How many of the devices a predicate holds for.
    func count(where isMeant: (Row) -> Bool) -> Int64 {
        rows.reduce(0) { isMeant($1) ? $0 + $1.devices : $0 }
    }
}

extension Document {
    /// Whether the app does not run on such devices, as far as their system is known: a minimum
    /// holds them back, or the platform's own offers require an update of them.
    ///
    /// Offers that are derived require nothing that the minimum does not.
    func blocks(_ row: VersionShares.Row) -> Bool {
        isBelow(row.app, .minimumApp) || (row.system.map { isBelow($0, .minimumOS) } ?? false)
            || offersRequireUpdate(of: OfferedDevice(app: row.app, system: row.system))
    }

    private func offersRequireUpdate(of device: OfferedDevice) -> Bool {
        offers.place(selectedOn: device).map { offers[$0].verdict(on: device) } == .updateRequired
    }

    private func isBelow(_ version: VersionValue, _ name: ThresholdName) -> Bool {
        self[name].value.map { version.isOlder(than: $0) } ?? false
    }
}
