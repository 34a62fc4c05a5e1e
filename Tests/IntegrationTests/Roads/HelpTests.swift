import Foundation
import Testing

/// What the pages say of the command line is so.
@Suite struct HelpTests {
    // Goal: a reader who copies a command from a page is never told that it does not exist.
    // Method: every `plimsoll …` in code of README and docs is asked for its help.
    @Test func `every command that a page names has help`() async throws {
        let commands = try pages().reduce(into: Set<[String]>()) { commands, page in
            commands.formUnion(try self.commands(on: page))
        }
        try #require(!commands.isEmpty)
        for command in commands.sorted(by: { $0.joined() < $1.joined() }) {
            let help = try await Program.run(try Program.plimsoll(), command + ["--help"])
            #expect(help.status == 0, "plimsoll \(command.joined(separator: " "))")
            let usage = "USAGE: plimsoll " + command.joined(separator: " ")
            #expect(help.output.contains(usage), "plimsoll \(command.joined(separator: " "))")
        }
    }

    private var repository: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../..").standardizedFileURL
    }

    private func pages() throws -> [URL] {
        let folder = repository.appending(path: "docs/operating")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return [repository.appending(path: "README.md")]
            + names.filter { $0.hasSuffix(".md") }.map { folder.appending(path: $0) }
    }

    /// The command words after `plimsoll` in code: `change approve`, but not `17` or `--yes`.
    private func commands(on page: URL) throws -> [[String]] {
        let text = try String(contentsOf: page, encoding: .utf8)
        return text.matches(of: /(?:`|\n|\$ |sudo )plimsoll ([a-z][a-z-]*)((?: [a-z][a-z-]*)?)/).map
        {
            match in
            let second = match.2.trimmingPrefix(" ")
            let nouns = [
                "change", "apps", "token", "keys", "entry-keys", "verify", "principal", "policy",
                "freeze", "reviews", "release", "shares", "webhook", "marketplace", "identity",
                "session", "offers",
            ]
            let isGroup = nouns.contains(String(match.1)) && !second.isEmpty
            return isGroup ? [String(match.1), String(second)] : [String(match.1)]
        }
    }
}
