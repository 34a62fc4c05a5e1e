import ArgumentParser
import PlimsollAPI

/// A command with a result.
protocol PlimsollCommand: AsyncParsableCommand {
    var output: OutputOptions { get }

    func execute(_ output: Output) async throws -> ExitStatus
}

extension PlimsollCommand {
    func run() async throws {
        let status = try await Output.$isTalkative.withValue(!output.quiet) {
            try await execute(Output(output))
        }
        guard status == .done else { throw status.exitCode }
    }
}

/// The executable, as far as it is more than its name.
package enum Program {
    /// Runs the command that the arguments name, and says how it ended.
    package static func run(_ arguments: [String]) async -> Int32 {
        do {
            try refuseForeignWord(arguments.first)
            let command = try Plimsoll.parseAsRoot(expanded(arguments))
            try await run(command)
            return ExitStatus.done.rawValue
        } catch let failure as Failure {
            Channel.standardError.write(failure.lines)
            return failure.status.rawValue
        } catch {
            return end(with: error)
        }
    }

    /// Runs what was parsed; every error that is foreseen becomes a failure.
    private static func run(_ command: sending any ParsableCommand) async throws {
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
        } catch let error as AdminError {
            throw Failure(error)
        } catch let error as ValidationError {
            throw Failure(.usage, error.message)
        }
    }

    /// What the parser of arguments has to say: help, a version, or what is wrong with them.
    private static func end(with error: any Error) -> Int32 {
        let message = Plimsoll.fullMessage(for: error)
        let code = Plimsoll.exitCode(for: error)
        if !message.isEmpty {
            // It quotes what was given, and that may come from anywhere.
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            (code.isSuccess ? Channel.standardOutput : .standardError).write(lines.map(legible))
        }
        return code == .validationFailure ? ExitStatus.usage.rawValue : code.rawValue
    }
}

/// The time that `--wait` without a value means.
let waitUsual = "30s"

/// Gives an option that may stand without a value the value it then means.
///
/// The parser knows options with a value and flags without; `--wait` may be either, so that a
/// responder has nothing to look up.
func expanded(_ arguments: [String]) -> [String] {
    var expanded: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        if argument == "--" { return expanded + [argument] + rest }
        let hasValue = rest.first.map { Duration(written: $0) != nil } ?? false
        expanded.append(argument == "--wait" && !hasValue ? "--wait=\(waitUsual)" : argument)
    }
    return expanded
}

extension Duration {
    /// Reads `500ms`, `30s`, `5m`, `12h` and `30d`.
    init?(written text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), (1...9).contains(digits.count) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3600)
        case "d": self = .seconds(number * 86_400)
        default: return nil
        }
    }

    static let grammar = "a time such as 500ms, 30s, 5m, 12h or 30d"
}

/// What the commands are called to which fingers are used from `git`, `gh` and `kubectl`.
let foreignWords = [
    "annotate": "blame",
    "apply": "import",
    "auth": "whoami",
    "branch": "changes",
    "checkout": "rollback",
    "commit": "propose",
    "create": "propose",
    "delete": "propose",
    "describe": "change show",
    "edit": "propose",
    "events": "history",
    "fetch": "get",
    "issue": "changes",
    "log": "history",
    "logs": "history",
    "merge": "change approve",
    "patch": "propose",
    "pr": "changes",
    "pull": "get",
    "push": "propose",
    "reset": "rollback",
    "review": "change approve",
    "rollout": "rollback",
    "set": "propose",
    "show": "change show",
    "stash": "change withdraw",
    "status": "doctor",
    "tag": "release add",
]

/// Stops at a word of another program, and says ours.
func refuseForeignWord(_ word: String?) throws(Failure) {
    guard let word, let meant = foreignWords[word] else { return }
    throw Failure(
        .usage,
        "There is no command \(word); did you mean plimsoll \(meant)?",
        next: "plimsoll \(meant) --help"
    )
}
