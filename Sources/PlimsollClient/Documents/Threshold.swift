/// Which line of a document.
public enum ThresholdName: String, Hashable, Sendable, CaseIterable {
    /// Below it the app does not run on the system.
    case minimumOS
    /// Below it an update of the system is recommended.
    case recommendedOS
    /// Below it the app does not run.
    case minimumApp
    /// Below it an update of the app is recommended.
    case recommendedApp

    func member(on platform: Platform) -> String {
        switch (self, platform) {
        case (.minimumOS, .android): "minimumSDKVersion"
        case (.minimumOS, _): "minimumOSVersion"
        case (.recommendedOS, _): "recommendedOSVersion"
        case (.minimumApp, _): "minimumAppVersion"
        case (.recommendedApp, _): "recommendedAppVersion"
        }
    }
}

/// A line of a document, with the texts for those below it.
public struct Threshold: Hashable, Sendable {
    /// Whoever has an older version lies below; `nil` where nobody does.
    public let value: Version?
    /// By language tag, as the document writes it.
    public let titles: [String: String]
    /// By language tag, as the document writes it.
    public let descriptions: [String: String]
}
