import Testing

@Suite struct WordsTests {
    private func banned(_ text: String, at path: String = "Sources/PlimsollStore/A.swift") -> Int {
        Words.banned(TextFile(path, text)).count
    }

    @Test(arguments: [
        "final class A: @unchecked Sendable {}", "fatalError(\"no\")", "let a = try! b()",
        "let a = unsafe b()", "nonisolated(unsafe) var a = 1", "print(a)", "Task { await a() }",
        "Task.detached { }", "Task(priority: .high) {}", "Task<Void, Never> {}",
        "Task(name: f(1)) {}", "Task.immediate {}", "let a = \"\\(unsafe b)\"",
        "unsafeFlags([\"-Ounchecked\"])", "import XCTest",
        "ServiceGroup(services: a, logger: b)", "let a: ServiceGroupConfiguration",
        "if isTestedOptimised {} a.unsafeFlags(b)", "if target.type == .test {} a.unsafeFlags(b)",
    ])
    func `a banned word is found`(text: String) {
        #expect(banned(text) == 1)
    }

    @Test(arguments: [
        "// fatalError, try! and Task { }", "let a = \"print(b)\"", "a.print(b)",
        "try await Task.sleep(for: b)", "let a: Task<Void, Never>", "if Task.isCancelled {}",
        "withUnsafePointer(to: a) { b }", "if try !a() {}", "struct Tasks {}",
        "throw ServiceGroupError.alreadyRunning()",
        "if target.type == .test { target.swiftSettings?.append(.unsafeFlags(a)) }",
        "if isTestedOptimised { target.swiftSettings?.append(.unsafeFlags(a)) }",
    ])
    func `an innocent word is left alone`(text: String) {
        #expect(banned(text) == 0)
    }

    @Test func `a room may use the word that it needs`() {
        #expect(banned("unsafe a()", at: "Sources/PlimsollPostgres/A.swift") == 0)
        #expect(banned("unsafe a()", at: "Tests/PlimsollSystemTests/A.swift") == 0)
        #expect(banned("unsafe a()", at: "Sources/PlimsollPostgresExtras/A.swift") == 1)
        #expect(banned("ServiceGroup(services: a)", at: "Tests/PlimsollEdgeTests/A.swift") == 0)
        #expect(banned("print(a)", at: "Sources/PlimsollCommands/A.swift") == 0)
        #expect(banned("print(a)", at: "Sources/plimsoll/main.swift") == 0)
        #expect(banned("print(a)", at: "Tests/PlimsollStoreTests/A.swift") == 1)
        #expect(banned("Task { await a() }", at: "Tests/XCTMain.swift") == 0)
        #expect(banned("Task { await a() }", at: "Tests/PlimsollLogTests/XCTMain.swift") == 1)
        let inTime = "Sources/PlimsollClient/Fetching/InTime.swift"
        #expect(banned("Task(name: \"work\") { await a() }", at: inTime) == 0)
        #expect(banned("Task { await a() }", at: "Sources/PlimsollClient/States.swift") == 1)
    }

    @Test(arguments: ["@Test(.disabled(\"later\")) func `a b`() {}", "withKnownIssue { a() }"])
    func `a test that is switched off is found`(text: String) {
        #expect(banned(text, at: "Tests/PlimsollStoreTests/A.swift") == 1)
        #expect(banned("button.isDisabled = disabled(a)", at: "Tests/A/A.swift") == 0)
        #expect(banned(text, at: "Sources/PlimsollStore/A.swift") == 0)
    }

    @Test(arguments: ["// TO" + "DO: later", "FIX" + "ME", "(TO" + "DO)", "a TO" + "DOs"])
    func `a promise is found`(text: String) {
        #expect(Words.unkeptPromises(TextFile("a.md", "a\n" + text)).map(\.line) == [2])
    }

    @Test(arguments: ["let auTO" + "DO = 1", "to do", "todo"])
    func `a word that only looks like a promise is left alone`(text: String) {
        #expect(Words.unkeptPromises(TextFile("a.md", text)) == [])
    }

    @Test(arguments: ["cd /" + "work/main", "/" + "opt/swift/bin", "\"/" + "tmp/bash_jobs\""])
    func `a path of one machine is found`(text: String) {
        #expect(Words.localPath(TextFile("scripts/run", text)).count == 1)
    }

    @Test(arguments: ["https://a.example/b/" + "work/c", "$HOME/" + "work/", "/tmp/plimsoll"])
    func `a path of any machine is left alone`(text: String) {
        #expect(Words.localPath(TextFile("scripts/run", text)) == [])
    }
}
