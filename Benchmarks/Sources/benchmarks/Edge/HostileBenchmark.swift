import CSockets
import Foundation
import PlimsollFiles

/// Honest clients of the public listener while a crowd opens connections and drops them.
///
/// The crowd comes from eight addresses and leaves in every way: at once or with half a head, with
/// an answer that it does not read or after garbage, by a goodbye or by a reset. It shares the
/// second processor with the honest ones.
struct HostileBenchmark {
    let options: Options

    private static let port: UInt16 = 28_081
    private static let connections = 64
    private static let visits = 50_000
    private static let seconds = 10

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "service"
        try await RunningService.with(program, data: data) { _ in }
        let edge = try Server.edge(program, over: data / "export", options, port: Self.port)
        defer { edge.stop() }
        // A first crowd fills the pools, whose memory stays.
        _ = try await crowd()
        let before = try Footprint(of: edge.id)
        var score = Score("p99", against: "with nobody else", target: .atMost(2))
        for _ in 1...options.rounds {
            let quiet = try await load(edge)
            async let coming = crowd()
            let busy = try await load(edge)
            guard try await coming == Self.visits else {
                throw Failure(sentence: "the edge did not take every connection")
            }
            score.note(busy, against: quiet)
        }
        let after = try Footprint(of: edge.id)
        print(
            "  \(Self.visits) connections dropped in \(Self.seconds) s, \(options.rounds) rounds;",
            "open files \(before.files) before and \(after.files) after,",
            "memory \(before.kilobytes) kB and \(after.kilobytes) kB"
        )
        Table(unit: "ms", scores: [score]).show()
    }

    private func load(_ edge: Server) async throws -> Double {
        try await Load(
            Contender(server: edge, port: Self.port),
            connections: Self.connections,
            seconds: Self.seconds,
            condition: nil
        ).p99
    }

    /// How many of the crowd were let in.
    private func crowd() async throws -> Int {
        let rate = Int32(Self.visits / Self.seconds)
        return Int(sockets_crowd(Self.port, Int32(Self.visits), rate, 1))
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
