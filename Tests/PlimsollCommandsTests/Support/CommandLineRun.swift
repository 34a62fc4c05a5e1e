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
/// It sees no variables but those that are given, and a word on its input that whoever asks for
/// confirmation must not take for one. A full disk takes nothing of its results.
func plimsoll(
    _ arguments: [String],
    service: String? = nil,
    edge: String? = nil,
    app: String? = nil,
    token: String? = "plm_test",
    more: [String: String] = [:],
    input: String = "y\ny\n",
    onFullDisk: Bool = false
) async throws -> CommandLineRun {
    var variables = variablesUsual
    variables["PLIMSOLL_APP"] = app
    variables["PLIMSOLL_URL"] = service
    variables["PLIMSOLL_PUBLIC_URL"] = edge
    variables["PLIMSOLL_TOKEN"] = token
    variables["INPUT"] = input
    for (name, value) in more { variables[Environment.Key(stringLiteral: name)] = value }
    let script = onFullDisk ? piped + " >/dev/full" : piped
    return try await run(["-c", script, program.path] + arguments, variables)
}

/// Runs the program at a terminal where somebody types the answer.
///
/// A terminal has one stream for all that is written.
func plimsollAtTerminal(
    _ arguments: [String],
    typing answer: String,
    service: String,
    colours: Bool = false
) async throws -> CommandLineRun {
    var variables = variablesUsual
    variables["PLIMSOLL_URL"] = service
    variables["PLIMSOLL_TOKEN"] = "plm_test"
    variables["ANSWER"] = answer
    variables["NO_COLOR"] = colours ? nil : "1"
    let words = ([program.path] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try await run(["-c", typed, words], variables)
}

private let variablesUsual: [Environment.Key: String] = [
    "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
]

private func run(
    _ arguments: [String],
    _ variables: [Environment.Key: String]
) async throws -> CommandLineRun {
    let result = try await Subprocess.run(
        .name("sh"),
        arguments: Arguments(arguments),
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

private let piped = #"printf %s "$INPUT" | exec "$0" "$@""#

/// A pseudo-terminal, whose lines end in a carriage return too.
private let typed = #"printf '%s\n' "$ANSWER" | script -qec "$0" /dev/null"#

private let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("plimsoll")
