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
    private let logKeys: [VerifierKey]
    private let app: AppSlug?

    /// Nobody publishes so fast that more would help.
    private static let readingsMaximum = 3

    /// What was found to be so.
    package struct Finding: Sendable {
        package let snapshot: VerifiedSnapshot
        /// The newest checkpoint, which covers the snapshot's position.
        package let checkpoint: VerifiedCheckpoint

        package var manifest: Manifest { snapshot.manifest.manifest }
    }

    /// Takes where the snapshot's files and those of the log are read; where the app is not named,
    /// it is the one that the manifest names.
    package init(
        snapshot: @escaping PublicReading,
        log: @escaping PublicReading,
        keys: TrustedKeys,
        logKeys: [VerifierKey],
        app: AppSlug?
    ) {
        self.snapshot = snapshot
        self.log = log
        self.keys = keys
        self.logKeys = logKeys
        self.app = app
    }

    package func run() async throws -> Finding {
        let snapshot = try await verifiedSnapshot()
        let checkpoint = try await newestCheckpoint()
        let manifest = snapshot.manifest.manifest
        try await prove(manifest.issue.position, in: checkpoint)
        if let earlier = manifest.checkpoint {
            try await prove(checkpoint, extends: earlier)
        }
        return Finding(snapshot: snapshot, checkpoint: checkpoint)
    }

    /// The files are read one after another, and a publication may come in between: whoever has
    /// read of two snapshots finds another manifest there now, and reads again.
    ///
    /// What cannot be fetched is no doubt about what is published.
    private func verifiedSnapshot() async throws -> VerifiedSnapshot {
        var manifest = try await file(Manifest.fileName, of: snapshot)
        for _ in 1..<Self.readingsMaximum {
            do {
                return try await verified(manifest)
            } catch let doubt as SnapshotDoubt {
                let newest = try await file(Manifest.fileName, of: snapshot)
                guard newest != manifest else { throw doubt }
                manifest = newest
            }
        }
        return try await verified(manifest)
    }

    private func verified(_ bytes: [UInt8]) async throws -> VerifiedSnapshot {
        let signatures = try await file(Manifest.signaturesFileName, of: snapshot)
        do {
            // Whose it is said to be; the signature has to be one of that app's keys.
            let named = try app ?? Manifest(parsing: bytes).app
            let manifest = try Manifest.verify(
                bytes,
                signatures: signatures,
                keys: keys,
                expectedApp: named
            ).get()
            var bodies: [FileName: [UInt8]] = [:]
            for file in manifest.manifest.files {
                bodies[file.name] = try await snapshot(file.name.text)
            }
            return try manifest.verify(bodies).get()
        } catch let refusal as VerificationRefusal {
            throw SnapshotDoubt(refusal.file?.text ?? Manifest.fileName, refusal.description)
        } catch let issues as JSONIssues {
            let refusal = VerificationRefusal.manifestMalformed(issues.issues)
            throw SnapshotDoubt(Manifest.fileName, refusal.description)
        }
    }

    private func newestCheckpoint() async throws -> VerifiedCheckpoint {
        let bytes = try await file(SnapshotDoubt.checkpoint, of: log)
        let signed: SignedCheckpoint
        do throws(CheckpointError) {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw SnapshotDoubt(SnapshotDoubt.checkpoint, error.description)
        }
        switch signed.verification(by: LogTrust(logKeys: logKeys)) {
        case .verified(let verified): return verified
        case .refused(let refusal):
            throw SnapshotDoubt(SnapshotDoubt.checkpoint, refusal.description)
        }
    }

    /// That there is an event at the position, in the tree that was signed.
    private func prove(_ position: Position, in checkpoint: VerifiedCheckpoint) async throws {
        let (index, size) = (Int(position.rawValue) - 1, checkpoint.root.size)
        guard index >= 0, index < size else {
            throw SnapshotDoubt(
                SnapshotDoubt.checkpoint,
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
        else { throw SnapshotDoubt("tile", "Tiles under event \(position) are missing.") }
        hashes.insert(tile)
        let proof = try InclusionProof(of: index, in: size) { try hashes.hash(of: $0) }
        guard proof.proves(try hashes.hash(of: leafPlace), in: checkpoint.root) else {
            throw SnapshotDoubt(
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
            throw SnapshotDoubt(
                SnapshotDoubt.checkpoint,
                "The manifest names a checkpoint over \(old) events of \(earlier.origin), but this"
                    + " one is over \(size) events of \(newest.origin)."
            )
        }
        let tiles = PublishedTiles(read: log)
        let outline = ProofOutline(from: old, to: size)
        guard let hashes = try await tiles.hashes(of: outline, size: size) else {
            throw SnapshotDoubt("tile", "Tiles between event \(old) and \(size) are missing.")
        }
        let proof = try ConsistencyProof(from: old, to: size) { try hashes.hash(of: $0) }
        guard proof.proves(newest.root, extends: MerkleRoot(size: old, hash: hash)) else {
            throw SnapshotDoubt(
                SnapshotDoubt.checkpoint,
                "It does not extend the checkpoint over \(old) events that the manifest names: the"
                    + " log forked."
            )
        }
    }

    private func file(_ name: String, of read: PublicReading) async throws -> [UInt8] {
        guard let bytes = try await read(name) else {
            throw SnapshotDoubt(
                name,
                "It is missing. The place of a snapshot ends in the app's name, as in"
                    + " …/distribution/harbour."
            )
        }
        return bytes
    }
}

/// The first file, or event, of a snapshot that does not fit.
package struct SnapshotDoubt: Error, Equatable, Sendable, CustomStringConvertible {
    package let place: String
    package let sentence: String

    static let checkpoint = "checkpoint"

    init(_ place: String, _ sentence: String) {
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

    /// Reads every event that the checkpoint covers: each has to be permitted, all have to make
    /// its root, those up to the snapshot's position have to make its bytes, and where the log was
    /// told of it, it has to have been this one.
    package func run(_ finding: SnapshotCheck.Finding) async throws {
        var trace = Trace(verifier: .deciding(rootsOf: []))
        let root = finding.checkpoint.root
        do {
            while trace.verifier.frontier.size < root.size {
                try await read(finding.manifest, upTo: root.size, &trace)
            }
            try trace.verifier.end()
        } catch let found as LogFlawFound {
            throw SnapshotDoubt("event \(found.position)", "\(found.flaw)")
        }
        guard trace.verifier.frontier.root == root else {
            throw SnapshotDoubt(
                "event 1",
                "The first \(root.size) events are not those that the checkpoint was signed over."
            )
        }
        try compare(finding, trace)
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
        else { throw SnapshotDoubt(address.path, "The entries cannot be read.") }
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

    private func compare(_ finding: SnapshotCheck.Finding, _ trace: Trace) throws {
        let position = finding.manifest.issue.position
        guard let plan = trace.plan, plan.describes(finding.snapshot) else {
            throw SnapshotDoubt(
                Manifest.fileName,
                "Events 1 to \(position) make other documents than those of the snapshot."
            )
        }
        let digest = ContentDigest(of: finding.snapshot.manifest.bytes).hex
        guard trace.digests.isEmpty || trace.digests.contains(digest) else {
            throw SnapshotDoubt(
                Manifest.fileName,
                "The log was told of another manifest under the sequence"
                    + " \(finding.manifest.sequence)."
            )
        }
    }
}
