package import PlimsollDocuments
package import PlimsollDomain

/// The bytes of a snapshot, before they are signed: a function of the log alone.
package struct SnapshotPlan: Equatable, Sendable {
    package let app: AppSlug
    package let isDefault: Bool
    package let issue: SnapshotIssue
    package let basis: SnapshotBasis
    package let files: [PlannedFile]
    /// The keys that have to sign, in the order of their ids.
    package let keys: [KeyID]
    /// Which of them leads; `nil` where there is but one.
    package let leadingKey: KeyID?

    /// Renders what the edition holds.
    package init(_ edition: Edition) {
        app = edition.app
        isDefault = edition.isDefault
        issue = edition.order.issue
        basis = edition.basis
        files = Self.files(of: edition)
        keys = edition.activeKeys.map(\.id)
        leadingKey = keys.count > 1 ? edition.leadingKey : nil
    }

    /// Renders all of them at once, since phones wait for the last.
    private static func files(of edition: Edition) -> [PlannedFile] {
        let documents = edition.documents
        return concurrently(0..<documents.count + 1) { place in
            place < documents.count
                ? PlannedFile(documents[place], of: edition)
                : PlannedFile(edition.prince, of: edition)
        }.compactMap(\.self)
    }

    /// Whether the snapshot is what was planned; only the signatures themselves and the checkpoint
    /// that it names may differ.
    ///
    /// One that was made before manifests said what they rest on need not say it, and one that was
    /// made before there was a file for Prince of Versions need not have it. One that does not say
    /// under which settings it was made is of a program that told Prince of Versions in other words.
    package func describes(_ snapshot: VerifiedSnapshot) -> Bool {
        let manifest = snapshot.manifest.manifest
        let names = Set(snapshot.files.map(\.description.name))
        let expected = files.filter {
            names.contains($0.name) || $0.name != PrinceDocument.fileName
        }.sorted { $0.name < $1.name }
        let isReworded = manifest.basis?.settings == nil
        return manifest.app == app && manifest.isDefault == isDefault && manifest.issue == issue
            && manifest.leadingKey == leadingKey
            && manifest.basis.map { $0.agrees(with: basis) } ?? true
            && snapshot.files.count == expected.count
            && zip(expected, snapshot.files).allSatisfy { planned, file in
                isReworded && planned.name == PrinceDocument.fileName
                    ? planned.stands(for: file, keys) : planned.agrees(with: file, keys)
            }
    }

    /// The signatures that a file keeps, because the previous snapshot has it byte for byte, signed
    /// by the same keys: a signature has chance in it, and phones need not fetch what did not
    /// change.
    func kept(
        _ file: PlannedFile,
        from previous: VerifiedSnapshot?
    ) -> [DistributionSignature]? {
        guard let old = previous?.files.first(where: { $0.description.name == file.name }) else {
            return nil
        }
        return file.describes(old, keys) ? old.description.signatures : nil
    }
}
