package import PlimsollDomain

/// Somewhere afar that snapshots come from: a store, or another edge.
package protocol SnapshotOrigin: Sendable {
    /// What is current of the app, unless it is what has the mark.
    ///
    /// It MUST come to an end by itself, in a time that an edge can wait.
    func current(of app: AppSlug, unless mark: OriginMark?) async throws -> OriginReading
}

/// Which version of something an origin has, in the origin's own words.
package struct OriginMark: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// What came of asking an origin.
package enum OriginReading: Sendable {
    case found(FetchedSnapshot, OriginMark)
    /// It is what has the mark.
    case unchanged
    /// Nothing has been published of this app.
    case absent
}
