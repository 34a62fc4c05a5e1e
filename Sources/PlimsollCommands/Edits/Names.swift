import PlimsollDomain

// The names by which people call things.

extension Platform {
    var name: String {
        switch self {
        case .android: "Android"
        case .ios: "iOS"
        case .jvm: "JVM"
        case .macos: "macOS"
        }
    }
}

extension ThresholdName {
    var name: String {
        switch self {
        case .minimumOS: "minimum OS"
        case .recommendedOS: "recommended OS"
        case .minimumApp: "minimum app"
        case .recommendedApp: "recommended app"
        }
    }
}

extension Field {
    /// Such as `iOS minimum app description (en-GB)`.
    var name: String {
        let threshold = "\(platform.name) \(threshold.name)"
        return switch part {
        case .value: threshold
        case .text(let part, let language): "\(threshold) \(part.rawValue) (\(language))"
        }
    }
}
