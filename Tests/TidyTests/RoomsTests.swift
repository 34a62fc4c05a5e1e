import Testing

@Suite struct RoomsTests {
    private let manifest: TextFile
    private let rooms: [Rooms.Room]

    init() throws {
        manifest = try #require(Repository.current.file("Package.swift"))
        rooms = Rooms.rooms(in: manifest)
    }

    @Test func `rooms use only what stands above them in the manifest`() {
        #expect(rooms.count > 10)
        #expect(Rooms.upwardUses(in: rooms) == [])
    }

    @Test func `a room that uses one below it is found`() {
        let rooms = [
            Rooms.Room(module: "PlimsollDomain", uses: ["PlimsollStore"]),
            Rooms.Room(module: "PlimsollStore", uses: ["PlimsollDomain", "Crypto"]),
        ]
        #expect(
            Rooms.upwardUses(in: rooms)
                == ["PlimsollDomain uses PlimsollStore, which is not above it"]
        )
    }

    @Test func `the architecture page knows every room`() throws {
        let page = try #require(Repository.current.file("docs/internals/ARCHITECTURE.md"))
        let others = ["CLibPQ", "CLinux", "plimsoll", "PlimsollTestSupport"]
        #expect(Set(Rooms.modules(on: page)) == Set(rooms.map(\.module) + others))
    }

    @Test func `a declaration is read as it stands`() {
        let manifest = TextFile(
            "Package.swift",
            """
            let crypto = product("Crypto", of: "swift-crypto")
                    + module("PlimsollJSON")
                    + module(
                        "PlimsollLog",
                        uses: ["PlimsollJSON", crypto],
                        testUses: ["PlimsollStore"]
                    )
            """
        )
        let expected = [
            Rooms.Room(module: "PlimsollJSON", uses: []),
            Rooms.Room(module: "PlimsollLog", uses: ["PlimsollJSON", "Crypto"]),
        ]
        #expect(Rooms.rooms(in: manifest) == expected)
    }

    @Test func `a row of the page is read as it stands`() {
        let page = TextFile("a.md", "| `A` | nothing, `x` |\n| `B` | less |\n| word | no row |\n")
        #expect(Rooms.modules(on: page) == ["A", "B"])
    }

    @Test func `rooms that compute import nothing else`() {
        #expect(Repository.current.findings { Rooms.forbiddenImports($0, rooms) } == [])
    }

    @Test(arguments: [
        "import Glibc", "package import PlimsollStore", "@testable import PlimsollHTTP",
        "import struct Foundation.Data", "\n    import Crypto",
    ])
    func `what a room that computes may not have is found`(line: String) {
        let file = TextFile("Sources/PlimsollJSON/A.swift", line)
        #expect(Rooms.forbiddenImports(file, rooms).count == 1)
    }

    @Test func `an example shows what its reader imports`() {
        let example = "Sources/PlimsollClient/PlimsollClient.docc/Resources/A.swift"
        #expect(Rooms.forbiddenImports(TextFile(example, "import PlimsollClient"), rooms) == [])
        let code = TextFile("Sources/PlimsollClient/A.swift", "import PlimsollDomain")
        #expect(Rooms.forbiddenImports(code, rooms).count == 1)
    }

    @Test(arguments: [
        "package import PlimsollJSON", "import Foundation", "import HashTreeCollections",
        "// import PlimsollHTTP", "let text = \"import PlimsollHTTP\"",
    ])
    func `an import that the manifest allows is left alone`(line: String) {
        let file = TextFile("Sources/PlimsollDomain/Log/A.swift", line)
        #expect(Rooms.forbiddenImports(file, rooms) == [])
    }
}
