/// The platforms that a document can be published for.
///
/// The raw value is how addresses and documents write it.
public enum Platform: String, Hashable, Sendable, CaseIterable {
    /// iOS and iPadOS: versions such as `3.2.0`.
    case ios
    /// macOS: versions such as `3.2.0`.
    case macos
    /// Android: API levels and version codes, which are whole numbers.
    case android

    /// The thresholds a document for this platform can have, in the order of their precedence
    /// in the document, not in a decision.
    public var thresholds: [ThresholdName] {
        switch self {
        case .ios, .macos: [.minimumOS, .recommendedOS, .minimumApp, .recommendedApp]
        case .android: [.minimumOS, .minimumApp, .recommendedApp]
        }
    }
}
