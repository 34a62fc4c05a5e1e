package import Crypto
package import PlimsollDocuments
package import PlimsollSystem

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
