import Foundation
import NIOCore
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollEdge
import Synchronization

/// What an edge offers other edges: the snapshots that it serves, and word of every new one.
///
/// It holds no more than the snapshots that are served, of each app the one before, for those who
/// were told of it and come a moment late, and what was said of it last.
package final class SnapshotOffers: Sendable {
    fileprivate struct State {
        var version: UInt64 = 0
        var entries: [AppSlug: OfferedEntry] = [:]
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

    /// Everything that is offered, and the mark of now.
    package func notices() -> (notices: [SnapshotNotice], mark: OfferMark) {
        state.withLock { state in
            (
                state.entries.values.map(\.notice).sorted { $0.app < $1.app },
                OfferMark(generation: generation, version: state.version)
            )
        }
    }

    /// The mark of now.
    var mark: OfferMark {
        OfferMark(generation: generation, version: state.withLock(\.version))
    }

    /// What to tell of all that is offered and was not at the mark, and the mark of now; everything
    /// where the mark is of another process.
    ///
    /// A notice brings files, where they are asked for, to who was told of the snapshot before: who
    /// was told less may know most of them.
    func lines(
        after mark: OfferMark?,
        withFiles: Bool
    ) -> (lines: [ByteBuffer], mark: OfferMark) {
        let known = mark?.generation == generation ? mark?.version : nil
        return state.withLock { state in
            let now = OfferMark(generation: generation, version: state.version)
            guard known != state.version else { return ([], now) }
            let new = state.entries.values.filter { $0.offeredAt > known ?? 0 }
            let lines = new.map(\.notice.app).sorted().compactMap { app in
                state.entries[app]?.line(for: withFiles ? known : nil)
            }
            return (lines, now)
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
        version += 1
        for snapshot in entry.held { release(snapshot) }
        for listener in listeners.values { listener.yield() }
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
        let next = OfferedEntry(notice, snapshot, offeredAt: version, after: known)
        for snapshot in next.held { hold(snapshot) }
        for snapshot in known?.held ?? [] { release(snapshot) }
        entries[snapshot.app] = next
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
