import Foundation
import NIOCore
import NIOPosix

/// An S3 API in a process of its own, which checks signatures and can be made to behave badly.
///
/// It is moto's, and has the empty bucket `config`. What Python it needs `scripts/test` sees to.
package struct StoreProcess: Sendable {
    /// What it does with requests.
    package enum Behavior: String, Sendable {
        case well
        /// Answers 503.
        case away
        /// Answers after half a minute.
        case slow
        /// Does what a write asks, and closes the connection without an answer.
        case lost
        /// Answers 403.
        case refusing
        /// Answers 403 to who wants something deleted, once it did that some times.
        case keeping
        /// Has a write wait on its way until it behaves otherwise.
        case holding
        /// The same, and forgets under what condition the write was to be done.
        case heedless
    }

    package let port: Int

    /// The credentials that it knows, as they stand in an environment.
    package static let environment = [
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL
    private static let script =
        root
        .appending(path: "Tests/PlimsollPublishingTests/ObjectStore/Server/store.py").path

    /// The one that is named, else the one that `scripts/test` made, else the machine's.
    package static var python: String {
        if let named = ProcessInfo.processInfo.environment["PLIMSOLL_TEST_PYTHON"] { return named }
        let made = root.appending(path: ".build/python/bin/python3").path
        return FileManager.default.isExecutableFile(atPath: made) ? made : "python3"
    }

    /// Runs the store for as long as the body needs it.
    package static func with(_ body: (StoreProcess) async throws -> Void) async throws {
        let launcher = try await launcher.value()
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let port = loop.makePromise(of: Int.self)
        let connection = ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(PortReader(port: port))
                }
            }
            .connect(unixDomainSocketPath: launcher)
        defer { connection.whenSuccess { $0.close(promise: nil) } }
        connection.cascadeFailure(to: port)
        let deadline = loop.scheduleTask(in: .seconds(60)) {
            port.fail(StoreMissing(reason: "it said no port"))
        }
        let store = StoreProcess(port: try await port.futureResult.get())
        deadline.cancel()
        try await body(store)
    }

    /// The socket of the process that forks a store for each connection; it ends with this one.
    private static let launcher = MadeOnce<String> {
        let place = NSTemporaryDirectory() + "plimsoll-stores-\(UUID().uuidString)"
        let parent = ProcessInfo.processInfo.processIdentifier
        let start = try await run(python, [script, place, "\(parent)"])
        guard start.status == 0 else { throw StoreMissing(reason: start.errors) }
        return place
    }

    /// The address of a place in the bucket.
    package func address(_ folder: String = "live") -> String {
        "s3://config/\(folder)?endpoint=http://127.0.0.1:\(port)"
    }

    /// What to ask for so that it behaves so from now on; `lost` and `keeping` count to so many.
    package func url(of behavior: Behavior, times: Int = 1000) -> String {
        "http://127.0.0.1:\(port)/.behavior/\(behavior.rawValue)/\(times)"
    }

    /// Where it says what was written, a path a line.
    package var writes: String { "http://127.0.0.1:\(port)/.writes" }

    /// Where it says whether a write is held, once one is.
    package var held: String { "http://127.0.0.1:\(port)/.held" }
}

/// Takes the port that a store says, which comes in one piece.
private final class PortReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let port: EventLoopPromise<Int>

    init(port: EventLoopPromise<Int>) { self.port = port }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let number = Int(String(buffer: unwrapInboundIn(data))) else { return }
        port.succeed(number)
    }

    func channelInactive(context: ChannelHandlerContext) {
        port.fail(StoreMissing(reason: "it ended"))
    }
}

/// There is no S3 API to test against.
package struct StoreMissing: Error, CustomStringConvertible {
    package let reason: String

    package var description: String {
        """
        The tests need moto's server: pip install 'moto[server,s3]', and PLIMSOLL_TEST_PYTHON says \
        which Python has it. \(reason)
        """
    }
}
