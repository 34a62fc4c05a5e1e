import Foundation
import PlimsollSystem

/// Phones that come for one request each, as those do that look every two hours: the edge against
/// nginx, which serves the same bytes and fields as a static file, with the same certificate and cipher.
///
/// The server under measurement and the load generator have a processor each. The latter's is full with
/// either server, so that what counts is how much of its own each takes.
struct HandshakeBenchmark {
    let options: Options

    private static let connections = 64

    /// How phones come, where both servers listen for them, and what of nginx's processor time is allowed.
    private struct Kind {
        let manner: Load.Manner
        let edge: UInt16
        let nginx: UInt16
        let timeMaximum: Double
    }

    private static let kinds = [
        Kind(manner: .new, edge: 28_084, nginx: 28_085, timeMaximum: 1 / 1.1),
        Kind(manner: .encrypted, edge: 28_086, nginx: 28_087, timeMaximum: 1 / 1.2),
    ]

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "service"
        let document = try await RunningService.with(program, data: data) { service in
            try Document(servedOn: service.edge)
        }
        let certificate = try await ServerCertificate(in: options.folder)
        var scores: [Match.Scores] = []
        for kind in Self.kinds {
            let certificate = kind.manner == .encrypted ? certificate : nil
            let edge = try Server.edge(
                program,
                over: data / "export",
                options,
                port: kind.edge,
                certificate: certificate
            )
            defer { edge.stop() }
            let folder = URL(filePath: (options.folder / "nginx-\(kind.nginx)").string)
            let nginx = try Nginx.serving(
                document,
                in: folder,
                port: kind.nginx,
                certificate: certificate
            )
            defer { nginx.stop() }
            scores.append(try await play(kind, edge, nginx))
        }
        print("  \(options.rounds) rounds of \(options.seconds) s")
        Table(unit: "requests/s", scores: scores.map(\.rate)).show()
        Table(unit: "ms, 99 %", scores: scores.map(\.p99)).show()
        Table(unit: "µs of processor", scores: scores.map(\.time)).show()
    }

    private func play(
        _ kind: Kind,
        _ edge: Server,
        _ nginx: Server
    ) async throws -> Match.Scores {
        let match = Match(
            status: 200,
            connections: Self.connections,
            manner: kind.manner,
            seconds: options.seconds,
            timeMaximum: kind.timeMaximum
        )
        return try await match.play(
            rounds: options.rounds,
            Contender(server: edge, port: kind.edge),
            Contender(server: nginx, port: kind.nginx)
        )
    }
}
