/// Does what a notification of Apple's demands, or keeps it where that is not known yet.
///
/// What it says is recorded already where it came before, or too late to matter: then nothing
/// changes, whatever it is called.
package struct TakeNotification: Command {
    package let notification: AppleNotification
    /// The review that another part of the same notification ordered.
    package let review: Position?
    package let reason: Reason?
    package let by = PrincipalID.system

    package init(_ notification: AppleNotification, reviewedAs review: Position? = nil) {
        (self.notification, self.review) = (notification, review)
        reason = Self.reason(notification)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        guard let notice = notification.notice, let app = logState.app(meantBy: notice) else {
            return try keep(in: logState)
        }
        var course = PackageCourse(of: app, by: by, reviewedAs: review, in: logState, at: now)
        if let withdrawal = notice.withdrawal, course.packages.hasNoRoom(for: withdrawal) {
            throw Refusal(.withdrawalsFull(app.slug, maximum: PackageCatalog.unseenMaximum))
        }
        if case .available(let announcement) = notice.content,
            !course.packages.isKnown(announcement), !course.packages.isUnavailable(announcement),
            course.packages.hasNoRoom(for: announcement)
        {
            throw Refusal(.packagesFull(app.slug, maximum: PackageCatalog.packagesMaximum))
        }
        course.take(notice)
        guard !course.events.isEmpty else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: logState.streamsOfApps.union([.access, .service]))
        for event in course.events { decision.append(.app(event), to: .app(app.slug)) }
        return decision
    }

    private func keep(in logState: LogState) throws(Refusal) -> Decision {
        guard !logState.notifications.contains(notification) else { throw Refusal(.nothingChanges) }
        if notification.notice != nil, logState.notifications.isFull {
            throw Refusal(.notificationsFull(maximum: KeptNotifications.waitingMaximum))
        }
        var decision = Decision(relyingOn: logState.streamsOfApps.union([.service]))
        decision.append(.service(.notificationKept(notification)), to: .service)
        return decision
    }

    /// So that the record says who wanted it.
    private static func reason(_ notification: AppleNotification) -> Reason? {
        let parts = [notification.type, notification.id].compactMap { $0 }
            .map { String($0.prefix(100)) }
        let time = notification.notice?.happenedAt.map { [" of \($0)"] } ?? []
        let text = "Notification from Apple: " + (parts + time).joined(separator: " ")
        return try? Reason(validating: text)
    }
}

/// Lets go of what Apple said of an app that no marketplace here is going to list, so that there is
/// room for others.
package struct DropNotifications: Command {
    /// As Apple calls it.
    package let app: AppleItemID
    package let marketplace: AppleItemID
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        of app: AppleItemID,
        in marketplace: AppleItemID,
        reason: Reason?,
        by: PrincipalID
    ) {
        (self.app, self.marketplace, self.reason, self.by) = (app, marketplace, reason, by)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .all)
        guard !logState.notifications.waiting(of: app, in: marketplace).isEmpty else {
            throw Refusal(.nothingChanges)
        }
        var decision = Decision(relyingOn: logState.streamsOfApps.union([.access, .service]))
        decision.append(
            .service(.notificationsDropped(marketplace: marketplace, app: app)),
            to: .service
        )
        return decision
    }
}

extension LogState {
    /// The app that a marketplace of ours lists as the notification names it.
    fileprivate func app(meantBy notice: AppNotice) -> App? {
        let marketplace = apps.first { $0.distribution.marketplace?.item == notice.marketplace }
        return marketplace.flatMap { app(listedAs: notice.app, in: $0.slug) }.flatMap { app($0) }
    }

    /// What becomes of an app's packages once it is listed: what Apple said of them before.
    func eventsOfNotices(
        waitingFor app: App,
        listedAs listing: Listing,
        in marketplace: Marketplace?,
        at now: Instant
    ) -> [AppEvent] {
        guard let marketplace else { return [] }
        var course = PackageCourse(of: app, by: .system, in: self, at: now)
        for kept in notifications.waiting(of: listing.item, in: marketplace.item) {
            guard let notice = kept.notification.notice else { continue }
            course.take(strictness.countsFirst ? notice.heard(at: kept.recordedAt) : notice)
        }
        return course.events
    }
}
