package import PlimsollAPI
package import PlimsollDomain

/// Publishes to an S3-compatible object store.
///
/// Phones read the documents there as they read them from the edge, signature headers and all, at
/// the addresses of each key too, and edges read whole snapshots. What is published no more is taken
/// away. The list of keys and the transparency log are not there.
package struct StoreSink: Sink {
    package let name: String
    package let followsOthers = false
    private let place: StorePlace
    private let cacheControl: String
    private let limits: Transport.Limits
    private let now: @Sendable () -> Instant

    /// Takes what caches may do with documents, and the clock that dates requests.
    package init(
        _ place: StorePlace,
        cacheControl: String,
        limits: Transport.Limits = ObjectStore.usualLimits,
        now: @escaping @Sendable () -> Instant
    ) {
        name = "store \(place.address)"
        self.place = place
        self.cacheControl = cacheControl
        self.limits = limits
        self.now = now
    }

    package func take(_ publication: Publication) async throws(SinkRefusal) {
        do {
            try await ObjectStore.with(place, limits: limits, now: now) { [cacheControl] store in
                let bringing = StorePublication(
                    snapshot: publication.snapshot,
                    store: store,
                    cacheControl: cacheControl
                )
                try await bringing.run()
                try await StoreClearance(publication, bringing.addresses, store).run()
            }
        } catch let refusal as SinkRefusal {
            throw refusal
        } catch let failure as StoreFailure {
            throw SinkRefusal(failure.description)
        } catch {
            throw SinkRefusal("the connection broke")
        }
    }
}
