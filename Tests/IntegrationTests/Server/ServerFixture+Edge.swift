import Foundation
import PlimsollAPI
import PlimsollTestSupport
import Subprocess
import Testing

extension ServerFixture {
    /// Lends the address of an edge of its own, which trusts the list of keys in the file, or else
    /// the one that the service keeps up to date.
    func edge(
        _ name: String,
        from origin: String,
        trusting keys: URL? = nil,
        _ body: (String) async throws -> Void
    ) async throws {
        let end = try await Program.whileRunning(
            [
                "edge", "--from", origin, "--listen", "127.0.0.1:0",
                "--keys", (keys ?? data.appending(path: "export/keys.json")).path,
            ],
            log: folder.appending(path: "\(name).log"),
            environment: StoreProcess.environment
        ) { edge in
            try await body(try await edge.address(after: "address.bound="))
        }
        #expect(end == .exited(0))
    }

    /// What a phone gets at an edge.
    func phone(
        at address: String,
        _ path: String = "/distribution/availability-ios"
    ) async throws -> WebAnswer {
        try await transport.send(WebRequest(.get, "http://\(address)\(path)"))
    }
}
