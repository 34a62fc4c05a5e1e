package import PlimsollDocuments
package import PlimsollDomain

/// A snapshot that an edge serves, as another edge may fetch it: bytes, each with its digest.
package struct OfferedSnapshot: Sendable {
    /// Some bytes and what they are.
    package struct File: Sendable {
        package let name: String
        package let mediaType: String
        package let digest: ContentDigest
        package let body: [UInt8]

        init(_ name: String, _ mediaType: String, _ body: [UInt8], _ digest: ContentDigest) {
            (self.name, self.mediaType, self.body, self.digest) = (name, mediaType, body, digest)
        }
    }

    package let app: AppSlug
    package let sequence: SnapshotSequence
    package let manifest: File
    package let signatures: File
    /// What the manifest names, in its order.
    package let documents: [File]
    /// That the log recorded the manifest; `nil` until it is there.
    package var proof: File?

    package init(_ snapshot: VerifiedSnapshot, proof: [UInt8]? = nil) {
        let verified = snapshot.manifest
        app = verified.manifest.app
        sequence = verified.manifest.sequence
        manifest = Self.json(Manifest.fileName, verified.bytes)
        let signatures = verified.allSignatures
        self.signatures = File(
            Manifest.signaturesFileName,
            "text/plain; charset=utf-8",
            signatures,
            ContentDigest(of: signatures)
        )
        documents = snapshot.files.map { file in
            let description = file.description
            return File(
                description.name.text,
                description.mediaType,
                file.body,
                description.digest
            )
        }
        self.proof = proof.map(Self.proof)
    }

    package var files: [File] { [manifest, signatures] + documents + (proof.map { [$0] } ?? []) }

    static func proof(_ bytes: [UInt8]) -> File { json(Manifest.proofFileName, bytes) }

    private static func json(_ name: String, _ bytes: [UInt8]) -> File {
        File(name, "application/json", bytes, ContentDigest(of: bytes))
    }
}
