import Foundation
import Glibc
import PlimsollAPI
import PlimsollSystem

/// An edge between the top of a tree and its leaves, in a process of its own, that is killed and
/// frozen at will and always comes back at the same address.
final class TreeNode {
    let name: String
    let address: ServiceAddress
    private(set) var isFrozen = false
    private let command: [String]
    private let output: URL
    private var server: Server

    init(
        _ name: String,
        program: String,
        keys: Path,
        following origins: [ServiceAddress],
        in folder: Path
    ) throws {
        let memory = folder / "memory-\(name)"
        command =
            [
                program, "edge", "--keys", keys.string, "--listen", "127.0.0.1:0", "--name", name,
                "--memory", memory.string,
            ] + origins.flatMap { ["--from", $0.text] }
        output = URL(filePath: (folder / "\(name).log").string)
        self.name = name
        server = try Self.server(name, command, listening: "127.0.0.1:0", output)
        let bound = try known(Self.bound(output), "where an edge listens")
        address = try known(ServiceAddress("http://\(bound)"), "an address")
    }

    deinit { end() }

    /// Ends at once, and begins again at the same address.
    func restart() throws {
        end()
        let place = String(address.text.dropFirst("http://".count))
        server = try Self.server(name, command, listening: place, output)
    }

    func freeze() {
        _ = kill(server.id, SIGSTOP)
        isFrozen = true
    }

    func wake() {
        _ = kill(server.id, SIGCONT)
        isFrozen = false
    }

    /// In seconds, since it was started last.
    func processorTime() throws -> Double { try server.processorTime() }

    private func end() {
        _ = kill(server.id, SIGKILL)
        server.stop()
        isFrozen = false
    }

    private static func server(
        _ name: String,
        _ command: [String],
        listening place: String,
        _ output: URL
    ) throws -> Server {
        let command = command + ["--origin-listen", place]
        return try Server(name, command, alone: false, output: output) { bound(output) != nil }
    }

    /// As the edge has written it.
    private static func bound(_ output: URL) -> String? {
        let words = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        let parts = words.split(separator: "origin.bound=", maxSplits: 1)
        guard words.contains("origin.bound="), let place = parts.last else { return nil }
        return String(place.prefix { $0.isNumber || $0 == "." || $0 == ":" })
    }
}
