import Foundation
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
        let result = try await Subprocess.run(
            // `env` becomes the program, wherever it is.
            .name("env"),
            arguments: Arguments([program] + arguments),
            environment: .inherit.updating(environment.subprocess),
            output: .string(limit: 8 << 20),
            error: .string(limit: 1 << 20)
        )
        let status: Int32? =
            if case .exited(let code) = result.terminationStatus { code } else { nil }
        return Outcome(
            status: status,
            output: result.standardOutput,
            errors: result.standardError
        )
    }
}

extension [String: String] {
    var subprocess: [Environment.Key: String?] {
        Dictionary<Environment.Key, String?>(
            uniqueKeysWithValues: compactMap { name, value in
                Environment.Key(rawValue: name).map { ($0, value) }
            }
        )
    }
}
