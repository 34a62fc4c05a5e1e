import Logging
import Metrics
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollSystem

/// Keeps the list of each app's snapshots, and takes away those that need be kept no longer.
///
/// It has a thread and a task of its own, so that nobody who publishes waits for it. Only the leader
/// takes anything away, a part of it each time. What is current stays, and what is newer; of a snapshot
/// that cannot be read nobody knows how old it is, and it stays too.
struct SnapshotSweeper {
    static let task = "exporter sweep"

    private let store: SnapshotStore
    private let retention: SnapshotRetention
    private let lead: Leadership
    private let disk = Disk()
    private let logger: Logger
    private var known: [AppSlug: [SnapshotSequence: SnapshotIndex.Entry]] = [:]
    private var trouble: String?

    /// More than are published between two sweeps, and not so many that the disk is kept busy.
    static let removalsMaximum = 1000

    init(
        _ store: SnapshotStore,
        _ retention: SnapshotRetention,
        _ lead: Leadership,
        _ logger: Logger
    ) {
        self.store = store
        self.retention = retention
        self.lead = lead
        self.logger = logger
    }

    /// Sweeps whenever it is told the time; where that is in doubt nothing is old.
    mutating func run(_ times: AsyncStream<Instant?>) async {
        for await time in times { await sweep(at: time) }
    }

    private mutating func sweep(at now: Instant?) async {
        do {
            try await sweepAll(at: now)
            trouble = nil
        } catch {
            let sentence = "\(error)"
            guard !(error is ExportSuperseded), sentence != trouble else { return }
            trouble = sentence
            logger.warning("old snapshots are not swept", metadata: ["error": "\(sentence)"])
        }
    }

    /// Sees to every app once.
    mutating func sweepAll(at now: Instant?) async throws {
        let store = store
        let term = ExportTerm(try lead.confirm().epoch, in: store.folder)
        let end = now.map { $0.advanced(by: .seconds(-86_400 * retention.days)) }
        let apps = try await disk.run { () throws in
            try store.folder.snapshots.entries().compactMap(AppSlug.init).sorted()
        }
        var failure: FileError?
        for app in apps {
            let sweep = AppSweep(store: store, term: term, app: app, keeping: retention.count)
            let before = known[app] ?? [:]
            let removed: Int
            do {
                let (after, count) = try await disk.run { () throws in
                    try sweep.sweep(before, until: end)
                }
                (known[app], removed) = (after, count)
            } catch let error as FileError {
                // What one app's folder does not give back holds up no other.
                failure = failure ?? error
                continue
            }
            guard removed > 0 else { continue }
            Counter(label: "plimsoll.snapshots.removed").increment(by: removed)
            logger.info(
                "removed old snapshots",
                metadata: ["app.slug": "\(app)", "snapshots.count": "\(removed)"]
            )
        }
        if let failure { throw failure }
    }
}

/// One app's snapshots, at the disk.
private struct AppSweep: Sendable {
    let store: SnapshotStore
    let term: ExportTerm
    let app: AppSlug
    let keeping: Int

    typealias Known = [SnapshotSequence: SnapshotIndex.Entry]

    private var folder: ExportFolder { store.folder }

    /// Takes away what was issued before the end, and writes the list of what is left; answers what is
    /// known of that, and how many are gone.
    func sweep(_ known: Known, until end: Instant?) throws -> (Known, removed: Int) {
        guard let current = try store.current(of: app) else { return (known, 0) }
        var sequences = try folder.snapshots(of: app).entries()
            .compactMap { Int64($0).flatMap(SnapshotSequence.init(rawValue:)) }
            .filter { $0 <= current }.sorted()
        let gone = try end.map { try removed(of: sequences.dropLast(keeping), $0) } ?? []
        sequences.removeAll(where: gone.contains)
        var left: Known = [:]
        for sequence in sequences.suffix(SnapshotIndex.entriesMaximum) {
            left[sequence] = try known[sequence] ?? entry(sequence)
        }
        let newest = left.values.sorted { $0.issue.sequence > $1.issue.sequence }
        let index = SnapshotIndex(app: app, entries: newest).bytes
        let path = folder.snapshots(of: app) / SnapshotIndex.fileName
        if try !store.isSame(path, index) { try term.write(index, to: path) }
        // What is current may be lost, and signed anew under its number.
        left[current] = nil
        return (left, gone.count)
    }

    private func removed(
        of candidates: ArraySlice<SnapshotSequence>,
        _ end: Instant
    ) throws -> Set<SnapshotSequence> {
        var removed: Set<SnapshotSequence> = []
        for sequence in candidates.prefix(SnapshotSweeper.removalsMaximum) {
            guard let entry = try entry(sequence) else { continue }
            // Those that follow are younger.
            guard entry.issue.issuedAt < end else { break }
            try term.remove(folder.snapshot(sequence, of: app), named: "\(app)-\(sequence)")
            removed.insert(sequence)
        }
        return removed
    }

    /// What a manifest says of its own snapshot; nil where it cannot be read.
    private func entry(_ sequence: SnapshotSequence) throws(FileError) -> SnapshotIndex.Entry? {
        let path = folder.snapshot(sequence, of: app) / Manifest.fileName
        let read: [UInt8]?
        do throws(FileError) {
            read = try path.readIfPresent(sizeMaximum: SnapshotStore.fileSizeMaximum)
        } catch {
            guard error.isDamage else { throw error }
            read = nil
        }
        guard let bytes = read, let manifest = try? Manifest(parsing: bytes),
            manifest.sequence == sequence
        else { return nil }
        return SnapshotIndex.Entry(issue: manifest.issue, digest: ContentDigest(of: bytes))
    }
}
