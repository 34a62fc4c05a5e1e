extension ReleaseBook {
    /// The releases of a platform that its store had by then, as offers speak of them.
    package func known(on platform: Platform, at instant: Instant) -> [KnownRelease] {
        releases(on: platform).known(at: instant)
    }
}

extension [Release] {
    /// Those of one platform that its store had by then, as offers speak of them.
    func known(at instant: Instant) -> [KnownRelease] {
        compactMap { release in
            guard let since = release.facts.liveSince, since <= instant,
                let version = OfferVersion(release.version)
            else { return nil }
            let name = release.facts.name
            guard let system = release.facts.system else {
                return KnownRelease(version: version, name: name)
            }
            return OfferVersion(system).map {
                KnownRelease(version: version, system: $0, name: name)
            }
        }
    }
}
