import PlimsollDocuments
package import PlimsollDomain
import PlimsollSystem

/// Takes out of a store what is published no more, once the pointer leads to what is.
///
/// - What phones find at addresses that the publication does not have: those of keys that sign no
///   more, and those of platforms that the app has no more.
/// - What stands at the addresses without a name of an app that had them before, where this one has
///   no such document.
/// - Every earlier snapshot that a compromised key has signed. What others have signed as well goes
///   with it: the export directory keeps it, and nobody is to be shown such a signature.
///
/// Nothing is taken away that was not written by a publication, or by a newer one.
struct StoreClearance {
    private let publication: Publication
    private let addresses: Set<String>
    private let store: ObjectStore

    private static let mediaType = "text/plain; charset=utf-8"

    /// Takes where phones find something now.
    init(_ publication: Publication, _ addresses: Set<String>, _ store: ObjectStore) {
        self.publication = publication
        self.addresses = addresses
        self.store = store
    }

    private var manifest: Manifest { publication.snapshot.manifest.manifest }
    private var app: AppSlug { manifest.app }

    func run() async throws {
        try await clearAddresses()
        if !publication.revokedKeys.isEmpty { try await clearSnapshots() }
    }

    private func clearAddresses() async throws {
        let own = StoreLayout.distribution(of: app)
        for key in try await store.keys(under: own) where !addresses.contains(key) {
            let name = String(key.dropFirst(own.count))
            if key == StoreLayout.proof(of: app), try await isOfThis(key) { continue }
            if manifest.isDefault, FileName(name) != nil {
                try await remove(StoreLayout.shared(name))
            }
            try await remove(key)
        }
        for key in StoreLayout.sharedWithout(manifest) { try await remove(key) }
    }

    /// The store says for which keys this was done, so that it is not done again each time.
    private func clearSnapshots() async throws {
        let place = StoreLayout.revoked(of: app)
        let keys = publication.revokedKeys.sorted().map { "\($0)\n" }.joined()
        var condition = PutCondition.absent
        if case .found(let found) = try await store.object(place) {
            guard found.body != Array(keys.utf8) else { return }
            condition = .unchanged(tag: found.tag)
        }
        let current = SnapshotPointer(publication.snapshot).folder
        let folders = Dictionary(
            grouping: try await store.keys(under: StoreLayout.snapshots(of: app))
        ) { key in key.split(separator: "/").dropLast().joined(separator: "/") }
        for (folder, keys) in folders.sorted(by: { $0.key < $1.key }) where folder != current {
            try await clear(folder, keys)
        }
        let note = NewObject(Array(keys.utf8), mediaType: Self.mediaType, cacheControl: "no-cache")
        guard try await store.put(note, place, if: condition) else {
            throw SinkRefusal("others keep writing to it")
        }
    }

    /// The manifest goes last: it says what the others are.
    ///
    /// Where it is missing nobody has written them to the end, and nothing says who signed.
    private func clear(_ folder: String, _ keys: [String]) async throws {
        let place = "\(folder)/\(Manifest.fileName)"
        if case .found(let found) = try await store.object(place) {
            guard
                let manifest = try? Manifest(parsing: found.body),
                !manifest.signers.isDisjoint(with: publication.revokedKeys)
            else { return }
        }
        for key in keys where key != place { try await remove(key) }
        try await remove(place)
    }

    /// Whether it was written for the very publication.
    private func isOfThis(_ key: String) async throws -> Bool {
        let found = try await store.head(key)
        return found.flatMap(PublishedObject.sequence) == manifest.sequence
    }

    private func remove(_ key: String) async throws {
        guard
            let found = try await store.head(key),
            let sequence = PublishedObject.sequence(of: found), sequence <= manifest.sequence
        else { return }
        // Whoever came in between knows better what is to be there.
        _ = try await store.delete(key, if: found.tag)
    }
}

/// Brings an inspection to a store, in the form in which edges read whole snapshots.
///
/// What phones fetch is not written. Every object is marked, the pointer too, and where something
/// live is under the prefix nothing is written at all.
package struct StoreInspection: Sendable {
    private let inspection: Inspection

    package init(_ inspection: Inspection) {
        self.inspection = inspection
    }

    /// Takes the clock that dates requests.
    package func write(
        to place: StorePlace,
        now: @escaping @Sendable () -> Instant
    ) async throws(SinkRefusal) {
        try await ObjectStore.publishing(to: place, now: now) { store in
            let pointer = StoreLayout.pointer(of: inspection.app)
            var condition = PutCondition.absent
            if case .found(let found) = try await store.object(pointer) {
                try refuse(ifLive: found)
                condition = .unchanged(tag: found.tag)
            }
            for (key, object) in objects { try await bring(object, key, to: store) }
            guard try await store.put(self.pointer, pointer, if: condition) else {
                throw SinkRefusal("others keep writing to it")
            }
        }
    }

    private func refuse(ifLive found: StoredObject) throws(SinkRefusal) {
        guard found.header(PublishedObject.inspectionHeader) == nil else { return }
        throw SinkRefusal("something live is there; name another prefix")
    }

    /// What is there under the name of an inspection may be replaced, and nothing else.
    private func bring(_ object: NewObject, _ key: String, to store: ObjectStore) async throws {
        let found = try await store.head(key)
        if let found { try refuse(ifLive: found) }
        let condition = found.map { PutCondition.unchanged(tag: $0.tag) } ?? .absent
        guard try await store.put(object, key, if: condition) else {
            throw SinkRefusal("others keep writing to it")
        }
    }
}

// MARK: - Objects

extension StoreInspection {
    private var target: SnapshotPointer {
        SnapshotPointer(
            app: inspection.app,
            sequence: inspection.sequence,
            digest: ContentDigest(of: inspection.manifest.bytes)
        )
    }

    private var pointer: NewObject { marked(target.bytes, SnapshotPointer.mediaType) }

    private var objects: [(key: String, object: NewObject)] {
        let folder = target.folder
        let types = Dictionary(
            inspection.manifest.files.map { ($0.name.text, $0.mediaType) }
        ) { first, _ in first }
        return inspection.files.map { file in
            let mediaType = types[file.name] ?? "application/json"
            return (key: "\(folder)/\(file.name)", object: marked(file.bytes, mediaType))
        }
    }

    private func marked(_ body: [UInt8], _ mediaType: String) -> NewObject {
        NewObject(
            body,
            mediaType: mediaType,
            cacheControl: "no-store",
            metadata: [
                (name: PublishedObject.inspectionHeader, value: "\(inspection.event)")
            ]
        )
    }
}
