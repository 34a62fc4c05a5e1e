import Foundation
import Glibc
import Testing

@testable import PlimsollEdge

/// A listener whose socket the system ends, as it does where accept(2) fails.
@Suite(.timeLimit(.minutes(5))) struct ListenerFailureTests {
    @Test func `phones are answered again at the same port`() async throws {
        try await TLSFixture.with { fixture in
            let client = try fixture.client()
            try await EdgeFixture.with(tls: try TLSSource(fixture.files)) { _, address in
                for _ in 1...3 {
                    let listening = try #require(try Self.listener(at: address.port))
                    #expect(shutdown(listening.descriptor, CInt(SHUT_RDWR)) == 0)
                    while try Self.listener(at: address.port) ?? listening == listening {
                        await Task.yield()
                    }
                    try await RawConnection.with(address, tls: client) { connection in
                        try await connection.send(EdgeFixture.request)
                        #expect(try await connection.answer()?.status == 200)
                    }
                }
            }
        }
    }

    private struct Listener: Equatable {
        let descriptor: CInt
        let inode: String
    }

    /// The socket of this process that listens at a port (proc_net_tcp(5), proc_pid_fd(5)).
    private static func listener(at port: Int) throws -> Listener? {
        let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        let end = ":" + String(format: "%04X", port)
        let inode = table.split(separator: "\n").map { $0.split(separator: " ") }
            .first { $0.count > 9 && $0[1].hasSuffix(end) && $0[3] == "0A" }?[9]
        guard let inode else { return nil }
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: "/proc/self/fd") {
            let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            if target == "socket:[\(inode)]", let descriptor = CInt(name) {
                return Listener(descriptor: descriptor, inode: String(inode))
            }
        }
        return nil
    }
}
