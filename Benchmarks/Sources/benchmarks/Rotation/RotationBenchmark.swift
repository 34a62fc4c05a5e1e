import PlimsollDocuments
import PlimsollDomain
import PlimsollSystem

/// A key is activated and the one before it compromised while a load generator asks for documents as
/// fast as it can, and phones that know one key alone check whatever they get.
///
/// There is no yardstick: no phone is ever to get what it cannot check, and nothing is to carry the
/// bad key a second after the service was told of it.
struct RotationBenchmark {
    let options: Options

    private static let connections = 64
    private static let rateWanted = 10_000.0
    private static let goneWanted = Duration.seconds(1)
    private static let pause = Duration.seconds(2)
    /// Long enough for all that is done meanwhile.
    private static let secondsMinimum = 10

    func run() async throws {
        let program = try known(options.plimsoll, "the program plimsoll")
        let data = options.folder / "rotation"
        let seconds = max(options.seconds, Self.secondsMinimum)
        try await RunningService.with(program, data: data) { service in
            async let load = RotationLoad(
                port: service.edge,
                connections: Self.connections,
                seconds: seconds
            )
            let outcome = try await rotate(service)
            try report(try await load, outcome)
        }
    }

    private struct Outcome {
        let phones: [Phone]
        /// From telling the service until no answer carried the key.
        let goneAfter: Duration
    }

    private func rotate(_ service: RunningService) async throws -> Outcome {
        let bench = try KeyBench(service)
        let (old, new) = (try bench.leader(), try bench.add())
        let keys = try bench.published(naming: new)
        let follower = Phone(bench.documents(of: new), on: service.edge, knowing: new, of: keys)
        let natives = [bench.documents, bench.documents(of: old)].map {
            Phone($0, on: service.edge, knowing: old, of: keys)
        }
        defer { for phone in natives + [follower] { phone.stop() } }
        try await Task.sleep(for: Self.pause)
        try bench.activate(new)
        try await Task.sleep(for: Self.pause)
        // From here on an old phone is meant to get nothing that it can check.
        for phone in natives { phone.stop() }
        let start = ContinuousClock.now
        try bench.compromise(old)
        while try bench.names(old) {
            guard start.duration(to: .now) < .seconds(60) else {
                throw Failure(sentence: "the bad key is still served after a minute")
            }
        }
        let goneAfter = start.duration(to: .now)
        try await Task.sleep(for: Self.pause)
        guard try !bench.names(old) else { throw Failure(sentence: "the bad key came back") }
        return Outcome(phones: natives + [follower], goneAfter: goneAfter)
    }

    private func report(_ load: RotationLoad, _ outcome: Outcome) throws {
        let findings = outcome.phones.map { $0.findings }
        let (checked, failures) = (findings.map(\.checked), findings.flatMap(\.failures))
        let rate = load.requestsPerSecond
        let milliseconds = outcome.goneAfter / .milliseconds(1)
        line("\(Int(rate)) requests/s", "≥ \(Int(Self.rateWanted))", rate >= Self.rateWanted)
        line("\(load.failures) of them failed", "0", load.failures == 0)
        line(
            "\(failures.count) of \(checked.reduce(0, +)) documents not verified",
            "0 of more than 0 on each phone",
            failures.isEmpty && checked.allSatisfy { $0 > 0 }
        )
        line(
            "the bad key gone after \(Int(milliseconds)) ms",
            "≤ 1000",
            outcome.goneAfter <= Self.goneWanted
        )
        for failure in failures.prefix(10) { print("    \(failure)") }
    }
}
