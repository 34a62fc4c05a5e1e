package import Crypto
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem

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
        // All of them at once, since phones wait for the last.
        files = concurrently(0..<edition.documents.count) { place in
            PlannedFile(edition.documents[place], of: edition.state)
        }
        keys = edition.activeKeys.map(\.id)
        leadingKey = keys.count > 1 ? edition.leadingKey : nil
    }

    /// Whether the snapshot is what was planned; only the signatures themselves and the checkpoint
    /// that it names may differ.
    ///
    /// One that was made before manifests said what they rest on need not say it, and one that was
    /// made before there was a format need not have it. One that does not say under which settings
    /// it was made is of a program that told such a format in other words.
    package func describes(_ snapshot: VerifiedSnapshot) -> Bool {
        let manifest = snapshot.manifest.manifest
        let names = Set(snapshot.files.map(\.description.name))
        let expected = files.filter {
            names.contains($0.name) || $0.format.isOriginal
        }.sorted { $0.name < $1.name }
        let isReworded = manifest.basis?.settings == nil
        return manifest.app == app && manifest.isDefault == isDefault && manifest.issue == issue
            && manifest.leadingKey == leadingKey
            && manifest.basis.map { $0.agrees(with: basis) } ?? true
            && snapshot.files.count == expected.count
            && zip(expected, snapshot.files).allSatisfy { planned, file in
                isReworded && !planned.format.isOriginal
                    ? planned.stands(for: file, keys) : planned.agrees(with: file, keys)
            }
    }

    /// The files of a snapshot that it describes which have other words than were planned: what they
    /// say is nobody's but whoever signed them.
    package func reworded(in snapshot: VerifiedSnapshot) -> [FileName] {
        snapshot.files.filter { file in
            files.contains { $0.name == file.description.name && !$0.agrees(with: file, keys) }
        }.map(\.description.name)
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

extension SnapshotPlan {
    /// The files of the snapshot, its manifest and the manifest's signatures among them.
    func sign(
        with signers: [CheckedSigner],
        keeping previous: VerifiedSnapshot?,
        naming checkpoint: NamedCheckpoint?
    ) async throws(PublicationFailure) -> [PublishedFile] {
        precondition(signers.map(\.keyID) == keys, "the keys that sign are those of the plan")
        let draft = SnapshotDraft(self, keeping: previous, naming: checkpoint)
        let manifest = draft.manifest(signed: try await sign(draft.digests, with: signers))
        let signatures = try await sign([manifest.digest], with: signers)
        return manifest.files(signed: signatures.flatMap(\.self))
    }

    /// For each key its signatures over all digests.
    private func sign(
        _ digests: [SHA256Digest],
        with signers: [CheckedSigner]
    ) async throws(PublicationFailure) -> [[KeySignature]] {
        var signatures: [[KeySignature]] = []
        for signer in signers {
            do throws(SignerFailure) {
                signatures.append(try await signer.sign(digests))
            } catch {
                throw .signer(signer.keyID, error)
            }
        }
        return signatures
    }
}

/// One file as it will be, and what its signature is dated with.
package struct PlannedFile: Equatable, Sendable {
    package let format: WireFormat
    package let body: [UInt8]
    /// What an earlier program made of the same document, where that was something else.
    private let formerBody: [UInt8]?
    /// The order that last concerned it; older than the snapshot's where nothing changed since.
    package let sequence: SnapshotSequence
    package let date: SignatureDate

    package var name: FileName { format.fileName }
    package var mediaType: String { format.mediaType }

    init(_ document: EditionDocument, of state: PublishedState) {
        format = document.format
        let rendered = document.format.render(state, document.order.issue)
        (body, formerBody) = (rendered.bytes, rendered.formerBytes)
        sequence = document.order.sequence
        date = SignatureDate(document.order.issuedAt)
    }

    /// Whether the file is this one, dated like it and signed by exactly these keys.
    func describes(_ file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        file.body == body && isDated(file, keys)
    }

    /// Whether the file is this one, or what an earlier program made in its place.
    func agrees(with file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        (file.body == body || file.body == formerBody) && isDated(file, keys)
    }

    private func isDated(_ file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        stands(for: file, keys) && file.description.sequence == sequence
            && file.description.signatures.allSatisfy { $0.date == date }
    }

    /// Whether the file has this one's place and is signed by exactly these keys, whatever it says.
    func stands(for file: VerifiedFile, _ keys: [KeyID]) -> Bool {
        file.description.name == name && file.description.mediaType == mediaType
            && file.description.signatures.map(\.keyID) == keys
    }
}

/// A snapshot on its way to its signatures: first those of its files, then those of the manifest,
/// which names them.
///
/// It signs nothing itself, since who does may be far away; it says what is to be signed.
package struct SnapshotDraft: Sendable {
    private let plan: SnapshotPlan
    private let kept: [FileName: [DistributionSignature]]
    private let checkpoint: NamedCheckpoint?

    /// What did not change since the previous snapshot keeps the signatures it has there.
    package init(
        _ plan: SnapshotPlan,
        keeping previous: VerifiedSnapshot?,
        naming checkpoint: NamedCheckpoint? = nil
    ) {
        self.plan = plan
        self.checkpoint = checkpoint
        var kept: [FileName: [DistributionSignature]] = [:]
        for file in plan.files { kept[file.name] = plan.kept(file, from: previous) }
        self.kept = kept
    }

    private var unsigned: [PlannedFile] { plan.files.filter { kept[$0.name] == nil } }

    /// What every key has to sign before there is a manifest.
    package var digests: [SHA256Digest] {
        unsigned.map { DistributionSignature.digest(date: $0.date, body: $0.body) }
    }

    /// The manifest, once every key has signed ``digests``.
    ///
    /// Takes for each key, in the order of their ids, its signatures in the order of the digests.
    package func manifest(signed: [[KeySignature]]) -> ManifestDraft {
        precondition(
            signed.count == plan.keys.count && signed.allSatisfy { $0.count == unsigned.count },
            "every key of the plan signs every file that keeps no signature"
        )
        var signatures = kept
        for (number, file) in unsigned.enumerated() {
            signatures[file.name] = signed.map {
                DistributionSignature(date: file.date, signature: $0[number])
            }
        }
        let described = plan.files.map { file in
            ManifestFile(
                name: file.name,
                mediaType: file.mediaType,
                body: file.body,
                sequence: file.sequence,
                signatures: signatures[file.name] ?? []
            )
        }
        var manifest = Manifest(
            app: plan.app,
            isDefault: plan.isDefault,
            issue: plan.issue,
            files: described
        )
        manifest.leadingKey = plan.leadingKey
        (manifest.basis, manifest.checkpoint) = (plan.basis, checkpoint)
        return ManifestDraft(files: plan.files, bytes: manifest.bytes)
    }
}

/// A whole snapshot but for the signatures of its manifest.
package struct ManifestDraft: Sendable {
    private let planned: [PlannedFile]
    private let bytes: [UInt8]

    fileprivate init(files: [PlannedFile], bytes: [UInt8]) {
        planned = files
        self.bytes = bytes
    }

    /// What every key has to sign.
    package var digest: SHA256Digest { Manifest.digest(bytes) }

    /// The files of the snapshot, its manifest and the manifest's signatures among them.
    package func files(signed: [KeySignature]) -> [PublishedFile] {
        planned.map { PublishedFile(name: $0.name.text, bytes: $0.body) } + [
            PublishedFile(name: Manifest.fileName, bytes: bytes),
            PublishedFile(
                name: Manifest.signaturesFileName,
                bytes: ManifestSignatures(signed).bytes
            ),
        ]
    }
}
