package import Subprocess

/// How a program ended, and what it said.
package struct ProgramRun: Sendable {
    /// `nil` where a signal ended it.
    package let status: Int32?
    package let output: String
    package let errors: String
}

/// Runs a program to its end, wherever it is.
///
/// No thread is held meanwhile: tests run side by side on as many as there are processors.
package func run(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    input: String = ""
) async throws -> ProgramRun {
    let result = try await Subprocess.run(
        // `env` becomes the program, wherever it is.
        .name("env"),
        arguments: Arguments([program] + arguments),
        environment: .inherit.updating(environment.subprocess),
        input: .string(input),
        output: .string(limit: 8 << 20),
        error: .string(limit: 1 << 20)
    )
    let status: Int32? = if case .exited(let code) = result.terminationStatus { code } else { nil }
    return ProgramRun(status: status, output: result.standardOutput, errors: result.standardError)
}

/// What a program writes that has to end well.
@discardableResult
package func output(of program: String, _ arguments: [String]) async throws -> String {
    let run = try await run(program, arguments)
    guard run.status == 0 else {
        let line = ([program] + arguments).joined(separator: " ")
        throw ProgramFailure(description: "\(line): \(run.errors)")
    }
    return run.output
}

extension [String: String] {
    package var subprocess: [Environment.Key: String?] {
        Dictionary<Environment.Key, String?>(
            uniqueKeysWithValues: compactMap { name, value in
                Environment.Key(rawValue: name).map { ($0, value) }
            }
        )
    }
}
