import Crypto
package import Foundation
import NIOCore
import NIOPosix
package import NIOSSL
import Synchronization

/// A server on a real socket that answers as a test tells it to, well or badly, and remembers what
/// it was asked.
package final class ScriptedServer: Sendable {
    /// What it does with a request, on a connection that has no second one.
    package enum Reply: Sendable {
        /// Sends these bytes and closes.
        case bytes([UInt8])
        /// Sends these bytes and then nothing, for as long as the client waits.
        case part([UInt8])
        /// Sends these bytes, and then others again and again for as long as the client waits.
        case drip([UInt8], then: [UInt8])
        /// Closes without a byte.
        case hangUp
    }

    /// A request as it stood on the wire.
    package struct Request: Sendable {
        /// The head and the body.
        package let text: String

        package var body: String {
            text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
        }

        /// The value of a field; nil where there is none.
        package subscript(name: String) -> String? {
            text.split(separator: "\r\n").dropFirst().lazy
                .map { $0.split(separator: ":", maxSplits: 1) }
                .first { $0.first?.lowercased() == name.lowercased() }?.last
                .map { String($0.drop { $0 == " " }) }
        }
    }

    private let script: @Sendable (Request) -> Reply
    private let seen = Mutex<[Request]>([])

    private init(_ script: @escaping @Sendable (Request) -> Reply) {
        self.script = script
    }

    package var requests: [Request] { seen.withLock { $0 } }

    /// Runs the body against a server that answers every request by the script; at a port that the
    /// system chooses, or at one where a server was before; over TLS where it has a certificate.
    package static func with<Result>(
        at port: Int = 0,
        over tls: NIOSSLContext? = nil,
        _ script: @escaping @Sendable (Request) -> Reply,
        _ body: (ScriptedServer, _ port: Int) async throws -> Result
    ) async throws -> Result {
        let server = ScriptedServer(script)
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLServerHandler(context: tls)
                        )
                    }
                    try channel.pipeline.syncOperations.addHandler(Player(server: server))
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .get()
        do {
            let result = try await body(server, channel.localAddress?.port ?? 0)
            try await channel.close().get()
            return result
        } catch {
            try? await channel.close().get()
            throw error
        }
    }

    fileprivate func reply(to request: Request) -> Reply {
        seen.withLock { $0.append(request) }
        return script(request)
    }
}

/// Plays the server's part on one connection.
private final class Player: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: ScriptedServer
    private var received: [UInt8] = []
    private var dripping: RepeatedTask?

    init(server: ScriptedServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytesView
        let request = ScriptedServer.Request(text: String(decoding: received, as: UTF8.self))
        guard request.text.contains("\r\n\r\n"),
            request.body.utf8.count >= request["Content-Length"].flatMap({ Int($0) }) ?? 0
        else { return }
        received = []
        switch server.reply(to: request) {
        case .bytes(let bytes):
            let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)))
                .whenComplete { _ in loopBound.value.close(promise: nil) }
        case .part(let bytes):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        case .drip(let bytes, let drop):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
            dripping = context.eventLoop.scheduleRepeatedTask(
                initialDelay: .zero,
                delay: .milliseconds(5)
            ) { _ in
                loopBound.value.writeAndFlush(
                    NIOAny(ByteBuffer(bytes: drop)),
                    promise: nil
                )
            }
        case .hangUp: context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        dripping?.cancel()
        dripping = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Signs documents with a key of its own, as the service does, without any of its code.
package struct Publisher: Sendable {
    package let keyID: String
    private let key = P256.Signing.PrivateKey()

    package init(keyID: String = UUID().uuidString.lowercased()) {
        self.keyID = keyID
    }

    package var pem: String { key.publicKey.pemRepresentation }

    /// The values of the two headers, over the bytes as they are.
    package func headers(
        for body: Data,
        date: String = "Sat, 21 Nov 2026 10:22:06 UTC"
    ) throws -> (signature: String, date: String) {
        let signature = try key.signature(for: Data("\(date):".utf8) + body)
        let base64 = signature.derRepresentation.base64EncodedString()
        return ("keyId=\"\(keyID)\",signature=\"\(base64)\"", date)
    }

    /// A whole answer of HTTP with the signed body.
    package func answer(
        _ body: Data,
        status: String = "200 OK",
        fields: [String: String] = ["ETag": "\"1\"", "Cache-Control": "public, max-age=60"]
    ) throws -> [UInt8] {
        let headers = try headers(for: body)
        var fields = fields
        fields["x-amz-meta-signature"] = headers.signature
        fields["x-amz-meta-signature-date"] = headers.date
        return Self.unsigned(status, fields: fields, body: body)
    }

    /// An answer of HTTP that nobody signed.
    package static func unsigned(
        _ status: String,
        fields: [String: String] = [:],
        body: Data = Data()
    ) -> [UInt8] {
        var lines = ["HTTP/1.1 \(status)", "Connection: close"]
        if status.hasPrefix("304") == false { lines.append("Content-Length: \(body.count)") }
        lines += fields.map { "\($0.key): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }
}

/// What a document says, as the service writes it; change what a test needs otherwise.
package struct DocumentDraft: Sendable {
    package var app = "harbour"
    package var platform = "ios"
    package var sequence = 113
    package var issuedAt = "2026-11-21T10:22:06.714Z"
    package var expiresAt = "2026-11-28T10:22:06.714Z"
    /// All members but the stamp, each with its value as JSON.
    package var members = [
        "minimumAppVersion": #"{"value":"3.2.0","title":{},"description":{"en":"Too old."}}"#
    ]

    package init() {}

    package var body: Data {
        let stamp = """
            "plimsoll":{"app":"\(app)","expiresAt":"\(expiresAt)","issuedAt":"\(issuedAt)",\
            "platform":"\(platform)","position":\(sequence),"sequence":\(sequence)}
            """
        let others = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return Data("{\((others + [stamp]).joined(separator: ","))}".utf8)
    }
}
