import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Compresses bodies, once for every snapshot.
enum Gzip {
    /// The compressed form; nil where it would not be shorter.
    ///
    /// Equal bytes give equal results on every edge: the level is fixed and zlib's gzip header
    /// has neither a name nor a time. SwiftNIO's compressor is a channel handler, so it gets a
    /// channel, which lives as long as this call.
    static func compress(_ body: [UInt8]) -> [UInt8]? {
        guard !body.isEmpty else { return nil }
        let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
        // The compressor cannot fail at bytes; if the channel does, plain bytes are right too.
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        guard let compressed = try? run(body, through: channel) else { return nil }
        return compressed.count < body.count ? compressed : nil
    }

    private static func run(_ body: [UInt8], through channel: EmbeddedChannel) throws -> [UInt8] {
        var request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        request.headers.add(name: "Accept-Encoding", value: "gzip")
        try channel.writeInbound(HTTPServerRequestPart.head(request))

        let response = HTTPResponseHead(version: .http1_1, status: .ok)
        channel.write(HTTPServerResponsePart.head(response), promise: nil)
        channel.write(
            HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))),
            promise: nil
        )
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))

        var compressed: [UInt8] = []
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .body(.byteBuffer(let bytes)) = part {
                compressed += bytes.readableBytesView
            }
        }
        return compressed
    }
}
