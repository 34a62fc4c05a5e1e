/// An app's place in alternative marketplaces, and the marketplace that it is, if it is one.
package struct Distribution: Codable, Equatable, Sendable {
    package private(set) var marketplace: Marketplace?
    /// The position of the event that brought it.
    package private(set) var marketplaceSince: Position?
    /// By the app that the marketplace is.
    package private(set) var listings: [AppSlug: Listing] = [:]
    package private(set) var packages = PackageCatalog()

    package init() {}

    /// Takes in an event of the app, if it is about its place in marketplaces.
    package mutating func evolve(_ recorded: RecordedEvent) {
        guard case .app(.marketplace(let event)) = recorded.event else { return }
        switch event {
        case .set(let marketplace):
            (self.marketplace, marketplaceSince) = (marketplace, recorded.position)
        case .removed: (marketplace, marketplaceSince) = (nil, nil)
        case .listed(let marketplace, let listing): listings[marketplace] = listing
        case .unlisted(let marketplace): listings[marketplace] = nil
        case .packageAnnounced(let announcement):
            packages.announce(announcement, at: recorded.recordedAt)
        case .packageIngested(let package, let version):
            packages.put(package, announcedAs: version, at: recorded.recordedAt)
        case .packagesWithdrawn(let withdrawal): packages.withdraw(withdrawal)
        case .withdrawalReviewOrdered, .withdrawalReviewed: break
        }
    }
}
