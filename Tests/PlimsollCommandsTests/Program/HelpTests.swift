import ArgumentParser
import Foundation
import Testing

@testable import PlimsollCommands

struct HelpTests {
    static func all(
        below command: any ParsableCommand.Type = Plimsoll.self,
        named names: [String] = []
    ) -> [(name: String, type: any ParsableCommand.Type)] {
        let name = names + [command.configuration.commandName ?? command._commandName]
        let below = command.configuration.subcommands
        return [(name.joined(separator: " "), command)]
            + below.flatMap { all(below: $0, named: name) }
    }

    @Test func `every command has a summary and an example of itself`() {
        for (name, type) in Self.all() {
            #expect(!type.configuration.abstract.isEmpty, "\(name) has no summary")
            let words = type.configuration.discussion.replacing("\n", with: " ") + " "
            #expect(words.contains("\(name) "), "\(name) has no example")
        }
        #expect(Self.all().count > 20)
    }

    @Test func `every command that is written is among those that are listed`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/PlimsollCommands")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
        let written = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
            try String(contentsOf: sources.appending(path: file), encoding: .utf8)
                .matches(of: /struct (\w+): [^{]*Command\b/).map { String($0.output.1) }
        }
        let listed = Set(Self.all().map { "\($0.type)" })
        #expect(written.filter { !listed.contains($0) } == [])
        #expect(written.count > 20)
    }

    @Test func `no line of the help is two lines that were joined`() {
        for (name, type) in Self.all() {
            for line in type.configuration.discussion.split(separator: "\n") {
                let words = line.drop { $0 == " " }
                #expect(!words.contains("  "), "\(name): \(line)")
            }
        }
    }

    // Goal: what is copied from a terminal runs as it stands. Method: no line of it was broken.
    @Test func `examples fit a terminal of eighty columns`() {
        for (name, type) in Self.all() {
            let shown = Plimsoll.helpMessage(for: type, columns: 80).split(separator: "\n")
            let examples = type.configuration.discussion.split(separator: "\n").filter {
                $0.hasPrefix("  ")
            }
            for line in examples { #expect(shown.contains(line), "\(name): \(line)") }
        }
    }

    @Test func `without a command help is the result`() async throws {
        for arguments in [[], ["change"], ["verify"], ["token"]] {
            let run = try await run(arguments)
            #expect(run.code == 0)
            #expect(run.output.contains("USAGE: plimsoll"))
            #expect(run.errors.isEmpty)
        }
    }

    @Test(arguments: [
        ["bogus"], ["get", "--bogus"], ["get", "--event", "x"], ["get", "--at", "nowhen"],
        ["get", "--at", "2026-11-21T08:00:00Z", "--event", "4"], ["rollback", "--reason", "x"],
        ["rollback", "--to-event", "4"], ["rollback", "--to-event", "4", "--before-change", "2"],
        ["propose"], ["propose", "--title", "x"], ["propose", "--set", "minimumApp=3"],
        ["change", "approve"], ["change", "approve", "x"], ["change", "approve", "0"],
        ["token", "create", "--role", "viewer"],
        ["token", "create", "--name", "x", "--role", "no"],
        ["simulate", "--platform", "ios"], ["history", "--type", "Nothing"],
        ["history", "--limit", "0"], ["history", "--format", "csv", "--json"],
        ["diff", "live"], ["diff", "live", "now"],
        ["edge", "--from", "http://127.0.0.1:9", "--from-ca", "ca.pem", "--keys", "keys.json"],
        ["verify", "document", "x"], ["rollback", "--to-event", "4", "--reason", "x", "--wait=no"],
    ])
    func `wrong usage ends with 2, and nothing on standard output`(
        _ arguments: [String]
    ) async throws {
        let run = try await run(arguments)
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: "))
    }

    @Test func `words of other programs lead to a command that there is`() async throws {
        let names = Set(Self.all().map(\.name))
        for (word, meant) in foreignWords {
            #expect(!names.contains("plimsoll \(word)"), "\(word) is a command")
            #expect(names.contains("plimsoll \(meant)"), "\(meant) is no command")
        }
        let run = try await run(["checkout", "17"])
        #expect(run.code == 2)
        #expect(run.errors.contains("did you mean plimsoll rollback?"))
        #expect(run.errors.contains("Next: plimsoll rollback --help"))
    }

    @Test(arguments: [
        (["rolback", "--to-event", "4", "--reason", "x"], "rollback"), (["revret", "2"], "revert"),
        (["undo", "2", "--reason", "x"], "revert"), (["app"], "apps"), (["gte"], "get"),
        (["change", "aprove", "2", "--yes"], "change approve"),
        (["policy", "shwo"], "policy show"),
    ])
    func `a slip in a command's name leads to the command, whatever stands behind it`(
        _ arguments: [String],
        _ meant: String
    ) async throws {
        let run = try await run(arguments)
        #expect(run.code == 2)
        #expect(run.errors.contains("did you mean plimsoll \(meant)?"))
        #expect(run.errors.contains("Next: plimsoll \(meant) --help"))
    }

    @Test(arguments: [
        ["x", "--yes"], ["nonsense"], ["keys", "nonsense", "--yes"], ["change", "17"],
        [String(repeating: "rollback", count: 10_000)], ["change", "a\nError: b"],
    ])
    func `a word that is like no command leads to the list of commands`(
        _ arguments: [String]
    ) async throws {
        let run = try await run(arguments)
        let list = arguments.count > 1 && arguments[1] != "--yes" ? " \(arguments[0])" : ""
        #expect(run.code == 2)
        #expect(run.errors.hasPrefix("Error: There is no command \(arguments[0].prefix(20))"))
        #expect(run.errors.hasSuffix("Next: plimsoll help\(list)\n"))
        #expect(run.errors.utf8.count < 400 && run.errors.split(separator: "\n").count == 2)
    }

    @Test func `refused help leads to what has a list of commands`() async throws {
        let run = try await run(["help", "change", "nonsense"])
        #expect(run.errors.contains("Next: plimsoll help change\n"))
    }

    @Test(arguments: [["nonsense"], ["change", "nonsense"], ["checkout"], ["get", "harbour"]])
    func `help on what is no command is refused`(_ words: [String]) async throws {
        let run = try await run(["help"] + words)
        #expect(run.code == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("There is no command \(words.joined(separator: " "))"))
    }

    @Test(arguments: [[], ["help"], ["change"], ["change", "approve"]])
    func `help on a command shows it`(_ words: [String]) async throws {
        let run = try await run(["help"] + words)
        #expect(run.code == 0)
        #expect(run.output.contains("USAGE: plimsoll \(words.joined(separator: " "))"))
    }

    private func run(_ arguments: [String]) async throws -> CommandLineRun {
        try await plimsoll(arguments, service: "http://127.0.0.1:9", token: "plm_test")
    }
}
