import Foundation
import Glibc
import PlimsollTestSupport
import Subprocess

/// How a program ended and what it said.
struct Outcome: Sendable {
    /// `nil` where a signal ended it.
    let status: Int32?
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n") }
}

/// Programs that tests run as a person would.
enum Program {
    /// The program under test: the one that `PLIMSOLL_TEST_PROGRAM` names, or else the one that was
    /// built into the folder of the tests.
    static func plimsoll() throws -> String {
        if let named = ProcessInfo.processInfo.environment["PLIMSOLL_TEST_PROGRAM"] { return named }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(fileURLWithPath: own).deletingLastPathComponent().path + "/plimsoll"
    }

    static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        let run = try await PlimsollTestSupport.run(program, arguments, environment: environment)
        return Outcome(status: run.status, output: run.output, errors: run.errors)
    }
}

extension Program {
    /// Runs the program until the body is done with it, tells it to stop, and answers how it ended;
    /// what it says goes to the file.
    static func whileRunning(
        _ arguments: [String],
        program: String? = nil,
        log: URL,
        environment: [String: String] = [:],
        _ body: (RunningProgram) async throws -> Void
    ) async throws -> TerminationStatus {
        try Data().write(to: log)
        var options = PlatformOptions()
        options.teardownSequence = [
            .send(signal: .terminate, allowedDurationToNextStep: .seconds(60))
        ]
        let become = #"log=$1; shift; exec "$@" >>"$log" 2>&1"#
        let named = try program ?? plimsoll()
        let result = try await Subprocess.run(
            .name("sh"),
            arguments: Arguments(["-c", become, "sh", log.path, named] + arguments),
            environment: .inherit.updating(environment.subprocess),
            platformOptions: options,
            input: .none,
            output: .discarded,
            error: .discarded
        ) { execution in
            try await body(
                RunningProgram(processID: execution.processIdentifier.value, log: log)
            )
            _ = kill(execution.processIdentifier.value, SIGTERM)
        }
        return result.terminationStatus
    }
}

/// A process that runs beside the service.
struct RunningProgram: Sendable {
    let processID: Int32
    private let log: URL

    init(processID: Int32, log: URL) {
        (self.processID, self.log) = (processID, log)
    }

    /// Whether the process is there and not only waited for.
    var isAlive: Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
        else { return false }
        return stat.split(separator: ") ").last?.first != "Z"
    }

    /// Waits until it says where it listens.
    func address(after words: String) async throws -> String {
        try await eventually("where it listens") {
            let text = try String(contentsOf: log, encoding: .utf8)
            guard let start = text.range(of: words)?.upperBound else { return nil }
            return String(text[start...].prefix { $0.isNumber || $0 == "." || $0 == ":" })
        }
    }
}
