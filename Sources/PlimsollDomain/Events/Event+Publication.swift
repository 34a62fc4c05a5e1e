extension RecordedEvent {
    /// The app whose documents have to be published because of this event, if there is one.
    ///
    /// Whether other settings do is told by those before them: ``SettingsEffect``. What is said of
    /// releases during a freeze waits for its end: ``ReleasesTold``.
    package var ordersPublication: AppSlug? {
        switch (stream, event) {
        case (_, .change(.changeApplied(let app, _))), (_, .change(.changeEnded(let app))): app
        case (_, .key(.keyActivated(_, let app))), (_, .key(.keyRetired(_, let app))),
            (_, .key(.keyCompromised(_, let app))):
            app
        case (.app(let app), .app(.rolledBack)), (.app(let app), .app(.renewalOrdered)): app
        // Offers are derived from them.
        case (.app(let app), .app(.releaseRegistered)), (.app(let app), .app(.releaseAmended)),
            (.app(let app), .app(.releaseWithdrawn)):
            app
        default: nil
        }
    }
}
