import Dispatch
import PlimsollDocuments
import PlimsollDomain
import PlimsollLog
import PlimsollPostgres
import PlimsollStore
import PlimsollSystem
import Synchronization

/// Makes an app's documents current, one step after another; each step may be made again.
struct SnapshotPublisher: Sendable {
    let store: SnapshotStore
    let keys: SigningKeys
    let disk: Disk
    /// For how long the log has said nothing.
    var silence: @Sendable () -> Duration = { .zero }
    let lead: Leadership
    let ledger: PublicationRecorder
    let readers: [LocalReader]
    /// Where a snapshot finds the checkpoint that it names; `nil` where none are published.
    let log: PublicLog?

    /// What is published now, checked; `nil` where nothing is, or nothing that can be used.
    ///
    /// Damage of what the edition still wants, and an export that is newer than the log, are
    /// failures: nothing may be written over either. Whatever is wrong with an older one is none.
    func standing(before edition: Edition) async throws(PublicationFailure) -> VerifiedSnapshot? {
        let (store, keys) = (store, edition.trustedKeys)
        return try await disk.run { () throws(PublicationFailure) -> VerifiedSnapshot? in
            let current: SnapshotSequence?
            do throws(FileError) {
                current = try store.current(of: edition.app)
            } catch {
                throw .disk(error)
            }
            guard let current else { return nil }
            guard current <= edition.order.sequence else {
                throw .ahead(published: current, ordered: edition.order.sequence)
            }
            guard current < edition.order.sequence else {
                return try store.snapshot(fitting: SnapshotPlan(edition), trusting: keys)
            }
            // What cannot be read is replaced by the newer one; it is only of no help for it.
            return try? store.snapshot(current, of: edition.app, trusting: keys)
        }
    }

    /// Writes what is published anew where it is damaged, with the same bytes; `nil` where these are
    /// not to be had.
    func mend(_ edition: Edition) async throws(PublicationFailure) -> VerifiedSnapshot? {
        let (store, keys, plan) = (store, edition.trustedKeys, SnapshotPlan(edition))
        return try await onDisk {
            guard let (files, snapshot) = try store.original(of: plan, trusting: keys) else {
                return nil
            }
            try store.mend(files, plan.issue.sequence, of: plan.app)
            let isHeld = try store.holds(files, plan.issue.sequence, of: plan.app)
            return isHeld ? snapshot : nil
        }
    }

    /// Puts a damaged snapshot aside that another one has replaced.
    func putAside(
        _ sequence: SnapshotSequence,
        of app: AppSlug
    ) async throws(PublicationFailure) {
        let store = store
        try await onDisk { try store.putAside(sequence, of: app) }
    }

    /// Has the edition's snapshot whole on the disk and checked: the one found there, or a new
    /// one.
    func prepare(
        _ edition: Edition,
        keeping previous: VerifiedSnapshot?
    ) async throws -> VerifiedSnapshot {
        let (store, keys, plan) = (store, keys, SnapshotPlan(edition))
        let (signers, isThere) = try await disk.run { () throws(PublicationFailure) in
            (try edition.signers(from: keys), try store.has(edition))
        }
        if !isThere {
            // Not on the disk's thread: a signer may be far away, and other apps go on meanwhile.
            let files = try await plan.sign(
                with: signers,
                keeping: previous,
                naming: try await newestCheckpoint()
            )
            if let snapshot = try await write(files, of: plan, trusting: edition.trustedKeys) {
                return snapshot
            }
        }
        return try await disk.run { () throws(PublicationFailure) in
            try store.makeLast(plan.app)
            return try store.snapshot(fitting: plan, trusting: edition.trustedKeys)
        }
    }

    /// Writes a snapshot, and checks it while the disk takes it; `nil` where what is read back is not
    /// what was written, or not as planned, and has to be looked at by itself.
    private func write(
        _ files: [PublishedFile],
        of plan: SnapshotPlan,
        trusting keys: TrustedKeys
    ) async throws(PublicationFailure) -> VerifiedSnapshot? {
        let (store, sequence, app) = (store, plan.issue.sequence, plan.app)
        async let checked = try? store.check(files, sequence, of: app, trusting: keys)
        let isHeld = try await onDisk {
            try FaultPoint.reached("export.snapshot.signed")
            try store.add(files, sequence, of: app)
            return try store.holds(files, sequence, of: app)
        }
        guard isHeld, let snapshot = await checked, plan.describes(snapshot) else { return nil }
        return snapshot
    }

    /// The checkpoint that a snapshot made now names; a log that cannot be published has none.
    private func newestCheckpoint() async throws -> NamedCheckpoint? {
        do throws(LogError) {
            return try await log?.newestCheckpoint().flatMap(NamedCheckpoint.init)
        } catch .database(let error) {
            throw error
        } catch {
            // It stands in the way of the log, not of documents.
            return nil
        }
    }

    /// Publishes what was prepared, unless another instance leads by now.
    func switchCurrent(to edition: Edition) async throws {
        let (store, epoch) = (store, try lead.confirm().epoch)
        try await disk.run { () throws in
            let term = ExportTerm(epoch, in: store.folder)
            do {
                try store.makeCurrent(edition.order.sequence, of: edition.app, in: term)
            } catch let error as FileError {
                throw PublicationFailure.disk(error)
            }
        }
    }

    func tellReaders(of app: AppSlug) async throws(PublicationFailure) {
        for reader in readers { await reader.look(app) }
        do {
            try FaultPoint.reached("export.readers.told")
        } catch {
            throw .disk(error)
        }
    }

    func makeCurrentLast() async throws(PublicationFailure) {
        let store = store
        try await onDisk { try store.makeCurrentLast() }
    }

    private func onDisk<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result
    ) async throws(PublicationFailure) -> Result {
        try await disk.run { () throws(PublicationFailure) in
            do {
                return try work()
            } catch let error as FileError {
                throw .disk(error)
            } catch {
                preconditionFailure("only files are touched here")
            }
        }
    }
}

extension SnapshotStore {
    fileprivate func has(_ edition: Edition) throws(PublicationFailure) -> Bool {
        do throws(FileError) {
            return try has(edition.order.sequence, of: edition.app)
        } catch {
            throw .disk(error)
        }
    }

    /// Has what was found in the app's folder last: whoever wrote it may have ended before that.
    fileprivate func makeLast(_ app: AppSlug) throws(PublicationFailure) {
        do throws(FileError) {
            try folder.snapshots(of: app).synchronizeFolder()
        } catch {
            throw .disk(error)
        }
    }

    /// The snapshot of the plan's number, if it is what the log says it has to be.
    fileprivate func snapshot(
        fitting plan: SnapshotPlan,
        trusting keys: TrustedKeys
    ) throws(PublicationFailure) -> VerifiedSnapshot {
        let sequence = plan.issue.sequence
        let found = try snapshot(sequence, of: plan.app, trusting: keys)
        guard plan.describes(found) else {
            throw .foreign(sequence, folder.snapshot(sequence, of: plan.app))
        }
        return found
    }
}

extension Edition {
    /// The app's keys, those that are retired among them; nothing that a compromised one has
    /// signed is believed.
    fileprivate var trustedKeys: TrustedKeys {
        TrustedKeys(
            keys.compactMap { key in
                PublicKey(der: key.record.publicKey).map {
                    TrustedKeys.Key(id: key.record.id, app: app, publicKey: $0)
                }
            },
            revoked: Set(keys.filter { $0.state == .compromised }.map(\.record.id))
        )
    }

    fileprivate func signers(
        from keys: SigningKeys
    ) throws(PublicationFailure) -> [CheckedSigner] {
        guard !activeKeys.isEmpty else { throw .noActiveKey(app) }
        do {
            return try activeKeys.map { key throws(SigningKeyError) in
                do throws(SigningKeyError) {
                    return try keys.checkedSigner(for: key)
                } catch {
                    CheckedSigner.countFailure(of: key.id)
                    throw error
                }
            }
        } catch {
            throw .signingKey(error)
        }
    }
}

extension NamedCheckpoint {
    /// Names what was signed; `nil` for a record that is no checkpoint.
    fileprivate init?(_ stored: StoredCheckpoint) {
        guard
            let signed = try? SignedCheckpoint(parsing: stored.note),
            let root = ContentDigest(hex: stored.root.hash.description)
        else { return nil }
        self.init(
            origin: signed.checkpoint.origin.text,
            size: Position(stored.root.size),
            root: root
        )
    }
}

/// The results of a short piece of work for each place, in order, made on all processors at once.
func concurrently<Result: Sendable>(
    _ places: Range<Int>,
    _ work: @Sendable (Int) -> Result
) -> [Result] {
    let results = Mutex([Result?](repeating: nil, count: places.count))
    DispatchQueue.concurrentPerform(iterations: places.count) { number in
        let result = work(places.lowerBound + number)
        results.withLock { $0[number] = result }
    }
    return results.withLock { $0.compactMap(\.self) }
}
