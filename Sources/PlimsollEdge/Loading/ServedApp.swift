import PlimsollDocuments
import PlimsollDomain
import PlimsollFiles

/// The prepared answers of one app's verified snapshot.
struct ServedApp {
    let publication: EdgeTable.Publication
    let isDefault: Bool
    /// By the last part of their addresses.
    let resources: [(name: String, resource: PreparedResource)]
    /// The manifest and its signatures, for whoever wants to prove the whole snapshot; they stand
    /// at the app's own address only, since each app has its own.
    let proofs: [(name: String, resource: PreparedResource)]
    /// Of the folder it was read from.
    var identity: FileIdentity?

    var sequence: SnapshotSequence { publication.sequence }

    /// Every file becomes the document of its name, with the signature of a key that is trusted.
    init(
        _ snapshot: VerifiedSnapshot,
        keys: TrustedKeys,
        cacheControl: String
    ) throws(LoadRefusal) {
        let manifest = snapshot.manifest.manifest
        publication = EdgeTable.Publication(
            app: manifest.app,
            sequence: manifest.sequence,
            issuedAt: manifest.issue.issuedAt
        )
        isDefault = manifest.isDefault
        var resources: [(String, PreparedResource)] = []
        for file in snapshot.files {
            let description = file.description
            let signature = description.signatures.first { keys[$0.keyID] != nil }
            guard
                let resource = EdgeResource(
                    paths: [],
                    mediaType: description.mediaType,
                    signature: signature.map(Self.fields),
                    body: file.body
                )
            else { throw .unservable(description.name) }
            resources.append(
                (description.name.text, PreparedResource(resource, cacheControl: cacheControl))
            )
        }
        self.resources = resources
        proofs = Self.proofs(of: snapshot.manifest, cacheControl)
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
