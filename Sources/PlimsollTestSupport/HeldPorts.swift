import NIOCore
import NIOPosix

/// Lends ports at which nobody listens, and keeps them for as long as the body runs.
///
/// Each belongs to a connection: whoever asks the system for any port gets another, whoever
/// connects is refused, and a server that reuses addresses, as ours do, may listen there.
package func withHeldPorts<Result>(
    _ count: Int,
    _ body: ([Int]) async throws -> Result
) async throws -> Result {
    let loops = MultiThreadedEventLoopGroup.singleton
    let here = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
    let peer = try await ServerBootstrap(group: loops).bind(to: here).get()
    var held: [any Channel] = []
    defer { for channel in held + [peer] { channel.close(promise: nil) } }
    for _ in 0..<count {
        let holder = try await ClientBootstrap(group: loops)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            .bind(to: here)
            .connect(host: "127.0.0.1", port: peer.localAddress?.port ?? 0).get()
        held.append(holder)
    }
    return try await body(held.compactMap { $0.localAddress?.port })
}
