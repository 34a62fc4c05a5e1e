import PlimsollDocuments
import PlimsollDomain
import PlimsollFiles

/// The prepared answers of one app's verified snapshot.
struct ServedApp {
    let publication: EdgeTable.Publication
    let isDefault: Bool
    let resources: [(name: FileName, resource: PreparedResource)]
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
        var resources: [(FileName, PreparedResource)] = []
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
                (description.name, PreparedResource(resource, cacheControl: cacheControl))
            )
        }
        self.resources = resources
    }

    private static func fields(_ signature: DistributionSignature) -> EdgeResource.Signature {
        EdgeResource.Signature(value: signature.signature.headerValue, date: signature.date.text)
    }
}
