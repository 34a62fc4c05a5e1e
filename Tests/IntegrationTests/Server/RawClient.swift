import NIOCore
import NIOPosix
import Testing

/// A client that writes bytes as they are, and reads whatever comes.
struct RawClient: Sendable {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    static func connect(to address: String) async throws -> RawClient {
        let parts = address.split(separator: ":")
        let (host, port) = (String(parts[0]), try #require(Int(parts[1])))
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return RawClient(channel: channel)
    }

    /// Sends the bytes and reads to the end; hangs up behind the bytes where it is told to.
    func exchange(_ text: String, hangingUp: Bool = false) async throws -> String {
        try await channel.executeThenClose { answers, requests in
            try await requests.write(ByteBuffer(string: text))
            if hangingUp { requests.finish() }
            var answer = ""
            // A connection that is reset has said what it had to say.
            do {
                for try await piece in answers { answer += String(buffer: piece) }
            } catch is IOError {}
            return answer
        }
    }

    /// Sends the bytes, lets the step happen once something was answered, sends the same again, and
    /// reads to the end.
    func exchange(_ text: String, twiceAround step: () async throws -> Void) async throws -> String
    {
        try await channel.executeThenClose { answers, requests in
            try await requests.write(ByteBuffer(string: text))
            var answer = ""
            var isAgain = false
            for try await piece in answers {
                answer += String(buffer: piece)
                guard !isAgain else { continue }
                isAgain = true
                try await step()
                try await requests.write(ByteBuffer(string: text))
            }
            return answer
        }
    }

    /// Sends the bytes and closes the connection.
    func leave(after text: String) async throws {
        try await channel.executeThenClose { _, requests in
            try await requests.write(ByteBuffer(string: text))
        }
    }
}
