import Foundation
import PlimsollDomain
import PlimsollSystem

/// A day of ten million phones, which goes by a thousand times faster, at three edges that follow a
/// service: phones come at the rate at which they would, each with a connection and a handshake of its
/// own, and in the morning, when most of them look, a change is taken back.
///
/// The phones are on the same machine and take more of it than the edges: a day of three million, which
/// leaves both room, says how long answers take.
struct DayBenchmark {
    let options: Options

    private static let phones = [3_000_000, 10_000_000]
    private static let speed = 1000.0
    private static let originPort: UInt16 = 28_090
    private static let edgePorts: [UInt16] = [28_091, 28_092, 28_093]
    private static let app = "harbour"
    private static let goneWanted = 1.0

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let certificate = try await ServerCertificate(in: options.folder)
        for phones in Self.phones {
            try await run(program, certificate, DayCurve(phones: phones, speed: Self.speed))
        }
    }

    private func run(
        _ program: String,
        _ certificate: ServerCertificate,
        _ curve: DayCurve
    ) async throws {
        let data = options.folder / "day"
        // Nobody has to be let in twice.
        if try data.status() != nil { try data.removeTree() }
        try await RunningService.with(
            program,
            data: data,
            options: ["--origin-listen", "127.0.0.1:\(Self.originPort)"]
        ) { service in
            let team = try Team(of: service, adminToken: try service.adminToken)
            let traveller = try Traveller(
                service,
                team,
                app: try known(AppSlug(Self.app), "a slug")
            )
            let mistake = try traveller.raise()
            let edges = try Self.edgePorts.map { port in
                try edge(program, port, keys: service.keys, certificate)
            }
            defer { for edge in edges { edge.stop() } }
            let path = "/distribution/\(Self.app)/availability-ios"
            for port in Self.edgePorts { try await Self.whenServing(path, on: port) }
            let tag = try HTTPConnection(port: service.edge).send("GET", path).fields["etag"]
            let phones = try DayPhones(
                curve,
                to: Self.edgePorts.map(Int.init),
                path: path,
                holding: try known(tag, "an entity tag")
            )
            let before = try ProcessorTime().own
            async let answers = phones.run()
            async let rollback = rollBack(traveller, mistake, curve, phones)
            let times = try await Self.processorTimes(of: edges, by: curve, phones)
            let report = DayReport(
                curve: curve,
                answers: try await answers,
                processorTimes: times,
                bytes: phones.bytes.value,
                ownProcessorTime: try ProcessorTime().own - before,
                rollback: try await rollback
            )
            try report.show(goneWanted: Self.goneWanted)
        }
    }

    private func edge(
        _ program: String,
        _ port: UInt16,
        keys: Path,
        _ certificate: ServerCertificate
    ) throws -> Server {
        try Server(
            "edge \(port)",
            [
                program, "edge", "--from", "http://127.0.0.1:\(Self.originPort)",
                "--keys", keys.string, "--listen", "127.0.0.1:\(port)",
            ] + certificate.arguments,
            alone: false,
            output: URL(filePath: (options.folder / "edge-\(port).log").string)
        ) { listens(port) }
    }

    private static func whenServing(_ path: String, on port: UInt16) async throws {
        let patience = ["--retry", "60", "--retry-delay", "1", "--retry-all-errors"]
        let address = "https://127.0.0.1:\(port)\(path)"
        _ = try await Tool.output("curl", patience + ["--silent", "--fail", "--insecure", address])
    }

    /// Answers when it was asked for, in seconds since the day's begin.
    private func rollBack(
        _ traveller: Traveller,
        _ change: String,
        _ curve: DayCurve,
        _ phones: DayPhones
    ) async throws -> Double {
        let peak = Double(DayCurve.peak) * curve.hour
        try await Task.sleep(for: .seconds(peak - phones.time))
        let asked = phones.time
        _ = try traveller.rollBack(before: change)
        return asked
    }

    /// What each edge has taken of a processor by each full hour, in seconds.
    private static func processorTimes(
        of edges: [Server],
        by curve: DayCurve,
        _ phones: DayPhones
    ) async throws -> [[Double]] {
        var times = [try edges.map { try $0.processorTime() }]
        for hour in 1...24 {
            try await Task.sleep(for: .seconds(max(0, Double(hour) * curve.hour - phones.time)))
            times.append(try edges.map { try $0.processorTime() })
        }
        return times
    }
}
