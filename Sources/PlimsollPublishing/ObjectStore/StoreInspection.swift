package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollSystem

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
        limits: Transport.Limits = ObjectStore.usualLimits,
        now: @escaping @Sendable () -> Instant
    ) async throws(SinkRefusal) {
        do {
            try await ObjectStore.with(place, limits: limits, now: now) { store in
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
        } catch let refusal as SinkRefusal {
            throw refusal
        } catch let failure as StoreFailure {
            throw SinkRefusal(failure.description)
        } catch {
            throw SinkRefusal("the connection broke")
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
