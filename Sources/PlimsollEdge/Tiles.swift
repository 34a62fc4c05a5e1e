import Dispatch
import PlimsollLog
import PlimsollSystem
import Synchronization

/// The tiles under the checkpoint that is served, where they lie on the disk.
///
/// They are not kept: the log grows for ever, and few ask.
struct PublishedTiles: Sendable {
    private let size: Int
    private let read: @Sendable (TileAddress) -> [UInt8]?

    private static let prefix = Array("/distribution/log/".utf8)
    private static let pathBytesMaximum = 128
    private static let sizeMaximum = TileAddress.fullWidth * MerkleHash.byteCount
    /// A tile never changes: a longer one has another address.
    private static let cacheControl = "public, max-age=31536000, immutable"

    /// Takes how a tile is read; what cannot be read is not there.
    init(size: Int, read: @escaping @Sendable (TileAddress) -> [UInt8]?) {
        self.size = size
        self.read = read
    }

    init(in folder: Path, size: Int) {
        self.init(size: size) { address in
            // The loader complains of a folder that cannot be read.
            try? (folder / address.path).readIfPresent(sizeMaximum: Self.sizeMaximum)
        }
    }

    /// The tile that a path names; `nil` if the checkpoint does not cover all of it.
    func address(at path: Range<Int>, in bytes: Span<UInt8>) -> TileAddress? {
        let prefix = Self.prefix
        guard (prefix.count...Self.pathBytesMaximum).contains(path.count) else { return nil }
        for (place, byte) in prefix.enumerated() where bytes[path.lowerBound + place] != byte {
            return nil
        }
        var name: [UInt8] = []
        for index in path.dropFirst(prefix.count) { name.append(bytes[index]) }
        guard
            let address = TileAddress(path: String(decoding: name, as: UTF8.self)),
            case .hashes = address.content,
            address.isWithin(size: size)
        else { return nil }
        return address
    }

    /// Waits for the disk; `nil` where there is no such tile, or none of that width.
    func resource(_ address: TileAddress) -> PreparedResource? {
        guard
            let tile = read(address).flatMap({ HashTile(address, bytes: $0) }),
            let resource = EdgeResource(
                paths: [],
                mediaType: "application/octet-stream",
                signature: nil,
                body: tile.bytes
            )
        else { return nil }
        return PreparedResource(
            resource,
            cacheControl: Self.cacheControl,
            encodings: [.identity]
        )
    }
}

/// Reads tiles for the threads that answer, on a thread of its own.
///
/// They never wait for a disk, since phones would wait with them. Whoever asks for tiles while
/// the disk hangs waits in a queue with an end.
final class TileResponder: Sendable {
    static let waitingMaximum = 128

    private let queue = DispatchQueue(label: "plimsoll.edge.tiles", qos: .utility)
    private let waiting = Mutex(0)

    /// Whether the tile will be delivered, on the queue's thread; not where too many wait already.
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
}
