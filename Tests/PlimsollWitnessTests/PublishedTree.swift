import HTTPTypes
import Hummingbird
import NIOCore
import PlimsollAPI
import PlimsollLog
import PlimsollTestSupport
import Synchronization
import Testing

/// A log that publishes what a test wants, on a port of its own.
final class PublishedTree: Sendable {
    private let files = Mutex<[String: [UInt8]]>([:])
    let signer: LogSigner

    private static let folder = "/log/"

    init(_ name: String = "log.example.com/harbour") throws {
        let name = try #require(KeyName(name))
        signer = try LogSigner(SignerKey(name: name, kind: .note))
    }

    var trust: LogTrust { LogTrust(logKeys: [signer.verifierKey]) }

    /// Publishes these entries, and forgets all that was there before.
    @discardableResult
    func publish(_ entries: [String]) throws -> SignedCheckpoint {
        var builder = TileBuilder()
        var tiles: [HashTile] = []
        for entry in entries { tiles += builder.append(leaf: .leaf(Array(entry.utf8))) }
        let signed = try signer.sign(builder.root)
        let all = (tiles + builder.partialTiles).map { ($0.address.path, $0.bytes) }
        files.withLock { files in
            files = Dictionary(uniqueKeysWithValues: all)
            files["checkpoint"] = signed.bytes
        }
        return signed
    }

    /// Puts something else in the place of a file; `nil` takes it away.
    func replace(_ path: String, _ bytes: [UInt8]?) {
        files.withLock { $0[path] = bytes }
    }

    func file(_ path: String) -> [UInt8]? { files.withLock { $0[path] } }

    /// Serves the files for as long as the body runs.
    func served<Result: Sendable>(
        _ body: (ServiceAddress, Transport) async throws -> Result
    ) async throws -> Result {
        try await withStandIn(
            { [self] request in
                guard request.path.hasPrefix(Self.folder),
                    let bytes = file(String(request.path.dropFirst(Self.folder.count)))
                else { return Response(status: .notFound) }
                return Response(
                    status: .ok,
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
                )
            },
            { text in
                let address = try #require(ServiceAddress("\(text)/log"))
                return try await Transport.with { try await body(address, $0) }
            }
        )
    }
}

/// What a witness is asked with, by whoever has read the tree.
func request(
    _ signed: SignedCheckpoint,
    from old: Int,
    _ tree: PublishedTree
) throws -> [UInt8] {
    let new = signed.checkpoint.root.size
    let proof = try ConsistencyProof(from: old, to: new) { subtree in
        let address = TileAddress(with: subtree, in: new)
        let bytes = try #require(tree.file(address.path))
        return try #require(HashTile(address, bytes: bytes)?.hash(of: subtree))
    }
    return AddCheckpointRequest(proof: proof, checkpoint: signed).bytes
}

func entries(_ range: ClosedRange<Int>, _ text: String = "entry") -> [String] {
    range.map { "\(text) \($0)" }
}
