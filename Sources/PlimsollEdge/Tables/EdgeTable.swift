package import PlimsollDomain

/// Everything the edge answers with at one moment, ready to be sent.
///
/// A table never changes; a new snapshot is a new table, and every event loop goes over to it
/// between two requests. So no reader ever sees one platform of one decision and the other of
/// the next.
package struct EdgeTable: Sendable {
    /// What the operator watches of one app.
    package struct Publication: Equatable, Sendable {
        package let app: AppSlug
        package let sequence: SnapshotSequence
        package let issuedAt: Instant

        package init(app: AppSlug, sequence: SnapshotSequence, issuedAt: Instant) {
            self.app = app
            self.sequence = sequence
            self.issuedAt = issuedAt
        }
    }

    /// Phones look every two hours, so a minute's caching costs no freshness and saves a
    /// stampede; a cache hands out the old answer for half a minute more while it fetches the new
    /// one; a day of stale answers is better than none while the origin is away.
    package static let defaultCacheControl =
        "public, max-age=\(freshSeconds), stale-while-revalidate=\(fetchingSeconds),"
        + " stale-if-error=86400"
    private static let freshSeconds: Int64 = 60
    private static let fetchingSeconds: Int64 = 30
    /// For how long a cache that reaches the origin may hand out what is no longer published.
    package static let cacheSeconds = freshSeconds + fetchingSeconds

    /// Nothing published yet: every path is 404.
    package static let empty = EdgeTable([], publications: [])

    package let publications: [Publication]
    let resources: [PreparedResource]
    let index: PathIndex
    private let hosts: [HostIndex]
    /// What is served from the disk.
    let tiles: PublishedTiles?

    /// Where two resources claim one path, the earlier has it.
    package init(
        _ resources: [EdgeResource],
        publications: [Publication],
        cacheControl: String = defaultCacheControl
    ) {
        self.init(
            placing: resources.map { resource in
                EdgePlace(
                    PreparedResource(resource, cacheControl: cacheControl),
                    at: resource.paths
                )
            },
            publications: publications
        )
    }

    /// For who keeps prepared resources, so that the publication of one app costs no work for
    /// the others.
    init(
        placing places: [EdgePlace],
        publications: [Publication],
        tiles: PublishedTiles? = nil,
        hosts: [KeyHost] = []
    ) {
        self.publications = publications
        self.tiles = tiles
        resources = places.map(\.resource)
        index = PathIndex(places, onHostOf: nil)
        self.hosts = hosts.map { HostIndex($0.name, PathIndex(places, onHostOf: $0.key)) }
    }

    /// The number of the resource that a request for a path is for.
    func number(
        of path: Range<Int>,
        at host: Range<Int>,
        in bytes: Span<UInt8>
    ) -> Int? {
        for own in hosts where own.isNamed(by: host, in: bytes) {
            return own.index.number(of: path, in: bytes)
        }
        return index.number(of: path, in: bytes)
    }
}

extension PathIndex {
    fileprivate init(_ places: [EdgePlace], onHostOf key: KeyID?) {
        self.init(
            places.enumerated().flatMap { number, place in
                place.paths(onHostOf: key).map { (path: $0, number: number) }
            }
        )
    }
}
