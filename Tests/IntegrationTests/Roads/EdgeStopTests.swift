import Glibc
import NIOCore
import NIOPosix
import PlimsollAPI
import Testing

extension ServiceTests {
    /// The edge by itself, told to stop.
    @Suite struct EdgeStopTests {
        private typealias Client = NIOAsyncChannel<ByteBuffer, ByteBuffer>

        private static let path = "/distribution/availability-ios"
        private static let request = "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n"

        // Goal: a stop loses no request that has begun to arrive. Method: the real process; behind a
        // whole request comes half of one, then the signal, and the rest only when nobody new is
        // let in any more. Before and after the edge has given back what only its start needed.
        @Test(arguments: [false, true])
        func `a stop lets who has begun to ask finish`(isOld: Bool) async throws {
            try await ServerFixture.with { fixture in
                let export = try await fixture.makeExport()
                try await fixture.standaloneEdge(over: export) { edge in
                    try await eventually("the first snapshot") {
                        try edge.words().contains("snapshot loaded") ? () : nil
                    }
                    if isOld {
                        try await eventually("an edge that has started") {
                            let words = "gave back what only the start needed"
                            return try edge.words().contains(words) ? () : nil
                        }
                    }
                    let words = try await self.words(of: edge) {
                        edge.signal(SIGTERM)
                        try await eventually("a closed door") {
                            await isOpen(try edge.port) ? nil : ()
                        }
                    }
                    #expect(words.matches(of: /HTTP\/1\.1 200 OK/).count == 2)
                    #expect(words.matches(of: /\r\nConnection: close\r\n/).count == 1)
                }
            }
        }

        /// What the edge answers to a request, and to another of which half comes before a moment.
        private func words(
            of edge: EdgeProcess,
            _ moment: @escaping () async throws -> Void
        ) async throws -> String {
            try await connect(to: edge.port).executeThenClose { answers, requests in
                let half = Self.request.prefix(20)
                try await requests.write(ByteBuffer(string: Self.request + half))
                var words = ""
                var isBegun = false
                for try await piece in answers {
                    words += String(buffer: piece)
                    guard !isBegun else { continue }
                    isBegun = true
                    try await moment()
                    try await requests.write(ByteBuffer(string: String(Self.request.dropFirst(20))))
                }
                return words
            }
        }

        private func isOpen(_ port: Int) async -> Bool {
            let channel = try? await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port).get()
            // The edge may have closed it already.
            try? await channel?.close().get()
            return channel != nil
        }

        private func connect(to port: Int) async throws -> Client {
            try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try Client(wrappingChannelSynchronously: channel)
                    }
                }
        }
    }
}
