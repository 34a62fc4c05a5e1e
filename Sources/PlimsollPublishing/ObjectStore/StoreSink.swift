package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollLog
import PlimsollSystem

/// Publishes to an S3-compatible object store.
///
/// Phones read the documents there as they read them from the edge, signature headers and all, at
/// the addresses of each key too, and edges read whole snapshots. What is published no more is taken
/// away. The list of keys and the transparency log are not there.
package struct StoreSink: Sink {
    package let name: String
    package let followsOthers = false
    /// For so long a write that came late may stand over what phones fetch; a look costs a request for
    /// each object, and keeps something newer waiting meanwhile.
    package let repeatInterval: Duration? = .seconds(600)
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
        try await bringing(publication) { bringing in
            let addresses = try await bringing.run()
            try await StoreClearance(publication, addresses, bringing.store).run()
        }
    }

    package func take(
        _ proof: SnapshotProof,
        of publication: Publication
    ) async throws(SinkRefusal) {
        try await bringing(publication) { try await $0.bring(proof) }
    }

    private func bringing(
        _ publication: Publication,
        _ body: (StorePublication) async throws -> Void
    ) async throws(SinkRefusal) {
        try await ObjectStore.publishing(to: place, limits: limits, now: now) { store in
            try await body(
                StorePublication(
                    snapshot: publication.snapshot,
                    store: store,
                    cacheControl: cacheControl
                )
            )
        }
    }
}

extension ObjectStore {
    /// Keeps connections for as long as the body publishes; whatever fails is a reason of a sink.
    static func publishing(
        to place: StorePlace,
        limits: Transport.Limits = usualLimits,
        now: @escaping @Sendable () -> Instant,
        _ body: (ObjectStore) async throws -> Void
    ) async throws(SinkRefusal) {
        do {
            try await with(place, limits: limits, now: now) { try await body($0) }
        } catch let refusal as SinkRefusal {
            throw refusal
        } catch let failure as StoreFailure {
            throw SinkRefusal(failure.description)
        } catch {
            throw SinkRefusal("the connection broke")
        }
    }
}

/// Brings one snapshot to a store, object by object; each may be brought again.
///
/// The order, and why it holds whatever dies between two objects:
///
/// 1. All files under a name of their own, where nobody looks yet and nothing ever changes. Where
///    something newer is current by then, they are taken away again.
/// 2. What phones fetch: each document in one write with its signature, so that both are always of
///    one making, and once more for each key; both platforms, then what they are proven with.
/// 3. The pointer. Until then whoever follows it has the snapshot before, whole.
///
/// Every write has a condition: that nothing is there, or exactly what was just looked at and is no
/// newer. So an instance that slept through its successor's publication overwrites nothing.
struct StorePublication {
    let snapshot: VerifiedSnapshot
    let store: ObjectStore
    /// What caches may do with the documents.
    let cacheControl: String

    private static let forEver = "public, max-age=31536000, immutable"
    private static let notAtAll = "no-cache"
    /// How often somebody else may come in between a look and a write.
    private static let triesMaximum = 4

    private var manifest: Manifest { snapshot.manifest.manifest }
    private var pointer: SnapshotPointer { SnapshotPointer(snapshot) }

    /// Answers where phones find something now.
    func run() async throws -> Set<String> {
        try await refuseIfOld()
        try await bringKept()
        let fetched = fetched
        for object in fetched { try await bring(object) }
        try await bring(
            PublishedObject(
                StoreLayout.pointer(of: manifest.app),
                pointer.bytes,
                mediaType: SnapshotPointer.mediaType,
                cacheControl: Self.notAtAll,
                sequence: manifest.sequence
            )
        )
        return Set(fetched.map(\.key))
    }

    /// Brings the proof beside the snapshot, and to where others fetch it.
    func bring(_ proof: SnapshotProof) async throws {
        try await refuseIfOld()
        let name = Manifest.proofFileName
        for key in ["\(pointer.folder)/\(name)", StoreLayout.proof(of: manifest.app)] {
            try await bring(
                PublishedObject(
                    key,
                    proof.proof.bytes,
                    mediaType: "application/json",
                    cacheControl: cacheControl,
                    sequence: manifest.sequence
                )
            )
        }
    }

    /// Before anything is written for a snapshot that was overtaken.
    ///
    /// It asks for the body too: where a store refuses, only that says why.
    private func refuseIfOld() async throws {
        let pointer = StoreLayout.pointer(of: manifest.app)
        guard case .found(let found) = try await store.object(pointer) else { return }
        guard found.header(PublishedObject.inspectionHeader) == nil else {
            throw SinkRefusal("what is there was exported for inspection; name another prefix")
        }
        try refuse(ifNewer: found)
    }

    private func bringKept() async throws {
        var isNew = false
        do {
            // The manifest comes last: where it was there, others may count on what is beside it.
            for object in kept { isNew = try await bring(object) }
        } catch {
            try? await takeBackIfOld()
            throw error
        }
        if isNew { try await takeBackIfOld() }
    }

    /// Takes the snapshot away again where it was overtaken while it was written.
    ///
    /// Whoever brought the newer one may have cleared the store before this one was there: a key that
    /// signed it may be compromised by now.
    private func takeBackIfOld() async throws {
        do {
            try await refuseIfOld()
        } catch let refusal as SinkRefusal {
            for object in kept {
                guard let found = try await store.head(object.key), object.isWhat(found) else {
                    continue
                }
                _ = try await store.delete(object.key, if: found.tag)
            }
            throw refusal
        }
    }

    private func refuse(ifNewer found: StoredObject) throws(SinkRefusal) {
        guard let sequence = PublishedObject.sequence(of: found), sequence > manifest.sequence
        else { return }
        throw SinkRefusal(
            "it has snapshot \(sequence), and \(manifest.sequence) is older; nothing is overwritten"
        )
    }

    /// Has the object under its key; answers whether it had to be written.
    @discardableResult
    private func bring(_ object: PublishedObject) async throws -> Bool {
        for _ in 0..<Self.triesMaximum {
            let found = try await store.head(object.key)
            if let found, object.isWhat(found) { return false }
            if try await write(object, over: found) { return true }
        }
        throw SinkRefusal("others keep writing to it")
    }

    /// Writes over what was just looked at; false where somebody came in between.
    private func write(
        _ object: PublishedObject,
        over found: StoredObject?
    ) async throws -> Bool {
        if let found { try refuse(ifNewer: found) }
        let condition = found.map { PutCondition.unchanged(tag: $0.tag) } ?? .absent
        do throws(StoreFailure) {
            guard try await store.put(object.content, object.key, if: condition) else {
                return false
            }
        } catch {
            guard error.leavesOutcomeOpen else { throw error }
            // Perhaps only the answer was lost.
            guard let left = try await store.head(object.key), object.isWhat(left) else {
                throw error
            }
        }
        try FaultPoint.reached("export.store.written")
        return true
    }
}

// MARK: - Objects

extension StorePublication {
    /// The snapshot as edges read it: who has signed it stands in the manifest.
    private var kept: [PublishedObject] {
        let folder = pointer.folder
        return files.map { file in
            PublishedObject(
                "\(folder)/\(file.name)",
                file.body,
                mediaType: file.mediaType,
                cacheControl: Self.forEver,
                sequence: manifest.sequence
            )
        }
    }

    /// The snapshot as phones read it, or a cache before them.
    private var fetched: [PublishedObject] {
        files.flatMap { file in
            let leading = manifest.leading(of: file.signatures)
            let keyless = StoreLayout.addresses(
                of: file.name,
                manifest.app,
                isDefault: manifest.isDefault && leading != nil
            )
            return keyless.map { object($0, file, leading) }
                + file.signatures.map { signature in
                    let key = signature.keyID
                    let address = StoreLayout.address(of: file.name, manifest.app, signedBy: key)
                    return object(address, file, signature)
                }
        }
    }

    private func object(
        _ key: String,
        _ file: File,
        _ signature: DistributionSignature?
    ) -> PublishedObject {
        PublishedObject(
            key,
            file.body,
            mediaType: file.mediaType,
            cacheControl: cacheControl,
            signature: signature,
            sequence: manifest.sequence
        )
    }

    private struct File {
        let name: String
        let body: [UInt8]
        let mediaType: String
        let signatures: [DistributionSignature]
    }

    /// The documents, then what they are proven with.
    private var files: [File] {
        let documents = snapshot.files.map { file in
            File(
                name: file.description.name.text,
                body: file.body,
                mediaType: file.description.mediaType,
                signatures: file.description.signatures
            )
        }
        return documents + [
            File(
                name: Manifest.signaturesFileName,
                body: snapshot.manifest.signatures.bytes,
                mediaType: "text/plain; charset=utf-8",
                signatures: []
            ),
            File(
                name: Manifest.fileName,
                body: snapshot.manifest.bytes,
                mediaType: "application/json",
                signatures: []
            ),
        ]
    }
}

/// One object of a publication: what is written, where, and what tells it from another one.
struct PublishedObject {
    let key: String
    let content: NewObject
    /// Of the body and all that is kept with it, so that a look at the head says whether what is
    /// in the store is this.
    let digest: ContentDigest

    static let sequenceHeader = "x-amz-meta-plimsoll-sequence"
    static let digestHeader = "x-amz-meta-plimsoll-digest"
    /// The event whose state an object shows that is there to be looked at, and never live.
    static let inspectionHeader = "x-amz-meta-plimsoll-inspection"

    init(
        _ key: String,
        _ body: [UInt8],
        mediaType: String,
        cacheControl: String,
        signature: DistributionSignature? = nil,
        sequence: SnapshotSequence
    ) {
        let signed = signature?.headers ?? []
        let description = ([mediaType, cacheControl] + signed.map(\.value)).joined(separator: "\n")
        let digest = ContentDigest(of: Array("\(description)\n".utf8) + body)
        self.key = key
        self.digest = digest
        content = NewObject(
            body,
            mediaType: mediaType,
            cacheControl: cacheControl,
            metadata: signed + [
                (name: Self.digestHeader, value: digest.hex),
                (name: Self.sequenceHeader, value: "\(sequence)"),
            ]
        )
    }

    /// Whether the store has it already, whoever brought it there.
    func isWhat(_ found: StoredObject) -> Bool { found.header(Self.digestHeader) == digest.hex }

    /// The snapshot that an object in the store was written for; `nil` where others wrote it.
    static func sequence(of found: StoredObject) -> SnapshotSequence? {
        found.header(sequenceHeader).flatMap { Int64($0) }
            .flatMap(SnapshotSequence.init(rawValue:))
    }
}
