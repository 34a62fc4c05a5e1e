package import PlimsollDomain
package import PlimsollJSON

// What Apple tells a marketplace's server.

extension Endpoints {
    static let notifications: [any EndpointDeclaration] = [
        listNotifications, dropNotifications, takeNotification,
    ]

    package static let listNotifications = Read<NoNames, NotificationList>(
        .get("listNotifications", "/v1/notifications"),
        "Notifications from Apple that nothing followed from yet."
    )

    package static let dropNotifications = Write<NoNames, NotificationDropForm, DryRunAnswer>(
        .post("dropNotifications", "/v1/notifications/drop"),
        "Let go of the notifications that wait for an app to be listed."
    )

    package static let takeNotification = Endpoint<
        NoNames, Unbound, Bytes, NotificationAnswer
    >(
        .post("takeNotification", "/marketplace/notifications"),
        "Takes what Apple tells a marketplace, signed in x-apple-signature.",
        takesFile: .json,
        mayMeet: [.unauthenticated, .malformedJSON, .tooLarge, .unavailable]
    )
}

/// What came of a notification.
package enum NotificationOutcome: String, CaseIterable, Sendable {
    /// The record has something new.
    case recorded
    /// The record had it before.
    case known
    /// Nothing follows from it yet; it is written down as it came.
    case kept
}

/// The answer to a notification.
package struct NotificationAnswer: Answer, Shaped {
    package let outcome: NotificationOutcome

    package init(outcome: NotificationOutcome) { self.outcome = outcome }

    package static let shape = Shape<Self>(
        "NotificationAnswer",
        Self.init(outcome:),
        .required("outcome", \.outcome, .names)
    )
}

/// A notification that nothing followed from yet.
package struct KeptNotification: Answer, Shaped {
    package let position: Position
    package let recordedAt: Instant
    /// What it is about, and why nothing followed.
    package let why: String
    /// As it came.
    package let notification: String

    package init(position: Position, recordedAt: Instant, why: String, notification: String) {
        (self.position, self.recordedAt) = (position, recordedAt)
        (self.why, self.notification) = (why, notification)
    }

    package static let shape = Shape<Self>(
        "KeptNotification",
        Self.init(position:recordedAt:why:notification:),
        .required("position", \.position, .position),
        .required("recordedAt", \.recordedAt, .instant),
        .required("why", \.why, .string),
        .required("notification", \.notification, .string)
    )
}

/// The body of `POST /v1/notifications/drop`: of which app, in which marketplace, nothing waits any
/// more.
package struct NotificationDropForm: Form, Shaped {
    package let marketplace: AppleItemID
    package let item: AppleItemID
    package let reason: Reason

    package init(marketplace: AppleItemID, item: AppleItemID, reason: Reason) {
        (self.marketplace, self.item, self.reason) = (marketplace, item, reason)
    }

    package static let shape = Shape<Self>(
        "NotificationDrop",
        Self.init(marketplace:item:reason:),
        .required("marketplace", \.marketplace, .appleItemID),
        .required("item", \.item, .appleItemID),
        .required("reason", \.reason, .reason)
    )
}

/// The notifications that nothing followed from yet.
package struct NotificationList: Answer, Shaped {
    package let position: Position
    /// About apps that no marketplace here lists; listing one takes them up.
    package let waiting: [KeptNotification]
    /// Those that are not understood, the last of them.
    package let unread: [KeptNotification]

    package init(position: Position, waiting: [KeptNotification], unread: [KeptNotification]) {
        (self.position, self.waiting, self.unread) = (position, waiting, unread)
    }

    package static let shape = Shape<Self>(
        "NotificationList",
        Self.init(position:waiting:unread:),
        .required("position", \.position, .position),
        .required("waiting", \.waiting, .objects(KeptNotification.shape)),
        .required("unread", \.unread, .objects(KeptNotification.shape))
    )
}
