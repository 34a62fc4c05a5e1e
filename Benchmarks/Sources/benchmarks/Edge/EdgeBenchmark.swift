import Foundation
import PlimsollSystem

/// The public listener against nginx, which serves the same bytes and fields as a static file.
///
/// nginx has one worker, no access log, and a cache of open files. The server under measurement
/// and the load generator have a processor each.
struct EdgeBenchmark {
    let options: Options

    private static let idleConnections = 15_000
    /// In megabytes.
    private static let memoryAllowed = 30.0
    private static let edgePort: UInt16 = 28_081
    private static let nginxPort: UInt16 = 28_082

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "service"
        // A service that has published the sample leaves an export to serve from.
        try await RunningService.with(program, data: data) { _ in }
        let edge = try Server.edge(program, over: data / "export", options, port: Self.edgePort)
        defer { edge.stop() }
        let start = try memoryOfStart(edge)
        let document = try Document(servedOn: Self.edgePort)
        let folder = URL(filePath: (options.folder / "nginx").string)
        let nginx = try Nginx.serving(document, in: folder, port: Self.nginxPort)
        defer { nginx.stop() }

        var memory = Score("edge while it serves", against: "allowed", target: .atMost(1))
        var crowded = Score("with idle connections", against: "allowed", target: .atMost(1))
        var scores: [Match.Scores] = []
        for match in matches {
            scores.append(
                try await match.play(
                    rounds: options.rounds,
                    Contender(server: edge, port: Self.edgePort),
                    Contender(server: nginx, port: Self.nginxPort)
                )
            )
            let megabytes = try edge.memoryMaximum()
            if match.idle == 0 {
                memory.note(megabytes, against: Self.memoryAllowed)
            } else {
                crowded.note(megabytes, against: Self.memoryAllowed)
            }
        }
        print(
            "  a document of \(document.body.count) bytes,",
            "\(options.rounds) rounds of \(options.seconds) s; what is named is the status and how",
            "many connections ask"
        )
        Table(unit: "requests/s", scores: scores.map(\.rate)).show()
        Table(unit: "ms, 99 %", scores: scores.map(\.p99)).show()
        Table(unit: "µs of processor", scores: scores.map(\.time)).show()
        Table(unit: "MB", scores: [memory, crowded]).show()
        print(String(format: "  %.1f MB while it started", start))
    }

    /// How many megabytes its start took at most; counts anew once that is behind it.
    private func memoryOfStart(_ edge: Server) throws -> Double {
        // After five seconds it gives back what only the start needed.
        Thread.sleep(forTimeInterval: 7)
        let start = try edge.memoryMaximum()
        try edge.forgetMemoryMaximum()
        return start
    }

    private var matches: [Match] {
        var matches: [Match] = []
        for (connections, idle) in [(64, 0), (512, 0), (1, 0), (64, Self.idleConnections)] {
            for (status, rateMinimum) in [(200, 1.2), (304, 1.0)] {
                matches.append(
                    Match(
                        status: status,
                        connections: connections,
                        idle: idle,
                        seconds: options.seconds,
                        rateMinimum: connections == 1 ? 0.95 : rateMinimum
                    )
                )
            }
        }
        return matches
    }
}

extension Server {
    /// `plimsoll edge` over an export, alone on the first processor.
    static func edge(
        _ program: String,
        over export: Path,
        _ options: Options,
        port: UInt16,
        certificate: ServerCertificate? = nil
    ) throws -> Server {
        try Server(
            "edge",
            [
                program, "edge", "--from", export.string, "--keys", (export / "keys.json").string,
                "--listen", "127.0.0.1:\(port)",
            ] + (certificate?.arguments ?? []),
            alone: true,
            output: URL(filePath: (options.folder / "edge-\(port).log").string)
        ) { certificate == nil ? serves(port) : listens(port) }
    }
}

func listens(_ port: UInt16) -> Bool { (try? HTTPConnection(port: port)) != nil }

/// Whether the document is there to be had.
func serves(_ port: UInt16) -> Bool {
    // Who does not listen yet does not serve.
    guard let connection = try? HTTPConnection(port: port),
        let answer = try? connection.send("GET", RunningService.documentPath)
    else { return false }
    return answer.status == 200
}
