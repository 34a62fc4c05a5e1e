package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
package import PlimsollEdge

/// Reads whole snapshots from an object store: the pointer first, then what it leads to, which
/// never changes.
package struct StoreOrigin: SnapshotOrigin {
    private let place: StorePlace
    private let limits: Transport.Limits
    private let authorities: @Sendable () throws -> CertificateAuthorities?
    private let now: @Sendable () -> Instant

    /// Takes who vouches for the store, which is asked each time, and the clock that dates requests.
    package init(
        _ place: StorePlace,
        limits: Transport.Limits = ObjectStore.usualLimits,
        trusting authorities: @escaping @Sendable () throws -> CertificateAuthorities? = { nil },
        now: @escaping @Sendable () -> Instant
    ) {
        self.place = place
        self.limits = limits
        self.authorities = authorities
        self.now = now
    }

    package func current(
        of app: AppSlug,
        unless mark: OriginMark?
    ) async throws -> OriginReading {
        try await ObjectStore.with(
            place,
            limits: limits,
            trusting: authorities(),
            now: now
        ) { store in
            let key = StoreLayout.pointer(of: app)
            switch try await store.object(key, unless: mark?.text) {
            case .unchanged: return .unchanged
            case .absent: return .absent
            case .found(let found):
                let snapshot = try await snapshot(of: app, at: found, in: store)
                return .found(snapshot, OriginMark(found.tag))
            }
        }
    }

    private func snapshot(
        of app: AppSlug,
        at found: StoredObject,
        in store: ObjectStore
    ) async throws -> FetchedSnapshot {
        guard let pointer = try? SnapshotPointer(parsing: found.body), pointer.app == app else {
            throw OriginDoubt("The pointer of \(app) leads nowhere.")
        }
        let folder = pointer.folder
        guard let manifest = try await body("\(folder)/\(Manifest.fileName)", in: store) else {
            throw OriginDoubt("The snapshot \(pointer.sequence) of \(app) is missing.")
        }
        return try await FetchedSnapshot(of: app, manifest: manifest) { name in
            try await body("\(folder)/\(name)", in: store)
        }
    }

    private func body(_ key: String, in store: ObjectStore) async throws -> [UInt8]? {
        guard case .found(let object) = try await store.object(key) else { return nil }
        return object.body
    }
}
