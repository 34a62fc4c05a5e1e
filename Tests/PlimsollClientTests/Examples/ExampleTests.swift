import Foundation
import PlimsollTestSupport
import Testing

@testable import PlimsollClient

/// The example that people are shown is the one that is compiled here.
@Suite struct ExampleTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.repository.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(arguments: [
        "docs/reference/client.md",
        "Sources/PlimsollClient/PlimsollClient.docc/Resources/HarbourLine-3.swift",
    ])
    func `the example on the page is the one that compiles`(_ page: String) throws {
        let example = try text("Tests/PlimsollClientTests/Examples/HarbourLine.swift")
        #expect(try text(page).contains(example))
    }

    @Test(arguments: [1, 2])
    func `every step of the tutorial is a part of the whole`(_ step: Int) throws {
        let folder = "Sources/PlimsollClient/PlimsollClient.docc/Resources"
        let whole = Set(try text("\(folder)/HarbourLine-3.swift").split(separator: "\n"))
        let lines = try text("\(folder)/HarbourLine-\(step).swift").split(separator: "\n")
        #expect(lines.count > 5)
        #expect(lines.filter { !whole.contains($0) } == [])
    }

    @Test func `a screen lies over the app only where there is something to say`() {
        #expect(Screen(.open) == nil)
        let blocked = Decision(
            verdict: .appTooOldUpdateAvailable,
            title: nil,
            description: "Too old.",
            language: "en"
        )
        let screen = Screen(blocked)
        #expect(screen?.title == "Update")
        #expect(screen?.isClosable == false)
        #expect(screen?.hasStoreButton == true)
    }

    @Test func `a build without a version just runs`() throws {
        let key = Publisher()
        // A test bundle has no version of its own.
        #expect(try HarbourLine(keys: [key.keyID: key.pem]) == nil)
    }
}
