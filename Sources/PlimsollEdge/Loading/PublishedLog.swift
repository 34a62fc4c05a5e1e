import Dispatch
import PlimsollLog
import PlimsollSystem

/// Reads the transparency log from an export folder.
///
/// Whoever checks the log need not trust the edge, so the edge checks only what would confuse:
/// that the checkpoint is signed by the key beside it, that its tiles are there, and that the log
/// neither shrinks nor changes its key while it is served.
struct PublishedLogReader {
    private let folder: Path

    private static let sizeMaximum = SignedNote.byteCountMaximum

    init(_ export: Path) {
        folder = export / "log"
    }

    /// The log if it is another one than is served; `nil` if there is nothing new.
    func log(after served: ServedLog?) throws(LogRefusal) -> ServedLog? {
        guard let note = try read("checkpoint"), note != served?.checkpoint.bytes else {
            return nil
        }
        let checkpoint = try verified(note, after: served)
        guard let log = ServedLog(checkpoint.signed, by: checkpoint.key, in: folder) else {
            throw .malformed("the checkpoint")
        }
        for address in TileAddress.added(from: served?.root.size ?? 0, to: log.root.size) {
            guard case .hashes = address.content else { continue }
            guard try isThere(address) else { throw .tileMissing(address) }
        }
        return log
    }

    private func verified(
        _ note: [UInt8],
        after served: ServedLog?
    ) throws(LogRefusal) -> (signed: SignedCheckpoint, key: VerifierKey) {
        guard
            let text = try read("key"),
            let key = try? VerifierKey(parsing: String(decoding: text.dropLast(), as: UTF8.self)),
            key.kind == .note
        else { throw .malformed("the key") }
        guard let signed = try? SignedCheckpoint(parsing: note) else {
            throw .malformed("the checkpoint")
        }
        guard case .verified = signed.verification(by: LogTrust(logKeys: [key])) else {
            throw .notSigned
        }
        if let served {
            let root = signed.checkpoint.root
            guard key == served.key else { throw .otherKey }
            guard root.size > served.root.size || root == served.root else {
                throw .older(found: root.size, known: served.root.size)
            }
        }
        return (signed, key)
    }

    /// The tile, or the full one that has replaced it meanwhile.
    private func isThere(_ address: TileAddress) throws(LogRefusal) -> Bool {
        do {
            for stored in address.isFull ? [address] : [address, address.full]
            where try (folder / stored.path).status()?.kind == .file {
                return true
            }
            return false
        } catch {
            throw .unreadable(error)
        }
    }

    private func read(_ name: String) throws(LogRefusal) -> [UInt8]? {
        do {
            return try (folder / name).readIfPresent(sizeMaximum: Self.sizeMaximum)
        } catch {
            throw .unreadable(error)
        }
    }
}

/// Why the transparency log on the disk is not served; what was served before is served on.
enum LogRefusal: Error, Equatable {
    case unreadable(FileError)
    case malformed(String)
    case notSigned
    case otherKey
    case older(found: Int, known: Int)
    case tileMissing(TileAddress)
}

extension LogRefusal: CustomStringConvertible {
    var description: String {
        switch self {
        case .unreadable(let error): "The log cannot be read: \(error)."
        case .malformed(let part): "\(part) of the log is not in its form."
        case .notSigned: "The checkpoint is not signed by the key beside it."
        case .otherKey: "The log has another key than before; start the edge anew to go over to it."
        case .older(let found, let known):
            "The checkpoint is over \(found) events, and one over \(known) was served already; to go"
                + " back on purpose, start the edge anew."
        case .tileMissing(let address): "The tile \(address) is missing."
        }
    }
}

/// The transparency log as it is served: the newest checkpoint, the key that checks it, and where
/// the tiles lie.
struct ServedLog {
    let key: VerifierKey
    let checkpoint: SignedCheckpoint
    let tiles: PublishedTiles
    private let checkpointAnswer: PreparedResource
    private let keyAnswer: PreparedResource

    /// Followers look every few seconds; nobody should wait longer for the newest root.
    private static let checkpointCacheControl = "public, max-age=5"
    private static let text = "text/plain; charset=utf-8"
    private static let root = "/distribution/log"

    var root: MerkleRoot { checkpoint.checkpoint.root }

    /// `nil` if there is something in it that no answer can carry.
    init?(_ checkpoint: SignedCheckpoint, by key: VerifierKey, in folder: Path) {
        let lifetime = EdgeTable.defaultCacheControl
        guard
            let note = Self.prepare(checkpoint.bytes, Self.checkpointCacheControl),
            let verifier = Self.prepare(Array("\(key)\n".utf8), lifetime)
        else { return nil }
        (self.key, self.checkpoint) = (key, checkpoint)
        (checkpointAnswer, keyAnswer) = (note, verifier)
        tiles = PublishedTiles(in: folder, size: checkpoint.checkpoint.root.size)
    }

    var places: [EdgePlace] {
        [
            EdgePlace(checkpointAnswer, at: ["\(Self.root)/checkpoint"]),
            EdgePlace(keyAnswer, at: ["\(Self.root)/key"]),
        ]
    }

    /// What is this short is not worth compressing.
    private static func prepare(_ body: [UInt8], _ cacheControl: String) -> PreparedResource? {
        PreparedResource(body, text, cacheControl: cacheControl, encodings: [.identity])
    }
}

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
        guard
            let name = bytes.text(of: path, behind: Self.prefix, upTo: Self.pathBytesMaximum),
            let address = TileAddress(path: name),
            case .hashes = address.content,
            address.isWithin(size: size)
        else { return nil }
        return address
    }

    /// Waits for the disk; `nil` where there is no such tile, or none of that width.
    func resource(_ address: TileAddress) -> PreparedResource? {
        guard let tile = read(address).flatMap({ HashTile(address, bytes: $0) }) else {
            return nil
        }
        return PreparedResource(
            tile.bytes,
            "application/octet-stream",
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
    private let waiting = Admission(maximum: waitingMaximum)

    /// Whether the tile will be delivered, on the queue's thread; not where too many wait already.
    func fetch(
        _ address: TileAddress,
        from tiles: PublishedTiles,
        deliver: @escaping @Sendable (PreparedResource?) -> Void
    ) -> Bool {
        guard waiting.enter() else { return false }
        queue.async { [self] in
            let resource = tiles.resource(address)
            waiting.leave()
            deliver(resource)
        }
        return true
    }
}
