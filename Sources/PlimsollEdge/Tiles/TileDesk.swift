import Dispatch
import NIOCore
import PlimsollLog
import Synchronization

/// Reads tiles for the threads that answer, on a thread of its own.
///
/// They never wait for a disk, since phones would wait with them. Whoever asks for tiles while
/// the disk hangs waits in a queue with an end.
final class TileDesk: Sendable {
    static let waitingMaximum = 128

    private let queue = DispatchQueue(label: "plimsoll.edge.tiles", qos: .utility)
    private let waiting = Mutex(0)

    /// Whether the tile will be delivered, on the desk's thread; not where too many wait already.
    func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        deliver: @escaping @Sendable (PreparedResource?) -> Void
    ) -> Bool {
        let isWelcome = waiting.withLock { count in
            guard count < Self.waitingMaximum else { return false }
            count += 1
            return true
        }
        guard isWelcome else { return false }
        queue.async { [self] in
            let resource = tiles.resource(address)
            waiting.withLock { $0 -= 1 }
            deliver(resource)
        }
        return true
    }

    /// The same for an event loop; `nil` where too many wait already.
    func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<PreparedResource?>? {
        let promise = eventLoop.makePromise(of: PreparedResource?.self)
        guard fetch(address, from: tiles, deliver: { promise.succeed($0) }) else {
            // A promise has to be kept.
            promise.succeed(nil)
            return nil
        }
        return promise.futureResult
    }
}
