/// What happens to the service as a whole, on the stream `service`.
package enum ServiceEvent: Equatable, Sendable {
    case defaultAppChosen(AppSlug)
    /// The policy of every app that has none of its own.
    case defaultPolicyChanged(Policy)
    /// Of every app.
    indirect case freeze(FreezeEvent)
    /// What Apple told a marketplace that leads to nothing yet.
    indirect case notificationKept(AppleNotification)
    /// Those that waited for a marketplace to list an app wait no more: what each of them is called.
    case notificationsDropped(marketplace: AppleItemID, app: AppleItemID)
    /// What is kept of an account that installs from marketplaces is to be erased; the log never knows
    /// which.
    case accountForgotten
    case entryKey(EntryKeyEvent)
}

/// What happened outside the log, told back to it, on the stream `export/{app}`.
package enum ExportEvent: Equatable, Sendable {
    case snapshotPublished(PublicationRecord)
    case publicationFailed(sequence: SnapshotSequence, cause: String)
}

/// What happens to the places that events are sent to, on the stream `webhooks`.
package enum WebhookEvent: Equatable, Sendable {
    case webhookRegistered(WebhookID, WebhookSettings, WebhookKeyID)
    /// The secret before it signs as well until then, so that receivers can change over; those
    /// before that until they were said to end.
    case webhookSecretRotated(WebhookID, WebhookKeyID, previousUntil: Instant)
    /// The cause is told where the service gave up; whoever does it by hand gives a reason.
    case webhookDisabled(WebhookID, cause: String?)
    case webhookEnabled(WebhookID)
    /// What was sent of these positions is to be sent once more.
    case webhookReplayOrdered(WebhookID, since: Position, until: Position)
    case webhookRemoved(WebhookID)

    package var webhook: WebhookID {
        switch self {
        case .webhookRegistered(let id, _, _), .webhookSecretRotated(let id, _, _),
            .webhookDisabled(let id, _), .webhookEnabled(let id),
            .webhookReplayOrdered(let id, _, _), .webhookRemoved(let id):
            id
        }
    }
}

extension ServiceEvent: EventOfStream {
    var event: Event { .service(self) }

    var told: any ToldEvent {
        switch self {
        case .defaultAppChosen(let app): ServiceEvents.defaultAppChosen(app)
        case .defaultPolicyChanged(let policy): ServiceEvents.defaultPolicyChanged(policy)
        case .freeze(let event): event.told(.ofEverything)
        case .notificationKept(let notification): ServiceEvents.notificationKept(notification)
        case .notificationsDropped(let marketplace, let app):
            ServiceEvents.notificationsDropped(marketplace, app)
        case .accountForgotten: ServiceEvents.accountForgotten()
        case .entryKey(.added(let key)): ServiceEvents.entryKeyAdded(key)
        case .entryKey(.retired(let key)): ServiceEvents.entryKeyRetired(key)
        }
    }
}

/// The events of the service as a whole, each declared once.
enum ServiceEvents {
    static let defaultAppChosen = Declared(.defaultAppChosen, ServiceEvent.defaultAppChosen, .app) {
        about,
        app in
        "\(app) is the default app" + (about.before.map { " in place of \($0)" } ?? "")
    }
    .replacing { .defaultApp($0) }

    static let defaultPolicyChanged = Declared(
        .defaultPolicyChanged,
        shape: Policy.shape,
        ServiceEvent.defaultPolicyChanged,
        Members("policy", .object(.policy))
    ) { about, _ in "The default policy of all apps changed" + about.tail }
    .replacing { .defaultPolicy($0) }

    static let notificationKept = Declared(
        .notificationKept,
        ServiceEvent.notificationKept,
        Members("notification", .notification)
    ) { "Notification from Apple kept: \($1.whyKept)" }

    static let notificationsDropped = Declared(
        .notificationsDropped,
        { ServiceEvent.notificationsDropped(marketplace: $0, app: $1) },
        Members("marketplace", .item),
        Members("item", .item)
    ) { "Notifications from Apple of app \($2) in marketplace \($1) dropped" }

    static let accountForgotten = Declared(.accountForgotten, { ServiceEvent.accountForgotten }) {
        _ in "What was kept of an account that installs from marketplaces erased"
    }

    static let entryKeyAdded = Declared(
        .entryKeyAdded,
        { ServiceEvent.entryKey(.added($0)) },
        .entryKey
    ) { "Entries of the log are authenticated with key \($1)" }

    static let entryKeyRetired = Declared(
        .entryKeyRetired,
        { ServiceEvent.entryKey(.retired($0)) },
        .entryKey
    ) { "Key \($1) authenticates no further entries of the log" }
}

extension ExportEvent: EventOfStream {
    var event: Event { .export(self) }

    var told: any ToldEvent {
        switch self {
        case .snapshotPublished(let record): ExportEvents.snapshotPublished(record)
        case .publicationFailed(let sequence, let cause):
            ExportEvents.publicationFailed(sequence, cause)
        }
    }
}

/// What happened outside the log, each declared once.
enum ExportEvents {
    static let snapshotPublished = Declared(
        .snapshotPublished,
        ExportEvent.snapshotPublished,
        .publication
    ) { "Snapshot \($1.sequence) of \($0.subject) published" }

    static let publicationFailed = Declared(
        .publicationFailed,
        ExportEvent.publicationFailed,
        .sequence,
        Members("cause", .text)
    ) { "Snapshot \($1) of \($0.subject) not published: \($2)" }
}

extension WebhookEvent: EventOfStream {
    var event: Event { .webhook(self) }

    var told: any ToldEvent {
        switch self {
        case .webhookRegistered(let id, let settings, let key):
            WebhookEvents.webhookRegistered(id, settings, key)
        case .webhookSecretRotated(let id, let key, let previousUntil):
            WebhookEvents.webhookSecretRotated(id, key, previousUntil)
        case .webhookDisabled(let id, let cause): WebhookEvents.webhookDisabled(id, cause)
        case .webhookEnabled(let id): WebhookEvents.webhookEnabled(id)
        case .webhookReplayOrdered(let id, let since, let until):
            WebhookEvents.webhookReplayOrdered(id, since, until)
        case .webhookRemoved(let id): WebhookEvents.webhookRemoved(id)
        }
    }
}

/// The events of the places that events are sent to, each declared once.
enum WebhookEvents {
    // 2: `format`, `grouped` and `names`.
    static let webhookRegistered = Declared(
        .webhookRegistered,
        shape: 2,
        WebhookEvent.webhookRegistered,
        .webhook,
        .webhookSettings,
        .webhookKey
    ) { _, id, settings, _ in "Webhook \(id) sends events to \(settings.url.host)" }

    static let webhookSecretRotated = Declared(
        .webhookSecretRotated,
        WebhookEvent.webhookSecretRotated,
        .webhook,
        .webhookKey,
        Members("previousUntil", .instant)
    ) { _, id, _, _ in "Webhook \(id) has a new secret" }

    static let webhookDisabled = Declared(
        .webhookDisabled,
        WebhookEvent.webhookDisabled,
        .webhook,
        .optional("cause", .text)
    ) { "Webhook \($1) disabled" + ($2.map { ": \($0)" } ?? "") }

    static let webhookEnabled = Declared(.webhookEnabled, WebhookEvent.webhookEnabled, .webhook) {
        "Webhook \($1) enabled"
    }

    static let webhookReplayOrdered = Declared(
        .webhookReplayOrdered,
        WebhookEvent.webhookReplayOrdered,
        .webhook,
        Members("since", .position),
        Members("until", .position)
    ) { "Webhook \($1) sends events \($2) to \($3) once more" }

    static let webhookRemoved = Declared(.webhookRemoved, WebhookEvent.webhookRemoved, .webhook) {
        "Webhook \($1) removed"
    }
}
