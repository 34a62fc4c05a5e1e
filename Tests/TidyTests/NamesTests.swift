import Testing

@Suite struct NamesTests {
    private func tests(_ text: String) -> Int {
        Names.unspokenTests(TextFile("Tests/ATests/A.swift", text)).count
    }

    @Test(arguments: [
        "@Test func appends() {}", "@Test(.tags(.a)) func appends() {}", "func testAppends() {}",
        "@Test(arguments: [1, 2])\nfunc `appends`(a: Int) {}", "@Test(\"a name\") func a() {}",
        "@Test @MainActor func appends() async throws {}",
    ])
    func `a test whose name is no sentence is found`(text: String) {
        #expect(tests(text) == 1)
    }

    @Test(arguments: [
        "@Test func `an append is kept`() {}", "func given() {}", "func tested() {}",
        "@Test func `a b`() {}\nfunc helper() {}", "@Suite struct TestTests { func a() {} }",
    ])
    func `a sentence and a helper are left alone`(text: String) {
        #expect(tests(text) == 0)
    }

    private func types(_ text: String) -> Int {
        Names.undocumentedTypes(TextFile("Sources/A/A.swift", text)).count
    }

    @Test(arguments: [
        "package struct A {}", "package final class A {}", "public enum A {}", "package actor A {}",
        "package indirect enum A {}", "@safe\npackage struct A {}", "@safe package struct A {}",
        "// No doc comment.\npackage protocol A {}", "/// Of another one.\n\npackage enum A {}",
    ])
    func `a type without a doc comment is found`(text: String) {
        #expect(types(text) == 1)
    }

    @Test(arguments: [
        "/// An A.\npackage struct A {}", "/// An A.\n@safe\npackage struct A {}", "struct A {}",
        "package import struct A.B", "package class func a() {}", "package func a() {}",
        "/// An A.\n    package final class A {}", "package struct AsyncIterator {}",
    ])
    func `a documented or inner type is left alone`(text: String) {
        #expect(types(text) == 0)
    }

    @Test func `a folder without a subject is found`() {
        #expect(Names.emptyFolders(TextFile("Sources/A/Helpers/B.swift", "")).count == 1)
        #expect(Names.emptyFolders(TextFile("Sources/A/Helper.swift", "")) == [])
    }

    @Test func `a placeholder is found`() {
        #expect(Names.placeholders(TextFile("Sources/A/Placeholder.swift", "")).count == 1)
        #expect(Names.placeholders(TextFile("Tests/ATests/Placeholder.swift", "")).count == 1)
        #expect(Names.placeholders(TextFile("Sources/A/Place.swift", "")) == [])
    }
}
