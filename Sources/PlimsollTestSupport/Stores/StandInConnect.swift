import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// App Store Connect as far as packages go, over a real socket, with its bad days.
package final class StandInConnect: Sendable {
    /// An answer.
    package struct Reply: Sendable {
        package var status: Int
        package var headers: [(String, String)]
        package var body: [UInt8] = []
        /// Closes the connection once so much of the body is out.
        package var cutAfter: Int?
        /// Says nothing more once so much of the body is out.
        package var stallAfter: Int?

        package init(
            status: Int = 200,
            headers: [(String, String)] = [],
            body: [UInt8] = []
        ) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    /// A request that came.
    package struct Asked: Sendable {
        package let path: String
        package let range: String?
        package let authorization: String?
    }

    private struct State {
        var distribution: SampleDistribution
        var archive: [UInt8]
        var asked: [Asked] = []
        var generation = 0
        var withheldKeys: Set<String> = []
        var state = "COMPLETED"
        var ignoresRanges = false
    }

    private let state: Mutex<State>
    /// What to answer instead, by the number of the request to this path; `nil`: as usual.
    private let trouble: @Sendable (_ path: String, _ count: Int, Reply) -> Reply?
    private let origin = Mutex("")

    package init(
        _ distribution: SampleDistribution = SampleDistribution(),
        trouble: @escaping @Sendable (String, Int, Reply) -> Reply? = { _, _, _ in nil }
    ) {
        let archive = zipArchive([
            ZipEntry("manifest.json", distribution.manifest, .deflated),
            ZipEntry("signature", distribution.signature, .stored),
        ])
        state = Mutex(State(distribution: distribution, archive: archive))
        self.trouble = trouble
    }

    package var url: String { origin.withLock { $0 } }
    package var asked: [Asked] { state.withLock { $0.asked } }

    /// How often files were asked for, by path.
    package func fetches(of path: String) -> [Asked] {
        asked.filter { $0.path.hasPrefix("/files/") && $0.path.hasSuffix(path) }
    }

    package func withholdKey(of id: String) { state.withLock { _ = $0.withheldKeys.insert(id) } }
    package func say(_ text: String) { state.withLock { $0.state = text } }
    package func ignoreRanges() { state.withLock { $0.ignoresRanges = true } }

    package func give(_ distribution: SampleDistribution) {
        state.withLock {
            $0.distribution = distribution
            $0.archive = zipArchive([
                ZipEntry("manifest.json", distribution.manifest, .stored),
                ZipEntry("signature", distribution.signature, .stored),
            ])
        }
    }

    /// Serves for as long as the body runs.
    package func serve<Result>(_ body: () async throws -> Result) async throws -> Result {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answering(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        origin.withLock { $0 = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
        do {
            let result = try await body()
            try await channel.close()
            return result
        } catch {
            // The first error explains.
            try? await channel.close()
            throw error
        }
    }

    fileprivate func reply(to head: HTTPRequestHead) -> Reply {
        let path = head.uri
        let range = head.headers.first(name: "range")
        let count = state.withLock { state in
            let authorization = head.headers.first(name: "authorization")
            state.asked.append(Asked(path: path, range: range, authorization: authorization))
            return state.asked.count { $0.path == path }
        }
        let usual = usual(path, range)
        return trouble(path, count, usual) ?? usual
    }

    private func usual(_ path: String, _ range: String?) -> Reply {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count >= 3 else { return Reply(status: 404) }
        return state.withLock { state in
            switch (parts[0], parts[1]) {
            case ("v1", "alternativeDistributionPackageVersions"):
                location(of: "archive", &state, key: nil)
            case ("v1", "alternativeDistributionPackageVariants"):
                location(of: "variant/\(parts[2]).ipa", &state, key: key(of: parts[2], state))
            case ("v1", "alternativeDistributionPackageDeltas"):
                location(of: "delta/\(parts[2]).ipa", &state, key: key(of: parts[2], state))
            case ("files", _) where parts[2] == "archive": Reply(body: state.archive)
            case ("files", _):
                file(parts.dropFirst(2).joined(separator: "/"), state, range)
            default: Reply(status: 404)
            }
        }
    }

    private func key(of id: String, _ state: State) -> String? {
        state.withheldKeys.contains(id) ? nil : "a2V5"
    }

    private func location(of name: String, _ state: inout State, key: String?) -> Reply {
        state.generation += 1
        let blob = key.map { #","alternativeDistributionKeyBlob":"\#($0)""# } ?? ""
        let body = """
            {"data":{"type":"x","id":"y","attributes":{"url":"\(url)/files/\(state.generation)/\(name)",
            "urlExpirationDate":"2099-01-01T00:00:00.000-07:00","state":"\(state.state)"\(blob)},
            "links":{"self":"z"}}}
            """
        return Reply(body: Array(body.utf8))
    }

    private func file(_ path: String, _ state: State, _ range: String?) -> Reply {
        guard let bytes = state.distribution.files[path] else { return Reply(status: 404) }
        guard let range, !state.ignoresRanges else { return Reply(body: bytes) }
        let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        guard start < bytes.count else { return Reply(status: 416) }
        return Reply(
            status: 206,
            headers: [("content-range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")],
            body: Array(bytes[start...])
        )
    }
}

private final class Answering: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: StandInConnect
    private var head: HTTPRequestHead?

    init(_ server: StandInConnect) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            send(server.reply(to: head), context)
        }
    }

    private func send(_ reply: StandInConnect.Reply, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(reply.headers)
        headers.add(name: "content-length", value: "\(reply.body.count)")
        let status = HTTPResponseStatus(statusCode: reply.status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let end = reply.cutAfter ?? reply.stallAfter ?? reply.body.count
        let part = Array(reply.body.prefix(end))
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: part)))), promise: nil)
        if reply.stallAfter != nil { return context.flush() }
        guard reply.cutAfter == nil else {
            context.flush()
            context.close(promise: nil)
            return
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
