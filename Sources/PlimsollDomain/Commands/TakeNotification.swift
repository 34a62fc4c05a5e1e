/// Does what a notification of Apple's demands, or keeps it where that is not known yet.
///
/// What it says is recorded already where it came before, or too late to matter: then nothing
/// changes, whatever it is called.
package struct TakeNotification: Command {
    package let notification: AppleNotification
    package let reason: Reason?
    package let by = PrincipalID.system

    package init(_ notification: AppleNotification) {
        self.notification = notification
        reason = Self.reason(notification)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        guard let notice = notification.notice, let app = logState.app(meantBy: notice) else {
            return try keep(in: logState)
        }
        let events = app.events(for: notice, at: now)
        guard !events.isEmpty else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.service, .app(app.slug)])
        for event in events { decision.append(.app(event), to: .app(app.slug)) }
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
        in marketplace: AppSlug,
        at now: Instant
    ) -> [AppEvent] {
        guard let item = self.app(marketplace)?.distribution.marketplace?.item else { return [] }
        var course = PackageCourse(app)
        for notice in notifications.notices(of: listing.item, in: item) {
            course.take(notice, at: now)
        }
        return course.events
    }
}

extension App {
    /// What becomes of its packages; nothing where it is known.
    func events(for notice: AppNotice, at now: Instant) -> [AppEvent] {
        var course = PackageCourse(self)
        course.take(notice, at: now)
        return course.events
    }
}

/// What becomes of an app's packages, one notice after another.
private struct PackageCourse {
    private var packages: PackageBook
    private var offered: [AppleVersionID]
    private(set) var events: [AppEvent] = []

    init(_ app: App) {
        (packages, offered) = (app.distribution.packages, app.document(.ios).packages)
    }

    mutating func take(_ notice: AppNotice, at now: Instant) {
        switch notice.content {
        case .available(let announcement):
            guard !packages.isKnown(announcement) else { return }
            if packages.isUnavailable(announcement) { return withdraw([announcement.id]) }
            packages.announce(announcement)
            events.append(.marketplace(.packageAnnounced(announcement)))
        case .unavailable(let ids): withdraw(ids)
        case .appUnavailable:
            // A clock that is ahead must not keep away what is still to come.
            let until = min(notice.happenedAt ?? now, now)
            withdraw(PackageWithdrawal(versions: [], ids: [], isDemanded: true, until: until))
        }
    }

    private mutating func withdraw(_ ids: [PackageID]) {
        let left = ids.filter { !packages.isWithdrawn($0) }
        withdraw(PackageWithdrawal(versions: [], ids: left, isDemanded: true))
    }

    private mutating func withdraw(_ withdrawal: PackageWithdrawal) {
        guard !packages.knows(withdrawal) else { return }
        packages.withdraw(withdrawal)
        events.append(.marketplace(.packagesWithdrawn(withdrawal)))
        let rest = offered.filter { !packages.isWithdrawn($0) }
        if rest != offered { events.append(.packagesOffered(rest)) }
        offered = rest
    }
}
