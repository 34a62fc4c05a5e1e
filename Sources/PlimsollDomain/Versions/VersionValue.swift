/// How a platform writes its versions.
package enum VersionKind: Sendable {
    case dotted
    case integer

    package var grammar: String {
        switch self {
        case .dotted: AppleVersion.grammar
        case .integer: AndroidVersion.grammar
        }
    }
}

/// The value of a threshold.
package enum VersionValue: Hashable, Sendable {
    case dotted(AppleVersion)
    case integer(AndroidVersion)

    /// The first version there can be.
    static func first(_ kind: VersionKind) -> VersionValue {
        switch kind {
        case .dotted: .dotted(.first)
        case .integer: .integer(.first)
        }
    }

    package var kind: VersionKind {
        switch self {
        case .dotted: .dotted
        case .integer: .integer
        }
    }

    /// Whether a device on this version lies below the other; never for versions of two kinds.
    package func isOlder(than other: VersionValue) -> Bool {
        switch (self, other) {
        case (.dotted(let version), .dotted(let other)): version.isOlder(than: other)
        case (.integer(let version), .integer(let other)): version < other
        case (.dotted, .integer), (.integer, .dotted): false
        }
    }

    /// Equal for versions that are the same, however they are written, and in their order.
    package var comparable: [Int32] {
        switch self {
        case .dotted(let version): version.comparable
        case .integer(let version): [version.number]
        }
    }

    /// The version just below, if there is one.
    package var preceding: VersionValue? {
        switch self {
        case .dotted(let version): version.preceding.map(VersionValue.dotted)
        case .integer(let version): version.preceding.map(VersionValue.integer)
        }
    }

    /// Whether the value lies above nothing, which only a dotted `0` does not.
    package var holdsSomebodyBack: Bool {
        switch self {
        case .dotted(let version): AppleVersion.zero.isOlder(than: version)
        case .integer: true
        }
    }
}

extension VersionValue: CustomStringConvertible {
    package var description: String {
        switch self {
        case .dotted(let version): version.written
        case .integer(let version): String(version.number)
        }
    }
}
