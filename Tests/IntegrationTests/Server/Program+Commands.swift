import Foundation

/// A command of the program, as the program describes itself.
struct DescribedCommand: Sendable {
    /// Such as `change approve`.
    let words: [String]
    /// Whether it writes to the record: then it takes a dry run.
    let isWrite: Bool

    var name: String { words.joined(separator: " ") }
}

extension Program {
    /// Every command that does something by itself.
    static func commands() async throws -> [DescribedCommand] {
        let outcome = try await run(try plimsoll(), ["--experimental-dump-help"])
        let description = try JSONDecoder().decode(
            Description.self,
            from: Data(outcome.output.utf8)
        )
        return description.command.commands(below: [])
    }

    private struct Description: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let subcommands: [Command]?
        let arguments: [Argument]?

        func commands(below words: [String]) -> [DescribedCommand] {
            let below = (subcommands ?? []).filter { $0.commandName != "help" }
            guard below.isEmpty else {
                return below.flatMap { $0.commands(below: words + [$0.commandName]) }
            }
            let isWrite = (arguments ?? []).contains { argument in
                (argument.names ?? []).contains { $0.name == "dry-run" }
            }
            return [DescribedCommand(words: words, isWrite: isWrite)]
        }
    }

    private struct Argument: Decodable {
        let names: [Name]?
    }

    private struct Name: Decodable {
        let name: String
    }
}
