import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem

/// The prepared answers of one app's verified snapshot.
struct ServedApp {
    let publication: EdgeTable.Publication
    let isDefault: Bool
    /// Each file once for every key that has signed it and is trusted.
    let documents: [ServedDocument]
    /// The manifest and its signatures, for whoever wants to prove the whole snapshot; they stand
    /// at the app's own address only, since each app has its own.
    let proofs: [(name: String, resource: PreparedResource)]
    /// Of the folder it was read from.
    var identity: FileIdentity?

    private let snapshot: VerifiedSnapshot
    private let keys: TrustedKeys

    var sequence: SnapshotSequence { publication.sequence }

    /// Takes the keys that the snapshot was verified with.
    init(
        _ snapshot: VerifiedSnapshot,
        keys: TrustedKeys,
        cacheControl: String
    ) throws(LoadRefusal) {
        let manifest = snapshot.manifest.manifest
        (self.snapshot, self.keys) = (snapshot, keys)
        publication = EdgeTable.Publication(
            app: manifest.app,
            sequence: manifest.sequence,
            issuedAt: manifest.issue.issuedAt
        )
        isDefault = manifest.isDefault
        var documents: [ServedDocument] = []
        for file in snapshot.files {
            documents += try Self.documents(file, of: manifest, keys, cacheControl)
        }
        self.documents = documents
        proofs =
            manifest.signers.isDisjoint(with: keys.revoked)
            ? Self.proofs(of: snapshot.manifest, cacheControl) : []
    }

    /// Whether a snapshot has the same documents, byte for byte.
    func hasDocuments(of other: VerifiedSnapshot) -> Bool {
        snapshot.files.elementsEqual(other.files) {
            $0.description.name == $1.description.name && $0.body == $1.body
        }
    }

    /// The keys whose signatures are served.
    var shownKeys: Set<KeyID> { Set(documents.map(\.key)) }

    /// The same with other keys; `nil` where it makes no difference.
    ///
    /// What is served stays when a key is only forgotten; it goes when the key is revoked.
    func trusting(
        _ newKeys: TrustedKeys,
        cacheControl: String
    ) throws(LoadRefusal) -> ServedApp? {
        let keys = TrustedKeys(newKeys.all + keys.all, revoked: newKeys.revoked)
        let manifest = snapshot.manifest.manifest
        guard manifest.signers.filter({ keys.isTrusted($0, by: manifest.app) }) != shownKeys else {
            return nil
        }
        var app = try ServedApp(snapshot, keys: keys, cacheControl: cacheControl)
        app.identity = identity
        return app
    }

    /// Signatures of keys that came to be trusted later were not looked at when the snapshot was
    /// verified, so each is looked at here.
    private static func documents(
        _ file: VerifiedFile,
        of manifest: Manifest,
        _ keys: TrustedKeys,
        _ cacheControl: String
    ) throws(LoadRefusal) -> [ServedDocument] {
        let description = file.description
        let signatures = description.signatures.filter {
            keys.isTrusted($0.keyID, by: manifest.app)
                && $0.verify(file.body, keys: keys).verified != nil
        }
        let leader = manifest.leading(of: signatures)
        var documents: [ServedDocument] = []
        for signature in signatures {
            guard
                let resource = EdgeResource(
                    paths: [],
                    mediaType: description.mediaType,
                    signature: fields(signature),
                    body: file.body
                )
            else { throw .unservable(description.name) }
            documents.append(
                ServedDocument(
                    name: description.name.text,
                    key: signature.keyID,
                    leads: signature.keyID == leader?.keyID,
                    resource: PreparedResource(resource, cacheControl: cacheControl)
                )
            )
        }
        return documents
    }

    private static func proofs(
        of manifest: VerifiedManifest,
        _ cacheControl: String
    ) -> [(name: String, resource: PreparedResource)] {
        let files = [
            (Manifest.fileName, "application/json", manifest.bytes),
            (
                Manifest.signaturesFileName, "text/plain; charset=utf-8",
                manifest.signatures.bytes
            ),
        ]
        return files.compactMap { name, mediaType, body in
            EdgeResource(paths: [], mediaType: mediaType, signature: nil, body: body)
                .map { (name, PreparedResource($0, cacheControl: cacheControl)) }
        }
    }

    private static func fields(_ signature: DistributionSignature) -> EdgeResource.Signature {
        EdgeResource.Signature(value: signature.signature.headerValue, date: signature.date.text)
    }
}

/// One file as one key has signed it.
struct ServedDocument {
    /// The last part of its addresses.
    let name: String
    let key: KeyID
    /// Whether it stands at the addresses that name no key.
    let leads: Bool
    let resource: PreparedResource
}

extension TrustedKeys {
    fileprivate func isTrusted(_ id: KeyID, by app: AppSlug) -> Bool {
        guard let key = self[id] else { return false }
        return key.app == nil || key.app == app
    }
}
