import Logging
package import PlimsollDocuments
import PlimsollDomain
package import PlimsollLog
import PlimsollSystem

/// What somebody who knows the log's entries makes of a proof that lies beside a manifest.
package enum ProofReading: Equatable, Sendable {
    /// It is of exactly this manifest, and so many known witnesses cosigned what it leads to.
    case proven(cosignatures: Int)
    /// It is not, for that reason.
    case refused(String)
}

/// Reads a proof for an edge, which knows no entries.
///
/// Takes the log's key that lies beside, if there is one, for who was given none to trust.
package typealias ProofReader =
    @Sendable (_ proof: [UInt8], VerifiedManifest, _ found: VerifierKey?) -> ProofReading

/// Which snapshot waits for witnesses, and with which proof.
struct UnwitnessedSnapshot: Equatable {
    let identity: FileIdentity?
    let proof: FileVersion?
}

/// A proof of the manifest that is served, ready to be sent.
struct ServedProof {
    let cosignatures: Int
    let resource: PreparedResource
    let file: OfferedSnapshot.File

    static let sizeMaximum = EntryProof.sizeMaximum

    /// `nil` where an answer could not carry it.
    init?(_ bytes: [UInt8], cosignatures: Int) {
        guard let resource = PreparedResource(bytes, "application/json") else { return nil }
        self.cosignatures = cosignatures
        file = OfferedSnapshot.proof(bytes)
        self.resource = resource
    }
}

extension ServedApp {
    /// Of a proof that came with a snapshot and the one that is served with the same manifest, that
    /// which more witnesses have seen: an origin that lags takes none back.
    func bestProof(of other: VerifiedSnapshot, bringing found: ServedProof?) -> ServedProof? {
        guard let proof, other.manifest.bytes == snapshot.manifest.bytes else { return found }
        guard let found, found.cosignatures >= proof.cosignatures else { return proof }
        return found
    }
}

extension SnapshotReader {
    /// What lies beside a manifest as its proof; nil where nothing does, or nothing that can be read.
    func proof(_ sequence: SnapshotSequence, of app: AppSlug) -> [UInt8]? {
        let place = folder(sequence, of: app) / Manifest.proofFileName
        return try? place.readIfPresent(sizeMaximum: ServedProof.sizeMaximum)
    }

    /// Which file that is, and as it was written last; nil where there is none.
    func proofVersion(_ sequence: SnapshotSequence, of app: AppSlug) -> FileVersion? {
        try? (folder(sequence, of: app) / Manifest.proofFileName).version()
    }
}

extension VerifiedManifest {
    /// What the log is told of a proof that is none.
    func metadata(refused reason: String) -> Logger.Metadata {
        [
            "app.slug": "\(manifest.app)", "snapshot.sequence": "\(manifest.sequence)",
            "refusal.reason": "\(reason)",
        ]
    }
}
