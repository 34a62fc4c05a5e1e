import Dispatch
import NIOCore
import PlimsollLog
import Synchronization

/// Reads tiles for the event loops, on a thread of its own.
///
/// A loop never waits for a disk, since phones would wait with it. Whoever asks for tiles while
/// the disk hangs waits in a queue with an end.
final class TileDesk: Sendable {
    static let waitingMaximum = 128

    private let queue = DispatchQueue(label: "plimsoll.edge.tiles", qos: .utility)
    private let waiting = Mutex(0)

    /// `nil` where too many wait already.
    func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<PreparedResource?>? {
        let isWelcome = waiting.withLock { count in
            guard count < Self.waitingMaximum else { return false }
            count += 1
            return true
        }
        guard isWelcome else { return nil }
        let promise = eventLoop.makePromise(of: PreparedResource?.self)
        queue.async { [self] in
            let resource = tiles.resource(address)
            waiting.withLock { $0 -= 1 }
            promise.succeed(resource)
        }
        return promise.futureResult
    }
}
