package import PlimsollSystem
import Subprocess
import SystemPackage

/// How a program ended, and what it said.
package struct ProgramRun: Sendable {
    package let isSuccess: Bool
    package let output: String
    package let errors: String
}

/// Runs a program to its end, wherever it is.
///
/// No thread is held meanwhile: tests run side by side on as many as there are processors.
package func run(
    _ program: String,
    _ arguments: [String],
    in folder: Path? = nil,
    input: String = ""
) async throws -> ProgramRun {
    let result = try await Subprocess.run(
        .name("env"),
        arguments: Arguments([program] + arguments),
        workingDirectory: folder.map { FilePath($0.string) },
        input: .string(input),
        output: .string(limit: 8 << 20),
        error: .string(limit: 1 << 20)
    )
    return ProgramRun(
        isSuccess: result.terminationStatus.isSuccess,
        output: result.standardOutput,
        errors: result.standardError
    )
}

/// What a program writes that has to end well.
@discardableResult
package func output(of program: String, _ arguments: [String]) async throws -> String {
    let run = try await run(program, arguments)
    guard run.isSuccess else {
        let line = ([program] + arguments).joined(separator: " ")
        throw ProgramFailure(description: "\(line): \(run.errors)")
    }
    return run.output
}
