import Foundation

/// Measures Plimsoll and what a user would pick instead, in turn, and prints the ratios.
@main
struct Benchmarks {
    static func main() async {
        do {
            guard let options = Options(CommandLine.arguments.dropFirst()) else {
                throw Failure(sentence: "the arguments were not understood\n\(Options.usage)")
            }
            for benchmark in options.benchmarks {
                print(benchmark.rawValue)
                try await run(benchmark, options)
                print("")
            }
        } catch {
            FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ benchmark: Benchmark, _ options: Options) async throws {
        switch benchmark {
        case .append: try await AppendBenchmark(options: options).run()
        case .replay: try await ReplayBenchmark(options: options).run()
        case .verify: try await VerifyBenchmark(options: options).run()
        case .verifier: try await VerifierBenchmark(options: options).run()
        case .publication: try await PublicationBenchmark(options: options).run()
        case .road: try await RoadBenchmark(options: options).run()
        case .rollback: try await RollbackBenchmark(options: options).run()
        case .edge: try await EdgeBenchmark(options: options).run()
        case .hostile: try await HostileBenchmark(options: options).run()
        case .handshake: try await HandshakeBenchmark(options: options).run()
        case .signing: try await SigningBenchmark(options: options).run()
        case .audit: try await AuditBenchmark(options: options).run()
        case .scale: try await ScaleBenchmark(options: options).run()
        case .client: try await ClientBenchmark(options: options).run()
        case .rotation: try await RotationBenchmark(options: options).run()
        case .devices: try await DevicesBenchmark(options: options).run()
        case .tree: try await TreeBenchmark(options: options).run()
        case .drill: try await TreeDrill(options: options).run()
        case .day: try await DayBenchmark(options: options).run()
        case .console: try await ConsoleBenchmark(options: options).run()
        case .matrix: try await MatrixBenchmark(options: options).run()
        }
    }
}

/// What ended a benchmark.
struct Failure: Error, CustomStringConvertible {
    let sentence: String
    var description: String { sentence }
}
