package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollEdge
package import PlimsollJSON

/// What an edge is told of a snapshot that another one serves: which it is, and the digests of all
/// that belongs to it.
///
/// Nobody has to believe it. What is fetched by these digests is verified as ever.
package struct SnapshotNotice: Equatable, Sendable {
    package let app: AppSlug
    package let sequence: SnapshotSequence
    package let manifest: ContentDigest
    package let signatures: ContentDigest
    /// In the order of the manifest.
    package let documents: [Document]
    /// `nil` until the log has recorded the manifest.
    package let proof: ContentDigest?

    /// A file that the manifest names.
    package struct Document: Equatable, Sendable {
        package let name: FileName
        package let digest: ContentDigest
    }

    fileprivate init(
        _ app: AppSlug,
        _ sequence: SnapshotSequence,
        _ manifest: ContentDigest,
        _ signatures: ContentDigest,
        _ documents: [Document],
        _ proof: ContentDigest?
    ) {
        (self.app, self.sequence, self.manifest) = (app, sequence, manifest)
        (self.signatures, self.documents, self.proof) = (signatures, documents, proof)
    }

    package init(of snapshot: OfferedSnapshot) {
        app = snapshot.app
        sequence = snapshot.sequence
        manifest = snapshot.manifest.digest
        signatures = snapshot.signatures.digest
        documents = snapshot.documents.compactMap { file in
            FileName(file.name).map { Document(name: $0, digest: file.digest) }
        }
        proof = snapshot.proof?.digest
    }
}

extension SnapshotNotice {
    /// More than a snapshot has, and less than would hurt.
    fileprivate static let documentsMaximum = 64

    /// Of all files that belong to the snapshot.
    var digests: Set<ContentDigest> {
        Set([manifest, signatures] + documents.map(\.digest) + (proof.map { [$0] } ?? []))
    }

    package var json: JSONValue {
        var object: JSONObject = [
            "app": .string(app.text),
            "sequence": .integer(sequence.rawValue),
            "manifest": .string(manifest.hex),
            "signatures": .string(signatures.hex),
            "documents": .array(
                documents.map {
                    .object(["name": .string($0.name.text), "digest": .string($0.digest.hex)])
                }
            ),
        ]
        if let proof { object["proof"] = .string(proof.hex) }
        return .object(object)
    }
}

extension ObjectReader {
    /// A notice whose members are the object's; `nil` if there is an issue.
    mutating func snapshotNotice() -> SnapshotNotice? {
        let app = string("app", needing: AppSlug.grammar, AppSlug.init)
        let sequence = member("sequence", needing: "a number above 0") {
            $0.integer.flatMap(SnapshotSequence.init(rawValue:))
        }
        let manifest = digest("manifest")
        let signatures = digest("signatures")
        let proof = optionalString("proof", needing: Self.digestGrammar, ContentDigest.init(hex:))
        let documents = objects("documents", .ignored) { reader in
            let name = reader.string("name", needing: "a file name", { FileName($0) })
            let digest = reader.digest("digest")
            return name.flatMap { name in
                digest.map { SnapshotNotice.Document(name: name, digest: $0) }
            }
        }
        guard let app, let sequence, let manifest, let signatures, let documents else { return nil }
        guard documents.count <= SnapshotNotice.documentsMaximum else {
            refuse("documents", "There are more than \(SnapshotNotice.documentsMaximum) documents.")
            return nil
        }
        return SnapshotNotice(app, sequence, manifest, signatures, documents, proof)
    }

    private static let digestGrammar = "a SHA-256 digest in 64 small hexadecimal digits"

    private mutating func digest(_ key: String) -> ContentDigest? {
        string(key, needing: Self.digestGrammar, ContentDigest.init(hex:))
    }
}
