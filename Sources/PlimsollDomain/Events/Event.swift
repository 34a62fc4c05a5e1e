/// A fact.
///
/// The names of the cases *are* the storage format: past tense, never renamed; when a shape grows
/// its shape version rises, and old shapes are read for ever.
package enum Event: Equatable, Sendable {
    case app(AppEvent)
    case change(ChangeEvent)
    case access(AccessEvent)
    case key(KeyEvent)
    case service(ServiceEvent)
    case export(ExportEvent)
    case webhook(WebhookEvent)
}

extension Event {
    /// Whether the event may stand in the stream; a log in which it does not has been tampered with.
    package func belongs(in stream: StreamName) -> Bool {
        switch (stream, self) {
        case (.app, .app), (.change, .change), (.access, .access), (.keys, .key),
            (.service, .service), (.export, .export), (.webhooks, .webhook):
            true
        case (.app, _), (.change, _), (.access, _), (.keys, _), (.service, _), (.export, _),
            (.webhooks, _):
            false
        }
    }
}

extension Event {
    /// What it says of freezes, of an app or of everything.
    package var freeze: FreezeEvent? {
        switch self {
        case .app(.freeze(let event)), .service(.freeze(let event)): event
        case .app, .change, .access, .key, .service, .export, .webhook: nil
        }
    }
}

extension RecordedEvent {
    /// The app whose documents have to be published because of this event, if there is one.
    ///
    /// Whether other settings do is told by those before them: ``SettingsEffect``. What is said of
    /// releases during a freeze waits for its end: ``ReleasesTold``.
    package var ordersPublication: AppSlug? { event.told.publishes(in: stream) }
}

extension RecordedEvent {
    /// The settings that it brings an app, if it does.
    package var settings: AppSettings? {
        switch event {
        case .app(.appRegistered(let settings)), .app(.appSettingsChanged(let settings)): settings
        case .app, .change, .access, .key, .service, .export, .webhook: nil
        }
    }
}
