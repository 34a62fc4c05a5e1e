import PlimsollDomain

/// What an origin has told of, and which of it is still to be fetched: at most one at a time of
/// each app, and always the newest.
struct FollowedSnapshots {
    private var told: [AppSlug: SnapshotNotice] = [:]
    private var taken: [AppSlug: SnapshotNotice] = [:]
    private var atWork: Set<AppSlug> = []

    /// Whether somebody has to begin with the app.
    mutating func tell(_ notice: SnapshotNotice) -> Bool {
        told[notice.app] = notice
        return begin(notice.app)
    }

    /// The apps to begin with again, of which something could not be had.
    mutating func retry() -> [AppSlug] {
        told.keys.sorted().filter { begin($0) }
    }

    /// What is to be fetched next of an app that somebody has begun with; `nil` where that is all,
    /// or where it could not be had a moment ago.
    mutating func next(of app: AppSlug, after tried: SnapshotNotice?) -> SnapshotNotice? {
        guard let notice = told[app], notice != taken[app], notice != tried else {
            atWork.remove(app)
            return nil
        }
        return notice
    }

    mutating func take(_ notice: SnapshotNotice) {
        taken[notice.app] = notice
    }

    private mutating func begin(_ app: AppSlug) -> Bool {
        told[app] != taken[app] && atWork.insert(app).inserted
    }
}
