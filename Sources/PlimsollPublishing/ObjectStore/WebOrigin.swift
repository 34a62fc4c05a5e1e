package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
package import PlimsollEdge

/// Reads whole snapshots as another edge serves them, or a cache or a store in front of one.
package struct WebOrigin: SnapshotOrigin {
    package let address: ServiceAddress
    private let limits: Transport.Limits
    package let authorities: @Sendable () throws -> CertificateAuthorities?

    /// Publications in a row, each while the one before it is read: nobody publishes so fast.
    private static let readingsMaximum = 3

    package static let usualLimits = Transport.Limits(
        connectTimeout: .seconds(5),
        answerTimeout: .seconds(15),
        bytesMaximum: 16 << 20
    )

    /// Takes what stands before `/distribution`, and who vouches for it if the machine knows nobody;
    /// that is asked each time, since authorities change too.
    package init(
        _ address: ServiceAddress,
        limits: Transport.Limits = usualLimits,
        trusting authorities: @escaping @Sendable () throws -> CertificateAuthorities? = { nil }
    ) {
        self.address = address
        self.limits = limits
        self.authorities = authorities
    }

    package func current(
        of app: AppSlug,
        unless mark: OriginMark?
    ) async throws -> OriginReading {
        try await Transport.with(limits, trusting: authorities()) { transport in
            for _ in 1...Self.readingsMaximum {
                let answer = try await get(Manifest.fileName, of: app, mark?.text, transport)
                switch answer.status {
                case 304: return try await proof(of: app, mark, transport)
                case 404: return .absent
                case 200: break
                default: throw OriginMismatch("\(address) answered \(answer.status).")
                }
                guard let tag = answer.header("ETag") else {
                    throw OriginMismatch("\(address) does not say which version a manifest is.")
                }
                let fetched = try await FetchedSnapshot(of: app, manifest: answer.body) { name in
                    let answer = try await get(name, of: app, nil, transport)
                    return answer.status == 200 ? answer.body : nil
                }
                // The files were read one after another: a publication may have come in between.
                guard fetched.isOfOneMaking else { continue }
                return .found(fetched, OriginMark(tag))
            }
            throw OriginMismatch("The files of \(app) at \(address) do not belong together.")
        }
    }

    /// Of what has the mark, if it came or is another one; an edge of an earlier program has none.
    private func proof(
        of app: AppSlug,
        _ mark: OriginMark?,
        _ transport: Transport
    ) async throws -> OriginReading {
        guard let mark else { throw OriginMismatch("\(address) answered 304 to nothing.") }
        let answer = try await get(Manifest.proofFileName, of: app, mark.proof, transport)
        guard answer.status == 200, let tag = answer.header("ETag") else { return .unchanged }
        return .proven(answer.body, OriginMark(mark.text, proof: tag))
    }

    private func get(
        _ name: String,
        of app: AppSlug,
        _ tag: String?,
        _ transport: Transport
    ) async throws -> WebAnswer {
        try await transport.send(
            WebRequest(
                .get,
                address.url("/distribution/\(app)/\(name)"),
                headers: tag.map { [(name: "If-None-Match", value: $0)] } ?? []
            )
        )
    }
}

/// Reads whole snapshots from an object store: the pointer first, then what it leads to, which
/// never changes.
package struct StoreOrigin: SnapshotOrigin {
    private let place: StorePlace
    private let authorities: @Sendable () throws -> CertificateAuthorities?
    private let now: @Sendable () -> Instant

    /// Takes who vouches for the store, which is asked each time, and the clock that dates requests.
    package init(
        _ place: StorePlace,
        trusting authorities: @escaping @Sendable () throws -> CertificateAuthorities? = { nil },
        now: @escaping @Sendable () -> Instant
    ) {
        self.place = place
        self.authorities = authorities
        self.now = now
    }

    package func current(
        of app: AppSlug,
        unless mark: OriginMark?
    ) async throws -> OriginReading {
        try await ObjectStore.with(place, trusting: authorities(), now: now) { store in
            let key = StoreLayout.pointer(of: app)
            switch try await store.object(key, unless: mark?.text) {
            case .unchanged: return try await proof(of: app, mark, in: store)
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
            throw OriginMismatch("The pointer of \(app) leads nowhere.")
        }
        let folder = pointer.folder
        guard let manifest = try await body("\(folder)/\(Manifest.fileName)", in: store) else {
            throw OriginMismatch("The snapshot \(pointer.sequence) of \(app) is missing.")
        }
        return try await FetchedSnapshot(of: app, manifest: manifest) { name in
            try await body("\(folder)/\(name)", in: store)
        }
    }

    /// Of what has the mark, if it came or is another one.
    private func proof(
        of app: AppSlug,
        _ mark: OriginMark?,
        in store: ObjectStore
    ) async throws -> OriginReading {
        let key = StoreLayout.proof(of: app)
        guard let mark, case .found(let found) = try await store.object(key, unless: mark.proof)
        else { return .unchanged }
        return .proven(found.body, OriginMark(mark.text, proof: found.tag))
    }

    private func body(_ key: String, in store: ObjectStore) async throws -> [UInt8]? {
        guard case .found(let object) = try await store.object(key) else { return nil }
        return object.body
    }
}

extension FetchedSnapshot {
    /// More than a snapshot has, and less than would hurt.
    private static let filesMaximum = 64
    private static let bytesMaximum = 64 << 20

    /// Fetches what a manifest names, whose names are read before anybody has checked it: whatever
    /// comes of that is verified by whoever serves it.
    init(
        of app: AppSlug,
        manifest: [UInt8],
        fetching file: (_ name: String) async throws -> [UInt8]?
    ) async throws {
        guard let named = try? Manifest(parsing: manifest), named.files.count <= Self.filesMaximum
        else { throw OriginMismatch("The manifest of \(app) cannot be read.") }
        guard let signatures = try await file(Manifest.signaturesFileName) else {
            throw OriginMismatch("The file \(Manifest.signaturesFileName) of \(app) is missing.")
        }
        var bodies: [FileName: [UInt8]] = [:]
        var room = Self.bytesMaximum
        for name in named.files.map(\.name) {
            let body = try await file(name.text)
            room -= body?.count ?? 0
            guard room >= 0 else { throw OriginMismatch("The files of \(app) are too large.") }
            bodies[name] = body
        }
        self.init(
            of: app,
            manifest: manifest,
            signatures: signatures,
            bodies: bodies,
            proof: try await file(Manifest.proofFileName)
        )
    }

    /// Whether every body is the one that the manifest names.
    var isOfOneMaking: Bool {
        guard let named = try? Manifest(parsing: manifest) else { return false }
        return named.files.allSatisfy { file in
            bodies[file.name].map { ContentDigest(of: $0) == file.digest } ?? false
        }
    }
}

/// Why an origin has nothing that could be looked at closer.
struct OriginMismatch: FaultOfOneApp, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
