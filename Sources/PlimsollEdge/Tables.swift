package import PlimsollDomain
import PlimsollSystem

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
        /// When the oldest of its documents was ordered.
        package let issuedAt: Instant
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
    /// Nothing loaded yet, and nothing known of what there is to load.
    package static let unloaded = EdgeTable(placing: [], publications: [], unloaded: .unknown)

    package let publications: [Publication]
    let resources: [PreparedResource]
    let index: PathIndex
    private let hosts: [HostIndex]
    let marketplaces: MarketplaceIndex
    /// What is served from the disk.
    let tiles: PublishedTiles?
    let snapshots: PublishedSnapshots?
    private let unloaded: UnloadedApps

    /// Where two resources claim one path, the earlier has it.
    package init(_ resources: [EdgeResource], publications: [Publication]) {
        self.init(
            placing: resources.map { EdgePlace(PreparedResource($0), at: $0.paths) },
            publications: publications
        )
    }

    /// For who keeps prepared resources, so that the publication of one app costs no work for
    /// the others.
    init(
        placing places: [EdgePlace],
        publications: [Publication],
        tiles: PublishedTiles? = nil,
        snapshots: PublishedSnapshots? = nil,
        hosts: [KeyHost] = [],
        marketplaces: [ServedMarketplace] = [],
        unloaded: UnloadedApps = .none
    ) {
        (self.publications, self.unloaded) = (publications, unloaded)
        (self.tiles, self.snapshots) = (tiles, snapshots)
        self.marketplaces = MarketplaceIndex(
            marketplaces,
            numbered: marketplaces.isEmpty ? [:] : Self.wellKnown(places)
        )
        resources = places.map(\.resource)
        index = PathIndex(places, onHostOf: nil)
        self.hosts = hosts.map { HostIndex($0.name, PathIndex(places, onHostOf: $0.key)) }
    }

    /// By the app, the paths of a marketplace's domains and the resources found there.
    private static func wellKnown(_ places: [EdgePlace]) -> [AppSlug: [(String, Int)]] {
        var documents: [AppSlug: [(String, Int)]] = [:]
        for (number, place) in places.enumerated() {
            guard let wellKnown = place.wellKnown, place.leads else { continue }
            documents[wellKnown.app, default: []].append((wellKnown.path, number))
        }
        return documents
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

    /// Whether a path that leads nowhere may be one of an app that is not loaded.
    func isUnloaded(_ path: Range<Int>, at host: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard !unloaded.isEmpty else { return false }
        return unloaded.mayHave(
            String(decoding: Array(copying: bytes.extracting(path)), as: UTF8.self),
            onHostOfKey: hosts.contains { $0.isNamed(by: host, in: bytes) }
        )
    }

    /// Whether a path that devices ask at may be one of a marketplace that is not loaded: nobody
    /// knows its addresses, but that no document stands there.
    func isOfUnloadedMarketplace(
        _ path: Range<Int>,
        at host: Range<Int>,
        in bytes: Span<UInt8>
    ) -> Bool {
        guard !unloaded.isEmpty, number(of: path, at: host, in: bytes) == nil else { return false }
        return !String(decoding: Array(copying: bytes.extracting(path)), as: UTF8.self)
            .hasPrefix(UnloadedApps.root)
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

/// Something prepared, and the addresses that lead to it.
struct EdgePlace {
    let resource: PreparedResource
    /// Where it is found on every host.
    let paths: [String]
    /// Whose signature it carries; `nil` for what no key of an app has signed.
    var key: KeyID?
    /// The addresses that name no key: where it is found on the hosts of its key.
    var keylessPaths: [String] = []
    /// Whether it is found there on all other hosts as well.
    var leads = true
    /// Where it is found on the domains of the marketplace that the app is.
    var wellKnown: (app: AppSlug, path: String)?

    init(_ resource: PreparedResource, at paths: [String]) {
        self.resource = resource
        self.paths = paths
    }

    /// Where it is found on a host that belongs to a key, or to none.
    func paths(onHostOf host: KeyID?) -> [String] {
        let isFound = host.map { $0 == key } ?? leads
        return isFound ? paths + keylessPaths : paths
    }
}

/// One thing to serve: a body with what its answers say about it.
package struct EdgeResource: Sendable {
    /// What phones check: the two fields that stand on every 200 and 304, or on none.
    package struct Signature: Equatable, Sendable {
        package let value: String
        package let date: String

        package init(value: String, date: String) {
            self.value = value
            self.date = date
        }
    }

    package let paths: [String]
    package let mediaType: String
    package let signature: Signature?
    package let body: [UInt8]
    /// What a browser may load for it; `nil` for what no browser shows as a page.
    var contentPolicy: String?

    /// Nil where a text could not stand in a head: the table would hand out broken answers.
    package init?(
        paths: [String],
        mediaType: String,
        signature: Signature?,
        body: [UInt8]
    ) {
        let texts = [mediaType, signature?.value ?? "-", signature?.date ?? "-"]
        guard
            texts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isFieldContent) }),
            paths.allSatisfy({ $0.hasPrefix("/") && $0.utf8.allSatisfy(ByteClass.target.contains) })
        else { return nil }
        self.paths = paths
        self.mediaType = mediaType
        self.signature = signature
        self.body = body
    }
}

/// Finds the number that belongs to a path, byte for byte, without making a string of it.
///
/// Open addressing over at least twice as many places as paths. The hash need not be keyed:
/// strangers choose what is looked up, but not what is in here, and a lookup's cost depends on
/// that alone.
struct PathIndex: Sendable {
    private struct Entry {
        let path: [UInt8]
        let number: Int
    }

    private var places: [Entry?]

    init(_ paths: [(path: String, number: Int)]) {
        var capacity = 8
        while capacity < paths.count * 2 { capacity *= 2 }
        places = Array(repeating: nil, count: capacity)
        for (path, number) in paths {
            insert(Entry(path: Array(path.utf8), number: number))
        }
    }

    func number(of path: Range<Int>, in bytes: Span<UInt8>) -> Int? {
        var hash = Self.hashSeed
        for index in path { hash = Self.mix(hash, bytes[index]) }
        var place = self.place(hash)
        while let entry = places[place] {
            if Self.isEqual(entry.path, bytes, path) { return entry.number }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// The first to come keeps a path.
    private mutating func insert(_ entry: Entry) {
        var place = self.place(entry.path.reduce(Self.hashSeed, Self.mix))
        while let other = places[place] {
            if other.path == entry.path { return }
            place = (place + 1) & (places.count - 1)
        }
        places[place] = entry
    }

    private func place(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash ^ hash >> 32) & (places.count - 1)
    }

    private static func isEqual(
        _ path: [UInt8],
        _ bytes: Span<UInt8>,
        _ range: Range<Int>
    ) -> Bool {
        guard path.count == range.count else { return false }
        for index in path.indices where path[index] != bytes[range.lowerBound + index] {
            return false
        }
        return true
    }

    /// FNV-1a.
    private static let hashSeed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func mix(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
}

/// The answers of one resource, for each encoding one with the body and one without.
struct PreparedResource: Sendable {
    let tag: EntityTag
    /// In the order that ``answerNumber(gzip:notModified:)`` gives.
    let answers: [PreparedAnswer]

    static let answerCount = 4

    static func answerNumber(gzip: Bool, notModified: Bool) -> Int {
        (gzip ? 2 : 0) + (notModified ? 1 : 0)
    }

    init(
        _ resource: EdgeResource,
        cacheControl: String = EdgeTable.defaultCacheControl,
        encodings: [ContentEncoding] = ContentEncoding.allCases
    ) {
        precondition(
            !cacheControl.isEmpty && cacheControl.utf8.allSatisfy(\.isFieldContent),
            "Cache-Control is one line of text"
        )
        let tag = EntityTag(of: resource)
        let compressed = encodings.contains(.gzip) ? Gzip.compress(resource.body) : nil
        self.tag = tag
        answers = ContentEncoding.allCases.flatMap { encoding in
            // A body that gzip cannot shorten travels as it is, whatever was asked for.
            let encoding = compressed == nil ? .identity : encoding
            let common = Self.commonFields(resource, tag.fieldValue(encoding), cacheControl)
            let body = encoding == .gzip ? compressed ?? resource.body : resource.body
            let whole = Self.bodyFields(resource, body, encoding) + common
            return [
                PreparedAnswer(status: .ok, fields: whole, body: body),
                PreparedAnswer(status: .notModified, fields: common, body: []),
            ]
        }
    }

    /// `nil` where a text could not stand in a head.
    init?(
        _ body: [UInt8],
        _ mediaType: String,
        signature: EdgeResource.Signature? = nil,
        cacheControl: String = EdgeTable.defaultCacheControl,
        encodings: [ContentEncoding] = ContentEncoding.allCases
    ) {
        guard
            let resource = EdgeResource(
                paths: [],
                mediaType: mediaType,
                signature: signature,
                body: body
            )
        else { return nil }
        self.init(resource, cacheControl: cacheControl, encodings: encodings)
    }

    private static func commonFields(
        _ resource: EdgeResource,
        _ tag: String,
        _ cacheControl: String
    ) -> [(String, String)] {
        var fields = [
            ("ETag", tag),
            ("Vary", "Accept-Encoding"),
            ("Cache-Control", cacheControl),
        ]
        if let signature = resource.signature {
            fields.append(("x-amz-meta-signature", signature.value))
            fields.append(("x-amz-meta-signature-date", signature.date))
        }
        return fields
    }

    private static func bodyFields(
        _ resource: EdgeResource,
        _ body: [UInt8],
        _ encoding: ContentEncoding
    ) -> [(String, String)] {
        var fields = [
            ("Content-Type", resource.mediaType),
            ("Content-Length", String(body.count)),
            ("X-Content-Type-Options", "nosniff"),
        ]
        if encoding == .gzip { fields.append(("Content-Encoding", "gzip")) }
        if let policy = resource.contentPolicy {
            fields.append(("Content-Security-Policy", policy))
        }
        return fields
    }
}
