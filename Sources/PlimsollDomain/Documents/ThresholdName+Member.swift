extension ThresholdName {
    /// The member of an availability document that holds this threshold.
    package func member(on platform: Platform) -> String {
        switch (self, platform) {
        case (.minimumOS, .android): "minimumSDKVersion"
        case (.minimumOS, _): "minimumOSVersion"
        case (.recommendedOS, _): "recommendedOSVersion"
        case (.minimumApp, _): "minimumAppVersion"
        case (.recommendedApp, _): "recommendedAppVersion"
        }
    }
}
