import Foundation
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollEdge
import Synchronization

/// What an edge offers other edges: the snapshots that it serves, and word of every new one.
///
/// It holds no more than the snapshots that are served, and of each app the one before, for those
/// who were told of it and come a moment late.
package final class SnapshotOffers: Sendable {
    fileprivate struct Entry {
        var offeredAt: UInt64
        var snapshot: OfferedSnapshot
        var notice: SnapshotNotice
        var former: OfferedSnapshot?
        /// What those are told who listen: the notice, with the files that are new if they are small.
        ///
        /// Made when the first one is told: most edges tell nobody.
        lazy var news = SnapshotNews(notice, bringing: snapshot, after: former).line
    }

    fileprivate struct State {
        var version: UInt64 = 0
        var entries: [AppSlug: Entry] = [:]
        /// By their digests, with how many snapshots have them.
        var files: [ContentDigest: (file: OfferedSnapshot.File, count: Int)] = [:]
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var listenersEver: UInt64 = 0
        var hasEnded = false
    }

    /// Another one in each process: its versions count for nobody else.
    private let generation = UUID()
    private let state = Mutex(State())

    package init() {}

    /// Offers these from now on and nothing else; whoever listens is told of what is new.
    package func offer(_ snapshots: [OfferedSnapshot]) {
        state.withLock { state in
            let offered = Set(snapshots.map(\.app))
            for app in state.entries.keys where !offered.contains(app) { state.withdraw(app) }
            for snapshot in snapshots { state.take(snapshot) }
        }
    }

    /// What is offered that was not at the mark, and the mark of now; everything where the mark
    /// is of another process.
    package func notices(
        after mark: OfferMark? = nil
    ) -> (notices: [SnapshotNotice], mark: OfferMark) {
        let known = mark?.generation == generation ? mark?.version ?? 0 : 0
        return state.withLock { state in
            let new = state.entries.values.filter { $0.offeredAt > known }
            return (
                new.map(\.notice).sorted { $0.app < $1.app },
                OfferMark(generation: generation, version: state.version)
            )
        }
    }

    /// The same as a line of text each, for somebody who goes on listening.
    ///
    /// What is new and small comes along. Who was told nothing yet may know most of it, and gets the
    /// notices alone.
    func news(after mark: OfferMark?) -> (lines: [String], mark: OfferMark) {
        guard let mark, mark.generation == generation else {
            let (notices, now) = notices()
            return (notices.map { SnapshotNews($0).line }, now)
        }
        return state.withLock { state in
            let new = state.entries.filter { $0.value.offeredAt > mark.version }.keys.sorted()
            return (
                new.compactMap { state.entries[$0]?.news },
                OfferMark(generation: generation, version: state.version)
            )
        }
    }

    /// Comes at once, then whenever something may be new, and as a sign of life; ends with the
    /// offers.
    package func signals() -> AsyncStream<Void> {
        let (signals, continuation) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { state in
            guard !state.hasEnded else { return continuation.finish() }
            state.listenersEver += 1
            let number = state.listenersEver
            state.listeners[number] = continuation
            continuation.onTermination = { [weak self] _ in self?.forget(number) }
            continuation.yield()
        }
        return signals
    }

    /// Gives everybody who listens a sign of life.
    package func signal() {
        state.withLock { state in
            for listener in state.listeners.values { listener.yield() }
        }
    }

    /// Lets everybody go who listens.
    package func end() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// The bytes that have a digest, of what is offered or was a moment ago.
    package func file(_ digest: ContentDigest) -> OfferedSnapshot.File? {
        state.withLock { $0.files[digest]?.file }
    }

    /// A file of what is offered of an app now.
    package func file(_ name: String, of app: AppSlug) -> OfferedSnapshot.File? {
        state.withLock { $0.entries[app]?.snapshot.files.first { $0.name == name } }
    }

    /// Which snapshot of each app is offered.
    package var sequences: [AppSlug: SnapshotSequence] {
        state.withLock { $0.entries.mapValues(\.snapshot.sequence) }
    }

    private func forget(_ number: UInt64) {
        state.withLock { $0.listeners[number] = nil }
    }
}

extension SnapshotOffers.State {
    fileprivate mutating func withdraw(_ app: AppSlug) {
        guard let entry = entries.removeValue(forKey: app) else { return }
        release(entry.snapshot)
        if let former = entry.former { release(former) }
    }

    private mutating func hold(_ snapshot: OfferedSnapshot) {
        for file in snapshot.files { files[file.digest, default: (file, 0)].count += 1 }
    }

    private mutating func release(_ snapshot: OfferedSnapshot) {
        for file in snapshot.files {
            files[file.digest]?.count -= 1
            if files[file.digest]?.count == 0 { files[file.digest] = nil }
        }
    }

    fileprivate mutating func take(_ snapshot: OfferedSnapshot) {
        let notice = SnapshotNotice(of: snapshot)
        let known = entries[snapshot.app]
        guard known?.notice != notice else { return }
        version += 1
        hold(snapshot)
        if let former = known?.former { release(former) }
        entries[snapshot.app] = SnapshotOffers.Entry(
            offeredAt: version,
            snapshot: snapshot,
            notice: notice,
            former: known?.snapshot
        )
        for listener in listeners.values { listener.yield() }
    }
}

/// Up to where somebody was told what an edge offers.
package struct OfferMark: Equatable, Sendable {
    fileprivate let generation: UUID
    fileprivate let version: UInt64

    fileprivate init(generation: UUID, version: UInt64) {
        (self.generation, self.version) = (generation, version)
    }
}

extension OfferMark: LosslessStringConvertible {
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let generation = UUID(uuidString: String(parts[0])),
            let version = UInt64(parts[1])
        else { return nil }
        self.init(generation: generation, version: version)
    }

    package var description: String { "\(generation.uuidString.lowercased()).\(version)" }
}
