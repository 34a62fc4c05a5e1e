/// What an app runs on.
package enum Platform: String, Hashable, CaseIterable, Sendable {
    case android
    case ios
    /// Served with Prince of Versions only: there is no availability document for it.
    case jvm
    case macos

    /// The thresholds that an availability document of this platform has, in document order.
    package var thresholds: [ThresholdName] {
        switch self {
        case .ios, .macos: [.minimumOS, .recommendedOS, .minimumApp, .recommendedApp]
        case .android: [.minimumOS, .minimumApp, .recommendedApp]
        case .jvm: []
        }
    }

    package var versionKind: VersionKind {
        switch self {
        case .ios, .macos, .jvm: .dotted
        case .android: .integer
        }
    }
}

extension Platform: Comparable {
    package static func < (left: Platform, right: Platform) -> Bool {
        left.rawValue < right.rawValue
    }
}
