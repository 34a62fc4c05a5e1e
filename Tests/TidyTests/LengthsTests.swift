import Testing

@Suite struct LengthsTests {
    private func lines(_ count: Int) -> String { String(repeating: "a\n", count: count) }

    @Test func `a file at the limit passes and one line more does not`() {
        #expect(Lengths.longFiles(TextFile("a.swift", lines(400))) == [])
        #expect(Lengths.longFiles(TextFile("a.swift", lines(401))).count == 1)
        #expect(Lengths.longFiles(TextFile("a.swift", lines(400) + "a")).count == 1)
        #expect(Lengths.longFiles(TextFile("scripts/run", lines(401))).count == 1)
        #expect(Lengths.longFiles(TextFile("LICENSE", lines(401))) == [])
    }

    @Test(arguments: [
        "func f() {", "init(a: Int) {", "deinit {", "subscript(i: Int) -> Int {",
        "func f<T>(\n_ g: () -> Void = {},\n) throws(E) -> [T] where T: P {",
        "func `a name with a { brace`() {", "static func == (a: A, b: A) -> Bool {",
    ])
    func `a function at the limit passes and one line more does not`(head: String) {
        let lines = head.split(separator: "\n").count
        let atLimit = head + "\n" + self.lines(59 - lines) + "}\n"
        let over = head + "\n" + self.lines(60 - lines) + "}\n"
        #expect(Lengths.longFunctions(TextFile("a.swift", atLimit)) == [])
        #expect(Lengths.longFunctions(TextFile("a.swift", over)).map(\.line) == [1])
    }

    @Test func `a brace in a text or a comment closes nothing`() {
        let text = "func f() {\n// }\nlet a = \"}\"\n" + lines(60) + "}\n"
        #expect(Lengths.longFunctions(TextFile("a.swift", text)).count == 1)
    }

    @Test(arguments: [
        "protocol P {\nfunc f() throws\nvar a: Int { get }\n",
        "protocol P {\nfunc f()\ninit(a: Int)\n}\nstruct S {\n",
        "struct S {\nlet a = T.init(b)\n",
    ])
    func `a requirement or a call is no function`(text: String) {
        #expect(Lengths.longFunctions(TextFile("a.swift", text + lines(80) + "}\n")) == [])
    }
}
