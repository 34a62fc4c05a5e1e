/// What becomes of an app's packages, one thing after another, all in one append.
struct PackageCourse {
    private(set) var packages: PackageCatalog
    private var offered: [AppleVersionID]
    private(set) var events: [AppEvent] = []
    /// Who looks at what is withdrawn afterwards, until it is ordered; by the original rules nobody
    /// did.
    private var review: ReviewOrder?
    private let reviewsEach: Bool
    private let countsFirst: Bool
    private let now: Instant

    /// What goes with a withdrawal whose review is open already needs none of its own.
    init(
        of app: App,
        by principal: PrincipalID,
        reviewedAs review: Position? = nil,
        in logState: LogState,
        at now: Instant
    ) {
        (packages, offered) = (app.distribution.packages, app.document(.ios).packages)
        let rule = logState.policy(of: app.slug).policy.emergencyReview
        let isReviewed = review.flatMap(logState.openReview)?.app == app.slug
        let isNew = logState.strictness != .original && !isReviewed
        self.review = isNew ? rule.order(owner: principal, at: now) : nil
        reviewsEach = logState.strictness == .reviewingEach
        countsFirst = logState.strictness.countsFirst
        self.now = now
    }

    mutating func take(_ notice: AppNotice) {
        switch notice.content {
        case .available(let announcement):
            guard !packages.isKnown(announcement) else { return }
            if packages.isUnavailable(announcement) { return withdraw([announcement.id]) }
            packages.announce(announcement, at: now)
            events.append(.marketplace(.packageAnnounced(announcement)))
        case .unavailable(let ids): withdraw(ids.filter { !packages.isWithdrawn($0) })
        case .appUnavailable:
            // A clock that is ahead must not keep away what is still to come.
            let until = min(notice.happenedAt ?? now, now)
            withdraw(
                PackageWithdrawal(
                    versions: [],
                    ids: [],
                    isDemanded: true,
                    until: until,
                    countsFirst: countsFirst
                )
            )
        }
    }

    private mutating func withdraw(_ ids: [PackageID]) {
        withdraw(PackageWithdrawal(versions: [], ids: ids, isDemanded: true))
    }

    /// With it goes what is offered of it.
    mutating func withdraw(_ withdrawal: PackageWithdrawal) {
        guard !packages.knows(withdrawal) else { return }
        packages.withdraw(withdrawal)
        events.append(.marketplace(.packagesWithdrawn(withdrawal)))
        let rest = offered.filter { !packages.isWithdrawn($0) }
        if rest != offered { events.append(.packagesOffered(rest)) }
        offered = rest
        guard let review else { return }
        events.append(.marketplace(.withdrawalReviewOrdered(review)))
        if !reviewsEach { self.review = nil }
    }
}

extension AppNotice {
    /// What it takes away that may be unseen.
    var withdrawal: PackageWithdrawal? {
        guard case .unavailable(let ids) = content else { return nil }
        return PackageWithdrawal(versions: [], ids: ids, isDemanded: true)
    }
}
