import ArgumentParser
import Foundation
import Testing

@testable import PlimsollCommands

/// Whether what the pages and the help show can be typed.
struct ExampleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func pages() throws -> [(name: String, text: String)] {
        let docs = root.appending(path: "docs")
        let names = try FileManager.default.subpathsOfDirectory(atPath: docs.path)
        let pages = names.filter { $0.hasSuffix(".md") }.map { docs.appending(path: $0) }
        return try ([root.appending(path: "README.md")] + pages).map {
            ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
        }
    }

    private static func commands(
        from command: any ParsableCommand.Type = Plimsoll.self
    ) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap { commands(from: $0) }
    }

    @Test func `every example of the help is understood`() {
        let texts = Self.commands().map { $0.configuration.discussion }
        expectUnderstood(texts.flatMap(ShellExample.all), atLeast: 60)
    }

    @Test func `every command line of the pages is understood`() throws {
        expectUnderstood(try Self.pages().flatMap { ShellExample.all(in: $0.text) }, atLeast: 15)
    }

    @Test(arguments: [
        ("  plimsoll get --at x | jq .", ["get", "--at", "x"]),
        (
            "$ PLIMSOLL_TOKEN=$BOB plimsoll change approve 2 --wait",
            ["change", "approve", "2", "--wait"]
        ),
        ("For example: plimsoll keys show a > 'b c'", ["keys", "show", "a"]),
        (
            "plimsoll propose --title \"a 'b' c\" \\\n    --set a=''",
            ["propose", "--title", "a 'b' c", "--set", "a="]
        ),
    ])
    func `examples are read as a shell reads them`(_ text: String, _ arguments: [String]) {
        #expect(ShellExample.all(in: text).map(\.arguments) == [arguments])
    }

    @Test(arguments: ["docker run plimsoll serve", "Somebody approves: plimsoll get", "plimsoll"])
    func `what is no command line is left alone`(_ text: String) {
        #expect(ShellExample.all(in: text).isEmpty)
    }

    private func expectUnderstood(_ examples: [ShellExample], atLeast count: Int) {
        #expect(examples.count >= count)
        for example in examples {
            do {
                _ = try Plimsoll.parseAsRoot(expanded(example.arguments))
            } catch {
                // Help, or a script for completion, ends the parser as an error does.
                let isWanted = Plimsoll.exitCode(for: error).isSuccess
                #expect(isWanted, "\(example): \(Plimsoll.message(for: error))")
            }
        }
    }
}
