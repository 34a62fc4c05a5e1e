import Testing

@Suite struct RoomsTests {
    @Test func `the table lets imports go only downwards`() {
        #expect(Rooms.upwardImports(in: Rooms.table) == [])
    }

    @Test func `a room that may import one below it is found`() {
        let rooms = [
            Rooms.Room(module: "PlimsollDomain", mayImport: ["PlimsollStore"]),
            Rooms.Room(module: "PlimsollStore", mayImport: ["PlimsollDomain", "Crypto"]),
        ]
        #expect(
            Rooms.upwardImports(in: rooms)
                == ["PlimsollDomain may not import PlimsollStore, which is not above it"]
        )
    }

    @Test func `the architecture page shows the same table`() throws {
        let page = try #require(Repository.current.file("docs/internals/ARCHITECTURE.md"))
        #expect(Rooms.rooms(on: page) == Rooms.table)
    }

    @Test func `a row of the page is read as it stands`() {
        let page = TextFile(
            "a.md",
            "| `A` | nothing, `x` | `B`, `C` |\n| `B` | less | – |\n| word | no row | `C` |\n"
        )
        let expected = [
            Rooms.Room(module: "A", mayImport: ["B", "C"]),
            Rooms.Room(module: "B", mayImport: []),
        ]
        #expect(Rooms.rooms(on: page) == expected)
    }

    @Test(arguments: [
        "import PlimsollHTTP", "package import PlimsollHTTP", "@testable import PlimsollHTTP",
        "import struct PlimsollHTTP.Router", "\n    import PlimsollHTTP",
    ])
    func `an import from below is found`(line: String) {
        let file = TextFile("Sources/PlimsollStore/Log/A.swift", line)
        #expect(Rooms.forbiddenImports(file).count == 1)
    }

    @Test func `a library in a pure room is found`() {
        let file = TextFile("Sources/PlimsollJSON/A.swift", "import Foundation")
        #expect(Rooms.forbiddenImports(file).count == 1)
    }

    @Test func `a room that nobody planned is found`() {
        let file = TextFile("Sources/PlimsollUtils/A.swift", "let a = 1")
        #expect(Rooms.forbiddenImports(file).count == 1)
    }

    @Test func `an example shows what its reader imports`() {
        let example = "Sources/PlimsollClient/PlimsollClient.docc/Resources/A.swift"
        #expect(Rooms.forbiddenImports(TextFile(example, "import PlimsollClient")) == [])
        let code = TextFile("Sources/PlimsollClient/A.swift", "import PlimsollDomain")
        #expect(Rooms.forbiddenImports(code).count == 1)
    }

    @Test(arguments: [
        "package import PlimsollDomain", "import Logging", "// import PlimsollHTTP",
        "let text = \"import PlimsollHTTP\"",
    ])
    func `an import that the table allows is left alone`(line: String) {
        let file = TextFile("Sources/PlimsollStore/Log/A.swift", line)
        #expect(Rooms.forbiddenImports(file) == [])
    }
}
