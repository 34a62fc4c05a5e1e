import PlimsollAPI
import PlimsollDomain

/// Devices that are worth a look, by what is live and which releases are known.
struct TypicalDevices {
    struct Device: Equatable {
        let kind: TypicalDevice.Kind
        let os: VersionValue
        let app: VersionValue
    }

    let all: [Device]
    /// One whose app is told something, where one is: an app below the minimum.
    let mostTelling: Device

    init(of lines: [BlameAnswer.Line], _ matrix: DeviceMatrix) {
        var values: [ThresholdName: VersionValue] = [:]
        for line in lines {
            if case .version(let value) = line.value, let name = line.field.threshold {
                values[name] = value
            }
        }
        self.init(of: values, releases: matrix.rows.map(\.version), matrix.systems, matrix.platform)
    }

    /// The releases and the systems are sorted, the oldest first.
    init(
        of values: [ThresholdName: VersionValue],
        releases: [VersionValue],
        _ systems: [VersionValue],
        _ platform: Platform
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
        all = [current, below, oldest].compactMap(\.self)
        mostTelling = below ?? current
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
