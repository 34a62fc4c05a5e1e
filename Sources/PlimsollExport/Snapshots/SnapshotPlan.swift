package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollFiles

/// The bytes of a snapshot, before they are signed: a function of the log alone.
package struct SnapshotPlan: Equatable, Sendable {
    package let app: AppSlug
    package let isDefault: Bool
    package let issue: SnapshotIssue
    package let basis: SnapshotBasis
    package let files: [PlannedFile]
    /// The keys that have to sign, in the order of their ids.
    package let keys: [KeyID]

    /// Renders what the edition holds.
    package init(_ edition: Edition) {
        app = edition.app
        isDefault = edition.isDefault
        issue = edition.order.issue
        basis = edition.basis
        files =
            edition.documents.compactMap { PlannedFile($0, of: edition) }
            + [PlannedFile(edition.prince, of: edition)]
        keys = edition.activeKeys.map(\.id)
    }

    /// Whether the snapshot is what was planned; only the signatures themselves and the checkpoint
    /// that it names may differ.
    ///
    /// One that was made before manifests said what they rest on need not say it, and one that was
    /// made before there was a file for Prince of Versions need not have it.
    package func describes(_ snapshot: VerifiedSnapshot) -> Bool {
        let manifest = snapshot.manifest.manifest
        let names = Set(snapshot.files.map(\.description.name))
        let expected = files.filter {
            names.contains($0.name) || $0.name != PrinceDocument.fileName
        }.sorted { $0.name < $1.name }
        return manifest.app == app && manifest.isDefault == isDefault && manifest.issue == issue
            && manifest.basis.map { $0 == basis } ?? true && snapshot.files.count == expected.count
            && zip(expected, snapshot.files).allSatisfy { planned, file in
                planned.describes(file, keys)
            }
    }

    /// The files of the snapshot, its manifest and the manifest's signatures among them.
    ///
    /// A file that the previous snapshot has byte for byte, signed by the same keys, keeps those
    /// signatures: a signature has chance in it, and phones need not fetch what did not change.
    package func sign(
        with signers: [ContentSigner],
        keeping previous: VerifiedSnapshot?,
        naming checkpoint: NamedCheckpoint? = nil
    ) throws -> [PublishedFile] {
        precondition(signers.map(\.keyID) == keys, "the keys that sign are those of the plan")
        let described = try files.map { file in
            ManifestFile(
                name: file.name,
                mediaType: file.mediaType,
                body: file.body,
                sequence: file.sequence,
                signatures: try kept(file, from: previous)
                    ?? signers.map {
                        try DistributionSignature(signing: file.body, date: file.date, with: $0)
                    }
            )
        }
        var manifest = Manifest(app: app, isDefault: isDefault, issue: issue, files: described)
        (manifest.basis, manifest.checkpoint) = (basis, checkpoint)
        let bytes = manifest.bytes
        let signatures = ManifestSignatures(
            try signers.map { try Manifest.sign(bytes, with: $0) }
        )
        return files.map { PublishedFile(name: $0.name.text, bytes: $0.body) } + [
            PublishedFile(name: Manifest.fileName, bytes: bytes),
            PublishedFile(name: Manifest.signaturesFileName, bytes: signatures.bytes),
        ]
    }

    private func kept(
        _ file: PlannedFile,
        from previous: VerifiedSnapshot?
    ) -> [DistributionSignature]? {
        guard let old = previous?.files.first(where: { $0.description.name == file.name }) else {
            return nil
        }
        return file.describes(old, keys) ? old.description.signatures : nil
    }
}
