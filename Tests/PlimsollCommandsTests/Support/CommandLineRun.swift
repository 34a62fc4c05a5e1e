import Foundation
import PlimsollJSON
import Subprocess

/// How the program ended, and what it wrote.
struct CommandLineRun {
    let code: Int32?
    let output: String
    let errors: String

    func json() throws -> JSONValue { try JSONValue(parsing: Array(output.utf8)) }
}

/// Runs the program that was built beside these tests, as a child process without a terminal.
///
/// It sees no variables but those that are given.
func plimsoll(
    _ arguments: [String],
    service: String? = nil,
    edge: String? = nil,
    token: String? = "plm_test"
) async throws -> CommandLineRun {
    var variables: [Environment.Key: String] = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
    variables["PLIMSOLL_URL"] = service
    variables["PLIMSOLL_PUBLIC_URL"] = edge
    variables["PLIMSOLL_TOKEN"] = token
    let result = try await Subprocess.run(
        .name("sh"),
        arguments: Arguments(["-c", piped, program.path] + arguments),
        environment: .custom(variables),
        input: .none,
        output: .string(limit: 8 << 20),
        error: .string(limit: 1 << 20)
    )
    let code: Int32? = if case .exited(let code) = result.terminationStatus { code } else { nil }
    return CommandLineRun(
        code: code,
        output: result.standardOutput,
        errors: result.standardError
    )
}

/// Whoever asks for confirmation must not take this for one.
private let piped = #"printf 'y\ny\n' | exec "$0" "$@""#

private let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("plimsoll")
