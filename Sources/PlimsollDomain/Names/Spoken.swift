// The names by which people call things.

extension Platform {
    package var name: String {
        switch self {
        case .android: "Android"
        case .ios: "iOS"
        case .jvm: "JVM"
        case .macos: "macOS"
        }
    }
}

extension ThresholdName {
    package var name: String {
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
    package var name: String {
        switch subject {
        case .offers: "\(platform.name) offers"
        case .legacy: "\(platform.name) legacy offer"
        case .packages: "\(platform.name) packages"
        case .threshold(let name, .value): "\(platform.name) \(name.name)"
        case .threshold(let name, .text(let part, let language)):
            "\(platform.name) \(name.name) \(part.rawValue) (\(language))"
        }
    }
}
