import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PlimsollAPI
import PlimsollLog
import Synchronization
import Testing

/// A log that publishes what a test wants, on a port of its own.
final class PublishedTree: Sendable {
    private let files = Mutex<[String: [UInt8]]>([:])
    let signer: LogSigner

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
        _ body: @escaping @Sendable (ServiceAddress, Transport) async throws -> Result
    ) async throws -> Result {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let router = Router()
        router.get("log/**") { [self] _, context in
            let path = context.parameters.getCatchAll().joined(separator: "/")
            guard let bytes = file(path) else { throw HTTPError(.notFound) }
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "log") { _ in SwiftLogNoOpLogHandler() }
        )
        return try await withThrowingTaskGroup { group in
            group.addTask {
                try await application.run()
                return Result?.none
            }
            group.addTask {
                let found = await ports.first { _ in true }
                let text = "http://127.0.0.1:\(try #require(found))/log"
                let address = try #require(ServiceAddress(text))
                return try await Transport.with { try await body(address, $0) }
            }
            while let result = try await group.next() {
                if let result {
                    group.cancelAll()
                    return result
                }
            }
            throw CancellationError()
        }
    }
}

func entries(_ range: ClosedRange<Int>, _ text: String = "entry") -> [String] {
    range.map { "\(text) \($0)" }
}
