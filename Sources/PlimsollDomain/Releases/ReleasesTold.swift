/// The releases of an app, and which of them clients of Prince of Versions are told of.
///
/// Offers are derived from releases, so to know of one more moves what phones read. In a freeze
/// nothing does but rollbacks and emergencies: what is said of releases meanwhile is known at once,
/// and told from the freeze's end on, as is what stores get meanwhile.
package struct ReleasesTold: Equatable, Sendable {
    package private(set) var known = ReleaseBook()
    private var told = ReleaseBook()
    private var isAppFrozen = false
    private var isEverythingFrozen = false
    /// When the first of the freezes began that last.
    private var heldSince: Instant?

    package init() {}

    /// Of an app that is registered while everything is frozen.
    init(during freeze: Freeze?) {
        isEverythingFrozen = freeze != nil
        heldSince = freeze?.since
    }

    /// Takes in an event of the app or of the service; those about something else say nothing here.
    package mutating func evolve(_ event: Event, at instant: Instant) {
        switch event {
        case .app(.freezeStarted): isAppFrozen = true
        case .app(.freezeEnded): isAppFrozen = false
        case .service(.serviceFreezeStarted): isEverythingFrozen = true
        case .service(.serviceFreezeEnded): isEverythingFrozen = false
        case .app(let event): known.evolve(event)
        case .change, .access, .key, .service, .export, .webhook: break
        }
        if isAppFrozen || isEverythingFrozen {
            heldSince = heldSince ?? instant
        } else {
            (told, heldSince) = (known, nil)
        }
    }

    /// The releases of a platform that its store had by then, as offers speak of them.
    package func told(on platform: Platform, at instant: Instant) -> [KnownRelease] {
        told.known(on: platform, at: heldSince.map { min($0, instant) } ?? instant)
    }

    /// When a store gets the next release after an instant, of those that are told.
    package func nextInStore(after instant: Instant) -> Instant? {
        guard heldSince == nil else { return nil }
        return told.all.compactMap(\.facts.liveSince).filter { $0 > instant }.min()
    }
}
