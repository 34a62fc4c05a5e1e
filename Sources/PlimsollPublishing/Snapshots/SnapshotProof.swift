package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollEdge
package import PlimsollJSON
package import PlimsollLog
import PlimsollStore

/// That the log recorded the publication of exactly one manifest: `proof.json` beside it.
///
/// Who holds the content key can sign two manifests for one sequence; only what the log recorded
/// has a proof. It binds the documents as well, since the manifest has their digests.
package struct SnapshotProof: Equatable, Sendable {
    package let proof: EntryProof
    package let app: AppSlug
    package let record: PublicationRecord
    /// When the log recorded it.
    package let recordedAt: Instant
    /// What persons signed of what is live in it, the oldest change first.
    package let changes: [ChangeProof]

    /// Takes a proof of an entry, if that is a publication, told by the service itself.
    package init(_ proof: EntryProof) throws(SnapshotProofRefusal) {
        let inclusion = proof.proof.inclusion
        // Whoever wrote the file chose the number, which may be the largest there is.
        guard inclusion.index < inclusion.size else { throw .log(.path) }
        let event: RecordedEvent
        do throws(EntryError) {
            event = try EventCodec.decode(proof.entry, at: Position(inclusion.index + 1))
        } catch {
            throw .entryMalformed(error.description)
        }
        guard case .export(let app) = event.stream,
            case .export(.snapshotPublished(let record)) = event.event
        else { throw .noPublication }
        // Its bytes are published: nobody's name or words are in what the service tells.
        guard event.origin.actor == .system, event.origin.reason == nil else { throw .notTold }
        self.proof = proof
        (self.app, self.record, recordedAt) = (app, record, event.recordedAt)
        changes = try Self.changes(proof.changes, of: app)
    }

    /// Reads what persons signed, and refuses what is not.
    private static func changes(
        _ list: [JSONValue],
        of app: AppSlug
    ) throws(SnapshotProofRefusal) -> [ChangeProof] {
        guard list.count <= ChangeProof.countMaximum else { throw .changesTooMany(list.count) }
        let found: [ChangeProof]
        do throws(JSONIssues) {
            var reader = ObjectReader(["changes": .array(list)])
            let changes = reader.objects("changes", .refused, ChangeProof.read)
            found = try reader.finish { changes }
        } catch {
            throw .malformed(error.issues)
        }
        for change in found where !change.isSigned(of: app) { throw .changeUnsigned(change.id) }
        let fields = found.flatMap(\.fields)
        guard Set(fields).count == fields.count else { throw .fieldsClaimedTwice }
        return found
    }

    /// Reads the file.
    package init(parsing bytes: [UInt8]) throws(SnapshotProofRefusal) {
        let proof: EntryProof
        do throws(JSONIssues) {
            proof = try EntryProof(parsing: bytes)
        } catch {
            throw .malformed(error.issues)
        }
        try self.init(proof)
    }

    /// The place of the event in the log.
    package var position: Position { Position(proof.proof.inclusion.index + 1) }

    package var size: Int { proof.proof.checkpoint.checkpoint.root.size }

    /// Refuses to stand for any other manifest than the one that was recorded.
    package func check(_ manifest: VerifiedManifest) throws(SnapshotProofRefusal) {
        let (app, sequence) = (manifest.manifest.app, manifest.manifest.sequence)
        guard self.app == app else { throw .anotherApp(found: self.app, expected: app) }
        guard record.sequence == sequence else {
            throw .anotherSequence(found: record.sequence, expected: sequence)
        }
        guard record.manifestDigest == ContentDigest(of: manifest.bytes).hex else {
            throw .anotherManifest(sequence)
        }
    }

    /// Checks that it is of the manifest, and that the log's key signed what it leads to.
    package func verified(
        for manifest: VerifiedManifest,
        by trust: LogTrust
    ) throws(SnapshotProofRefusal) -> VerifiedCheckpoint {
        try check(manifest)
        switch proof.verification(by: trust) {
        case .verified(let checkpoint): return checkpoint
        case .refused(let refusal): throw .log(refusal)
        }
    }
}

extension SnapshotProof {
    /// Reads proofs for an edge: of a log whose keys are trusted, else by the key that lies beside.
    ///
    /// Where an edge knows no key, as one that reads a store and was given none, it serves what
    /// leads to its own checkpoint: whoever checks it need not trust the edge.
    package static func reader(trusting trust: LogTrust) -> ProofReader {
        { bytes, manifest, found in
            do throws(SnapshotProofRefusal) {
                let proof = try SnapshotProof(parsing: bytes)
                let keys = trust.logKeys.isEmpty ? [found].compactMap(\.self) : trust.logKeys
                guard !keys.isEmpty else {
                    try proof.check(manifest)
                    guard proof.proof.leadsToItsCheckpoint else {
                        throw SnapshotProofRefusal.log(.path)
                    }
                    return .proven(cosignatures: 0)
                }
                let verified = try proof.verified(
                    for: manifest,
                    by: LogTrust(logKeys: keys, witnesses: trust.witnesses)
                )
                return .proven(cosignatures: verified.cosignatures.count)
            } catch {
                return .refused(error.description)
            }
        }
    }
}

/// Why something is not the proof of a snapshot.
package enum SnapshotProofRefusal: Error, Equatable, Sendable {
    case malformed([JSONIssue])
    case entryMalformed(String)
    /// The entry is of something else.
    case noPublication
    /// Somebody else than the service recorded it.
    case notTold
    case anotherApp(found: AppSlug, expected: AppSlug)
    case anotherSequence(found: SnapshotSequence, expected: SnapshotSequence)
    /// The log recorded another manifest under the number.
    case anotherManifest(SnapshotSequence)
    case log(LogProofRefusal)
    case changesTooMany(Int)
    /// What it says of the change is not what persons signed.
    case changeUnsigned(ChangeID)
    /// Two changes are said to have written the same field last.
    case fieldsClaimedTwice
}

extension SnapshotProofRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let issues): issues.map(\.description).joined(separator: " ")
        case .entryMalformed(let sentence): sentence
        case .noPublication: "Its entry records no publication of a snapshot."
        case .notTold: "Its entry was not recorded by the service."
        case .anotherApp(let found, let expected):
            "Its entry is of a snapshot of \(found), and this one is of \(expected)."
        case .anotherSequence(let found, let expected):
            "Its entry is of the sequence \(found), and the manifest has \(expected)."
        case .anotherManifest(let sequence):
            "The log recorded another manifest under the sequence \(sequence)."
        case .log(let refusal): refusal.description
        case .changesTooMany(let count):
            "It has \(count) changes; at most \(ChangeProof.countMaximum) are allowed."
        case .changeUnsigned(let id):
            "The approvals of change \(id) are not signed by the keys that they name."
        case .fieldsClaimedTwice: "It has two changes for one field."
        }
    }
}
