import Foundation
import PlimsollAPI
import Subprocess
import Testing

/// An edge of its own, in its own process, over what a service has published.
struct EdgeProcess: Sendable {
    let program: RunningProgram
    let address: String
    private let log: URL

    fileprivate init(_ program: RunningProgram, at address: String, log: URL) {
        (self.program, self.address, self.log) = (program, address, log)
    }

    var port: Int {
        get throws { try #require(address.split(separator: ":").last.flatMap { Int($0) }) }
    }

    /// What it has written so far.
    func words() throws -> String { try String(contentsOf: log, encoding: .utf8) }

    /// Files and sockets that it has open.
    func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(program.processID)/fd").count
    }

    /// In bytes, as the kernel counts.
    func memory() throws -> Int {
        let path = "/proc/\(program.processID)/status"
        let line = try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let number = line?.split(separator: " ").compactMap { Int($0) }.first
        return try #require(number) * 1024
    }

    func signal(_ number: Int32) { _ = kill(program.processID, number) }
}

extension ServerFixture {
    /// Makes an export with the sample in it, and leaves it.
    func makeExport() async throws -> URL {
        try await run { _ in }
        return data.appending(path: "export")
    }

    /// Lends an edge that serves the export, once it listens; it trusts the export's own keys, or
    /// those of a list.
    func standaloneEdge(
        over export: URL,
        trusting list: URL? = nil,
        _ options: [String] = [],
        _ body: (EdgeProcess) async throws -> Void
    ) async throws {
        let log = folder.appending(path: "edge.log")
        let end = try await Program.whileRunning(
            [
                "edge", "--from", export.path, "--listen", "127.0.0.1:0",
                "--keys", (list ?? export.appending(path: "keys.json")).path,
            ] + options,
            log: log
        ) { program in
            let address = try await program.address(after: "address.bound=")
            try await body(EdgeProcess(program, at: address, log: log))
        }
        #expect(end == .exited(0))
    }
}
