package import PlimsollDocuments
package import PlimsollDomain
import PlimsollJSON
package import PlimsollLog
import PlimsollPublishing
import PlimsollStore

/// Looks at a published snapshot with nothing but public files and keys that are trusted.
package struct SnapshotCheck: Sendable {
    private let snapshot: PublicReading
    private let log: PublicReading
    private let keys: TrustedKeys
    private let trust: LogTrust
    private let app: AppSlug?
    /// Whether a snapshot without a proof is taken, as one that was published before there were any.
    package var acceptsUnproven = false

    /// Nobody publishes so fast that more would help.
    private static let readingsMaximum = 3

    /// What was found to be so.
    package struct Finding: Sendable {
        package let snapshot: VerifiedSnapshot
        /// The newest checkpoint, which covers the snapshot's position.
        package let checkpoint: VerifiedCheckpoint
        /// That the log recorded exactly this manifest; `nil` only where that was not demanded.
        package let record: Record?

        package var manifest: Manifest { snapshot.manifest.manifest }

        /// Whose signature stands behind what phones read of it.
        package var signedFields: SignedFields { SignedFields(snapshot, record?.changes ?? []) }
    }

    /// Where the log recorded a manifest, as was proven.
    package struct Record: Equatable, Sendable {
        package let position: Position
        /// How many events the checkpoint covers that the proof leads to.
        package let size: Int
        /// How many of the witnesses cosigned that checkpoint, or the newest, which extends it.
        package let cosignatures: Int
        /// When, as the service says.
        package let recordedAt: Instant
        /// What persons signed of what is in it.
        package let changes: [ChangeProof]
    }

    /// A snapshot with its proof, and the checkpoint that this leads to.
    private struct Proven {
        let snapshot: VerifiedSnapshot
        let proof: (proof: SnapshotProof, checkpoint: VerifiedCheckpoint)?
    }

    /// Takes where the snapshot's files and those of the log are read, and whose word counts of the
    /// log; where the app is not named, it is the one that the manifest names.
    package init(
        snapshot: @escaping PublicReading,
        log: @escaping PublicReading,
        keys: TrustedKeys,
        trust: LogTrust,
        app: AppSlug?
    ) {
        self.snapshot = snapshot
        self.log = log
        self.keys = keys
        self.trust = trust
        self.app = app
    }

    package func run() async throws -> Finding {
        let proven = try await verifiedSnapshot()
        let snapshot = proven.snapshot
        let checkpoint = try await newestCheckpoint()
        let manifest = snapshot.manifest.manifest
        try await prove(manifest.issue.position, in: checkpoint)
        if let earlier = manifest.checkpoint {
            try await prove(checkpoint, extends: earlier)
        }
        let seen = try await cosignatures(under: proven, and: checkpoint)
        let record = proven.proof.map { proof, _ in
            Record(
                position: proof.position,
                size: proof.size,
                cosignatures: seen,
                recordedAt: proof.recordedAt,
                changes: proof.changes
            )
        }
        return Finding(snapshot: snapshot, checkpoint: checkpoint, record: record)
    }

    /// How many witnesses saw what proves the snapshot, there or in a tree that goes on from it.
    private func cosignatures(
        under proven: Proven,
        and newest: VerifiedCheckpoint
    ) async throws -> Int {
        var found = 0
        if let (_, checkpoint) = proven.proof {
            try await prove(newest, extends: checkpoint)
            found = max(checkpoint.cosignatures.count, newest.cosignatures.count)
        }
        guard found >= trust.witnessesNeeded else {
            let needed = trust.witnessesNeeded
            let refusal = CheckpointRefusal.tooFewWitnesses(found: found, needed: needed)
            throw SnapshotMismatch(
                Manifest.proofFileName,
                "\(refusal.description) Witnesses see it within a minute or two of the publication."
            )
        }
        return found
    }

    /// The files are read one after another, and a publication may come in between: whoever has
    /// read of two snapshots finds another manifest there now, and reads again.
    ///
    /// What cannot be fetched is nothing against what is published.
    private func verifiedSnapshot() async throws -> Proven {
        var manifest = try await file(Manifest.fileName, of: snapshot)
        for _ in 1..<Self.readingsMaximum {
            do {
                return try await verified(manifest)
            } catch let mismatch as SnapshotMismatch {
                let newest = try await file(Manifest.fileName, of: snapshot)
                guard newest != manifest else { throw mismatch }
                manifest = newest
            }
        }
        return try await verified(manifest)
    }

    private func verified(_ bytes: [UInt8]) async throws -> Proven {
        let signatures = try await file(Manifest.signaturesFileName, of: snapshot)
        do {
            // Whose it is said to be; the signature has to be one of that app's keys.
            let named = try app ?? Manifest(parsing: bytes).app
            let manifest = try Manifest.verify(
                bytes,
                signatures: signatures,
                keys: keys,
                expectedApp: named
            )
            var bodies: [FileName: [UInt8]] = [:]
            for file in manifest.manifest.files {
                bodies[file.name] = try await snapshot(file.name.text)
            }
            let snapshot = try manifest.verify(bodies)
            return Proven(snapshot: snapshot, proof: try await proof(of: manifest))
        } catch let refusal as VerificationRefusal {
            throw SnapshotMismatch(refusal.file?.text ?? Manifest.fileName, refusal.description)
        } catch let issues as JSONIssues {
            let refusal = VerificationRefusal.manifestMalformed(issues.issues)
            throw SnapshotMismatch(Manifest.fileName, refusal.description)
        }
    }

    /// The proof beside the manifest; one that is there has to be of it.
    private func proof(
        of manifest: VerifiedManifest
    ) async throws -> (proof: SnapshotProof, checkpoint: VerifiedCheckpoint)? {
        guard let bytes = try await snapshot(Manifest.proofFileName) else {
            if acceptsUnproven { return nil }
            throw SnapshotMismatch(
                Manifest.proofFileName,
                "It is missing. It follows within seconds of the publication, once a checkpoint"
                    + " covers that; what was published before there were proofs has none, and"
                    + " --accept-unproven takes it."
            )
        }
        let seen = LogTrust(logKeys: trust.logKeys, witnesses: trust.witnesses)
        do throws(SnapshotProofRefusal) {
            let proof = try SnapshotProof(parsing: bytes)
            return (proof, try proof.verified(for: manifest, by: seen))
        } catch {
            throw SnapshotMismatch(Manifest.proofFileName, error.description)
        }
    }

    private func newestCheckpoint() async throws -> VerifiedCheckpoint {
        let bytes = try await file(SnapshotMismatch.checkpoint, of: log)
        let signed: SignedCheckpoint
        do throws(CheckpointError) {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw SnapshotMismatch(SnapshotMismatch.checkpoint, error.description)
        }
        switch signed.verification(
            by: LogTrust(logKeys: trust.logKeys, witnesses: trust.witnesses)
        ) {
        case .verified(let verified): return verified
        case .refused(let refusal):
            throw SnapshotMismatch(SnapshotMismatch.checkpoint, refusal.description)
        }
    }

    /// That there is an event at the position, in the tree that was signed.
    private func prove(_ position: Position, in checkpoint: VerifiedCheckpoint) async throws {
        let (index, size) = (Int(position.rawValue) - 1, checkpoint.root.size)
        guard index >= 0, index < size else {
            throw SnapshotMismatch(
                SnapshotMismatch.checkpoint,
                "It covers \(size) events, and the snapshot is of event \(position). The next"
                    + " checkpoint follows within seconds while a service exports."
            )
        }
        let leafPlace = PerfectSubtree(level: 0, index: index)
        let outline = ProofOutline(of: index, in: size)
        let tiles = PublishedTiles(read: log)
        let leafTile = TileAddress(with: leafPlace, in: size)
        guard var hashes = try await tiles.hashes(of: outline, size: size),
            let tile = try await tiles.tile(leafTile)
        else { throw SnapshotMismatch("tile", "Tiles under event \(position) are missing.") }
        hashes.insert(tile)
        let proof = try InclusionProof(of: index, in: size) { try hashes.hash(of: $0) }
        guard proof.proves(try hashes.hash(of: leafPlace), in: checkpoint.root) else {
            throw SnapshotMismatch(
                leafTile.path,
                "The tiles do not prove that event \(position) is in the tree that was signed."
            )
        }
    }

    /// That nothing was changed since the checkpoint that the manifest names.
    private func prove(
        _ newest: VerifiedCheckpoint,
        extends earlier: NamedCheckpoint
    ) async throws {
        let (old, size) = (Int(earlier.size.rawValue), newest.root.size)
        guard newest.origin.text == earlier.origin, old <= size,
            let hash = MerkleHash(hex: earlier.root.hex)
        else {
            throw SnapshotMismatch(
                SnapshotMismatch.checkpoint,
                "The manifest names a checkpoint over \(old) events of \(earlier.origin), but this"
                    + " one is over \(size) events of \(newest.origin)."
            )
        }
        guard try await extends(newest.root, MerkleRoot(size: old, hash: hash)) else {
            throw SnapshotMismatch(
                SnapshotMismatch.checkpoint,
                "It does not extend the checkpoint over \(old) events that the manifest names: the"
                    + " log forked."
            )
        }
    }

    /// That nothing was changed since the checkpoint that the snapshot is proven under.
    private func prove(
        _ newest: VerifiedCheckpoint,
        extends proven: VerifiedCheckpoint
    ) async throws {
        let (old, size) = (proven.root.size, newest.root.size)
        guard newest.origin == proven.origin, old <= size else {
            throw SnapshotMismatch(
                SnapshotMismatch.checkpoint,
                "It is over \(size) events of \(newest.origin), and the proof leads to one over"
                    + " \(old) events of \(proven.origin). Where a cache lags behind, ask again."
            )
        }
        guard try await extends(newest.root, proven.root) else {
            throw SnapshotMismatch(
                SnapshotMismatch.checkpoint,
                "It does not extend the checkpoint over \(old) events that the proof leads to: the"
                    + " log forked."
            )
        }
    }

    private func extends(_ newest: MerkleRoot, _ old: MerkleRoot) async throws -> Bool {
        let outline = ProofOutline(from: old.size, to: newest.size)
        let tiles = PublishedTiles(read: log)
        guard let hashes = try await tiles.hashes(of: outline, size: newest.size) else {
            throw SnapshotMismatch(
                "tile",
                "Tiles between event \(old.size) and \(newest.size) are missing."
            )
        }
        let proof = try ConsistencyProof(from: old.size, to: newest.size) {
            try hashes.hash(of: $0)
        }
        return proof.proves(newest, extends: old)
    }

    private func file(_ name: String, of read: PublicReading) async throws -> [UInt8] {
        guard let bytes = try await read(name) else {
            throw SnapshotMismatch(
                name,
                "It is missing. The place of a snapshot ends in the app's name, as in"
                    + " …/distribution/harbour."
            )
        }
        return bytes
    }
}

/// The first file, or event, of a snapshot that does not fit.
package struct SnapshotMismatch: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: String
    package let sentence: String

    static let checkpoint = "checkpoint"

    package init(_ place: String, _ sentence: String) {
        self.place = place
        self.sentence = sentence
    }

    package var description: String { "\(place): \(sentence)" }
}

/// Makes a snapshot anew from the entries of the log, and compares.
package struct SnapshotReplay: Sendable {
    private let entries: PublicReading

    /// Takes where bundles of entries such as `tile/entries/000` are read.
    package init(entries: @escaping PublicReading) {
        self.entries = entries
    }

    /// What has become of the snapshot in the log.
    private struct Trace: Sendable {
        var verifier: EntryVerifier
        var orders = PublicationOrders()
        var plan: SnapshotPlan?
        var digests: [String] = []
    }

    /// Answers the files whose words are those of an earlier program, which are not compared.
    ///
    /// Reads every event that the checkpoint covers: each has to be permitted, all have to make
    /// its root, those up to the snapshot's position have to make its bytes, and where the log was
    /// told of it, it has to have been this one.
    package func run(_ finding: SnapshotCheck.Finding) async throws -> [FileName] {
        var trace = Trace(verifier: .deciding(rootsOf: []))
        let root = finding.checkpoint.root
        do {
            while trace.verifier.frontier.size < root.size {
                try await read(finding.manifest, upTo: root.size, &trace)
            }
            try trace.verifier.end()
        } catch let found as LogFlawFound {
            throw SnapshotMismatch("event \(found.position)", "\(found.flaw)")
        }
        guard trace.verifier.frontier.root == root else {
            throw SnapshotMismatch(
                "event 1",
                "The first \(root.size) events are not those that the checkpoint was signed over."
            )
        }
        return try compare(finding, trace)
    }

    private func read(_ manifest: Manifest, upTo size: Int, _ trace: inout Trace) async throws {
        let begin = trace.verifier.frontier.size
        let width = min(TileAddress.fullWidth, size - begin)
        let index = begin / TileAddress.fullWidth
        guard let address = TileAddress(.entries, index: index, width: width) else {
            preconditionFailure("a bundle has entries")
        }
        guard let bytes = try await entries(address.path),
            let bundle = EntryBundle(address, bytes: bytes)
        else { throw SnapshotMismatch(address.path, "The entries cannot be read.") }
        for entry in bundle.entries {
            let event = try trace.verifier.take(entry)
            trace.orders.evolve(event)
            if event.position == manifest.issue.position {
                // Whatever was decided up to here is looked at before it is used.
                try trace.verifier.end()
                trace.plan = trace.verifier.audit.flatMap {
                    Edition(of: manifest.app, in: $0.logState, by: trace.orders)
                }.map(SnapshotPlan.init)
            }
            if event.stream == .export(manifest.app),
                case .export(.snapshotPublished(let record)) = event.event,
                record.sequence == manifest.sequence
            {
                trace.digests.append(record.manifestDigest)
            }
        }
    }

    private func compare(_ finding: SnapshotCheck.Finding, _ trace: Trace) throws -> [FileName] {
        let position = finding.manifest.issue.position
        guard let plan = trace.plan, plan.describes(finding.snapshot) else {
            throw SnapshotMismatch(
                Manifest.fileName,
                "Events 1 to \(position) make other documents than those of the snapshot."
            )
        }
        let digest = ContentDigest(of: finding.snapshot.manifest.bytes).hex
        guard trace.digests.isEmpty || trace.digests.contains(digest) else {
            throw SnapshotMismatch(
                Manifest.fileName,
                "The log was told of another manifest under the sequence"
                    + " \(finding.manifest.sequence)."
            )
        }
        return plan.reworded(in: finding.snapshot)
    }
}
