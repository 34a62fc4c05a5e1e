import Foundation
import PlimsollFiles

/// The public listener against nginx, which serves the same bytes and fields as a static file.
///
/// nginx has one worker, no access log, and a cache of open files. The server under measurement
/// and the load generator have a processor each.
struct EdgeBenchmark {
    let options: Options

    private static let connections = 64
    private static let edgePort: UInt16 = 28_081
    private static let nginxPort: UInt16 = 28_082

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "service"
        // A service that has published the sample leaves an export to serve from.
        try await RunningService.with(program, data: data) { _ in }
        let edge = try Server.edge(program, over: data / "export", options, port: Self.edgePort)
        defer { edge.stop() }
        let document = try Document(servedOn: Self.edgePort)
        let folder = URL(filePath: (options.folder / "nginx").string)
        let nginx = try Nginx.serving(document, in: folder, port: Self.nginxPort)
        defer { nginx.stop() }

        var rates: [Score] = []
        var times: [Score] = []
        for status in [200, 304] {
            let match = Match(
                status: status,
                connections: Self.connections,
                seconds: options.seconds
            )
            let (rate, time) = try await match.play(
                rounds: options.rounds,
                Contender(server: edge, port: Self.edgePort),
                Contender(server: nginx, port: Self.nginxPort)
            )
            rates.append(rate)
            times.append(time)
        }
        print(
            "  a document of \(document.body.count) bytes, \(Self.connections) connections,",
            "\(options.rounds) rounds of \(options.seconds) s"
        )
        Table(unit: "requests/s", scores: rates).show()
        Table(unit: "µs of processor", scores: times).show()
    }
}

extension Server {
    /// `plimsoll edge` over an export, alone on the first processor.
    static func edge(
        _ program: String,
        over export: Path,
        _ options: Options,
        port: UInt16
    ) throws -> Server {
        try Server(
            "edge",
            [
                program, "edge", "--from", export.string, "--keys", (export / "keys.json").string,
                "--listen", "127.0.0.1:\(port)",
            ],
            alone: true,
            output: URL(filePath: (options.folder / "edge.log").string)
        ) { serves(port) }
    }
}

/// Whether the document is there to be had.
func serves(_ port: UInt16) -> Bool {
    // Who does not listen yet does not serve.
    guard let connection = try? HTTPConnection(port: port),
        let answer = try? connection.send("GET", RunningService.documentPath)
    else { return false }
    return answer.status == 200
}
