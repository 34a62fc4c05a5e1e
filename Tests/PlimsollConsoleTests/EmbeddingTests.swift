import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollConsole

struct EmbeddingTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every template is in the program as it lies there`() throws {
        let folder = Self.root.appending(path: "Sources/PlimsollConsole/Templates")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == Templates.files.map { "\($0.name).mustache" }.sorted())
        for (name, bytes) in Templates.files {
            let file = folder.appending(path: "\(name).mustache")
            #expect(try Array(Data(contentsOf: file)) == bytes, "\(name)")
        }
    }

    // Goal: a text keeps the line break that it begins with, since browsers leave out the first.
    @Test func `what a template shows in a field of several lines begins on the next line`() {
        for (name, bytes) in Templates.files {
            let template = String(decoding: bytes, as: UTF8.self)
            for field in template.matches(of: /<textarea[^>]*>(?<first>[^<])/) {
                #expect(field.output.first == "\n", "\(name)")
            }
        }
    }

    /// What the script makes of a file, and what it says.
    private func embed(
        _ text: String,
        as name: String
    ) async throws -> (isDone: Bool, code: String, words: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, code) = (folder.appending(path: name), folder.appending(path: "code.swift"))
        try Data(text.utf8).write(to: file)
        let script = Self.root.appending(path: "scripts/embed").path
        let run = try await run("sh", [script, code.path, file.path])
        let written = try? String(contentsOf: code, encoding: .utf8)
        return (run.status == 0, written ?? "", run.errors)
    }

    @Test(arguments: [
        ("\"\"\"##", "a.txt"), ("\\##n", "a.txt"), ("\\##(a)", "a.txt"), ("a\r\nb", "a.txt"),
        ("a", "9a.txt"),
    ])
    func `a file that Swift would read otherwise is refused by its name`(
        text: String,
        name: String
    ) async throws {
        let run = try await embed(text, as: name)
        #expect(!run.isDone && run.code.isEmpty)
        #expect(run.words.hasPrefix("embed: ") && run.words.contains(name))
    }

    @Test(arguments: ["", "a", "a\n", "\"\"\"#", "\\(a) \\#n", "\n\n"])
    func `any other text stands between the delimiters`(text: String) async throws {
        let run = try await embed(text, as: "a-b.txt")
        #expect(run.isDone)
        #expect(run.code.contains("a_b_txt = Array(##\"\"\"\n\(text)\n\"\"\"##.utf8)"))
        #expect(run.code.contains("\"a-b.txt\", a_b_txt"))
    }
}
