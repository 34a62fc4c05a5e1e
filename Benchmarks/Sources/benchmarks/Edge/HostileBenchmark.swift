import CBenchmarkSockets
import Foundation
import PlimsollSystem

/// Honest clients of the public listener while a crowd opens connections and drops them.
///
/// The crowd comes from eight addresses and leaves in every way: at once or with half a head, with
/// an answer that it does not read or after garbage, by a goodbye or by a reset. It shares the
/// second processor with the honest ones, who wait for it there too; so nginx is asked by the same
/// clients beside the same crowd.
struct HostileBenchmark {
    let options: Options

    private static let edgePort: UInt16 = 28_081
    private static let nginxPort: UInt16 = 28_082
    private static let connections = 64
    private static let visits = 50_000
    private static let seconds = 10

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "service"
        try await RunningService.with(program, data: data) { _ in }
        let edge = try Server.edge(program, over: data / "export", options, port: Self.edgePort)
        defer { edge.stop() }
        let nginx = try Nginx.serving(
            try Document(servedOn: Self.edgePort),
            in: URL(filePath: (options.folder / "nginx").string),
            port: Self.nginxPort
        )
        defer { nginx.stop() }
        let contenders = [
            Contender(server: edge, port: Self.edgePort),
            Contender(server: nginx, port: Self.nginxPort),
        ]
        // A first crowd fills the pools, whose memory stays.
        _ = try await crowd(at: Self.edgePort)
        let before = try Footprint(of: edge.id)
        var scores = [
            Score("edge", against: "with nobody else", target: .atMost(2)),
            Score("nginx", against: "with nobody else", target: .none),
        ]
        for _ in 1...options.rounds {
            for (place, contender) in contenders.enumerated() {
                let quiet = try await load(contender)
                let port = contender.port
                async let coming = crowd(at: port)
                let busy = try await load(contender)
                guard try await coming == Self.visits else {
                    throw Failure(sentence: "not every connection was taken")
                }
                scores[place].note(busy, against: quiet)
            }
        }
        let after = try Footprint(of: edge.id)
        print(
            "  \(Self.visits) connections dropped in \(Self.seconds) s, \(options.rounds) rounds;",
            "open files \(before.files) before and \(after.files) after,",
            "memory \(before.kilobytes) kB and \(after.kilobytes) kB"
        )
        Table(unit: "ms, 99 %", scores: scores).show()
    }

    private func load(_ contender: Contender) async throws -> Double {
        try await Load(
            contender,
            connections: Self.connections,
            seconds: Self.seconds,
            condition: nil
        ).p99
    }

    /// How many of the crowd were let in.
    private func crowd(at port: UInt16) async throws -> Int {
        let rate = Int32(Self.visits / Self.seconds)
        return Int(sockets_crowd(port, Int32(Self.visits), rate, 1))
    }
}

/// What a process holds, as the kernel counts.
private struct Footprint {
    let files: Int
    let kilobytes: Int

    init(of id: Int32) throws {
        files = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        kilobytes = try known(
            line?.split(separator: " ").compactMap { Int($0) }.first,
            "the memory of \(id)"
        )
    }
}
