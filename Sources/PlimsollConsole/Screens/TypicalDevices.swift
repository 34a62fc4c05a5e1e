import PlimsollAPI
import PlimsollDomain

/// Devices that are worth a look, by what is live and which releases are known.
struct TypicalDevices {
    struct Device: Equatable {
        let kind: Kind
        let os: VersionValue
        let app: VersionValue
    }

    /// Why it is worth one.
    enum Kind: String {
        /// It is told something else in the second of two states.
        case moving
        /// Everything on it is as new as can be.
        case current
        /// Its app is the newest below the minimum.
        case belowMinimum
        /// Its system lies just below the minimum.
        case oldestSystem
    }

    let all: [Device]
    /// One that is told something, or something else than before, where there is one.
    let mostTelling: Device

    init(of lines: [BlameAnswer.Line], _ matrix: DeviceMatrix) {
        var values: [ThresholdName: VersionValue] = [:]
        for line in lines {
            if case .version(let value) = line.value, let name = line.field.threshold {
                values[name] = value
            }
        }
        self.init(
            of: values,
            releases: matrix.rows.map(\.version),
            matrix.systems,
            matrix.platform,
            moved: Self.moved(in: matrix)
        )
    }

    /// The newest release that is told something else in the second state, on the newest system.
    private static func moved(in matrix: DeviceMatrix) -> (os: VersionValue, app: VersionValue)? {
        for row in matrix.rows.reversed() {
            let cells = zip(matrix.systems, row.cells).reversed()
            if let (os, _) = cells.first(where: { $0.1?.isMoved ?? false }) {
                return (os, row.version)
            }
        }
        return nil
    }

    /// The releases and the systems are sorted, the oldest first.
    init(
        of values: [ThresholdName: VersionValue],
        releases: [VersionValue],
        _ systems: [VersionValue],
        _ platform: Platform,
        moved: (os: VersionValue, app: VersionValue)? = nil
    ) {
        let os =
            [systems.last, values[.recommendedOS], values[.minimumOS]].newest
            ?? .first(of: platform.systemKind)
        let app =
            [releases.last, values[.recommendedApp], values[.minimumApp]].newest
            ?? .first(of: platform.versionKind)
        let current = Device(kind: .current, os: os, app: app)
        let oldApp = values[.minimumApp].flatMap { minimum in
            releases.last { $0.isOlder(than: minimum) } ?? minimum.preceding
        }
        let below = oldApp.map { Device(kind: .belowMinimum, os: os, app: $0) }
        let oldest = values[.minimumOS]?.preceding.map {
            Device(kind: .oldestSystem, os: $0, app: app)
        }
        let moving = moved.map { Device(kind: .moving, os: $0.os, app: $0.app) }
        all = [moving, current, below, oldest].compactMap(\.self)
        mostTelling = moving ?? below ?? current
    }
}

extension [VersionValue?] {
    fileprivate var newest: VersionValue? {
        compactMap(\.self).max { $0.isOlder(than: $1) }
    }
}

extension VersionValue {
    /// The first version there can be.
    fileprivate static func first(of kind: VersionKind) -> VersionValue {
        guard let first = VersionValue(text: "1", kind) else {
            preconditionFailure("1 is a version of every kind")
        }
        return first
    }
}
