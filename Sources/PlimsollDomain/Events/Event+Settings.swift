extension RecordedEvent {
    /// The settings that it brings an app, if it does.
    package var settings: AppSettings? {
        switch event {
        case .app(.appRegistered(let settings)), .app(.appSettingsChanged(let settings)): settings
        case .app, .change, .access, .key, .service, .export, .webhook: nil
        }
    }
}
