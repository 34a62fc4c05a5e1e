import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Takes gzip apart with the decompressor of an HTTP client.
enum Unzipping {
    static func unzip(_ bytes: [UInt8]) async throws -> [UInt8] {
        let channel = EmbeddedChannel(handler: NIOHTTPResponseDecompressor(limit: .none))
        var head = HTTPResponseHead(version: .http1_1, status: .ok)
        head.headers.add(name: "Content-Encoding", value: "gzip")
        head.headers.add(name: "Content-Length", value: String(bytes.count))
        try channel.writeOutbound(
            HTTPClientRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))
        )
        try channel.writeInbound(HTTPClientResponsePart.head(head))
        try channel.writeInbound(HTTPClientResponsePart.body(ByteBuffer(bytes: bytes)))
        try channel.writeInbound(HTTPClientResponsePart.end(nil))
        var body: [UInt8] = []
        while let part = try channel.readInbound(as: HTTPClientResponsePart.self) {
            if case .body(let bytes) = part { body += bytes.readableBytesView }
        }
        _ = try channel.finish(acceptAlreadyClosed: true)
        return body
    }
}
