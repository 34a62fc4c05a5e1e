import Testing

@Suite struct PortableTests {
    private static let manifest = TextFile(
        "Package.swift",
        """
        let commandLineRooms: Set = ["PlimsollDomain", "PlimsollCommands"]
        let serverCommands = ["Serving", "Keys/Copy.swift"]
        """
    )
    private static let serve = TextFile(
        "Sources/PlimsollCommands/Serving/Serve.swift",
        "import PlimsollServer\nstruct ServeCommand {}\nstruct Shared {}\n"
    )

    private func findings(
        _ text: String,
        at path: String = "Sources/PlimsollCommands/A.swift"
    ) throws -> [Finding] {
        let file = TextFile(path, text)
        return try #require(Portable([Self.manifest, Self.serve, file])).findings(file)
    }

    @Test func `what the command line is made of builds without the service`() throws {
        let repository = Repository.current
        let portable = try #require(Portable(repository.files))
        #expect(repository.findings(portable.findings) == [])
        #expect(portable.missing(repository.files) == [])
    }

    @Test(arguments: [
        "import Glibc", "import PlimsollServer", "import FoundationEssentials",
        "let number = MSG_NOSIGNAL", "let command = ServeCommand()",
        "#if SERVER\nimport PlimsollServer\n#endif\nimport CLibPQ",
        "#if SERVER\nlet a = 1\n#else\nimport Glibc\n#endif",
        "#if !SERVER\nimport Glibc\n#endif",
    ])
    func `what there is only on Linux is found`(_ text: String) throws {
        #expect(try findings(text).count == 1)
    }

    @Test(arguments: [
        "import Foundation", "import PlimsollDomain", "// import Glibc",
        "let text = \"MSG_NOSIGNAL\"", "let name = other.ServeCommand",
        "#if SERVER\nimport PlimsollServer\nlet a = ServeCommand.self\n#endif",
        "struct Shared {}\nlet a = Shared()",
    ])
    func `what there is on both is left alone`(_ text: String) throws {
        #expect(try findings(text) == [])
    }

    @Test func `the commands of the service and other rooms see what they need`() throws {
        for path in ["PlimsollCommands/Keys/Copy.swift", "PlimsollServer/A.swift"] {
            #expect(try findings("import Glibc", at: "Sources/\(path)") == [])
        }
    }

    @Test func `a list that names nothing is found`() throws {
        let portable = try #require(Portable([Self.manifest, Self.serve]))
        let missing = portable.missing([Self.serve])
        #expect(missing == ["Sources/PlimsollCommands/Keys/Copy.swift"])
    }
}
