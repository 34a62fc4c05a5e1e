import Testing

@Suite struct ReferencesTests {
    private func file(_ path: String) throws -> TextFile {
        try #require(Repository.current.file(path))
    }

    @Test func `the page of problems lists every type there is`() throws {
        let defined = References.rawValues(
            in: try file("Sources/PlimsollAPI/Problems/ProblemCode.swift")
        )
        let listed = References.names(on: try file("docs/reference/problems.md"), column: 0)
        #expect(defined.count > 15)
        #expect(listed == Set(defined.map { "/problems/\($0)" }))
    }

    @Test func `the page of problems lists every objection there is, by its kind`() throws {
        let declarations = Repository.current.files.filter {
            $0.path.hasPrefix("Sources/PlimsollDomain/Refusals/")
        }
        let objections = References.objections(in: declarations)
        let codes = objections.values.reduce(into: Set()) { $0.formUnion($1) }
        let kinds = try file("Sources/PlimsollDomain/Refusals/Refusal.swift").lines.compactMap {
            $0.wholeMatch(of: #/    case (\w+)/#).map { String($0.output.1) }
        }
        let page = try file("docs/reference/problems.md")
        let rows = page.lines.filter { $0.hasPrefix("| 4") }.map { row in
            Set(row.matches(of: #/`(\w+)`/#).map { String($0.output.1) })
        }
        #expect(codes.count > 100)
        #expect(rows == kinds.map { objections[$0] ?? [] })
    }

    @Test func `the page of settings has every variable that a command reads`() throws {
        let page = try file("docs/operating/configuration.md").text
        let read = Repository.current.files.filter { $0.module == "PlimsollCommands" }.flatMap {
            $0.text.matches(of: #/(?:environment\[|variable\()"(\w+)"/#).map { "`\($0.output.1)`" }
        }
        #expect(read.count > 10)
        #expect(Set(read.filter { !page.contains($0) }) == Set(["`HOME`", "`PATH`"]))
    }

    @Test func `the life of a change passes functions that exist`() throws {
        let page = try file("docs/internals/ARCHITECTURE.md")
        let sources = Repository.current.files.filter { $0.module != nil }
        #expect(References.missingFunctions(on: page, in: sources) == [])
    }

    @Test func `a function that is gone is found`() {
        let page = TextFile("a.md", "`A.run` `A.walk` `A.init` `B.run` `A.swift file`\n")
        let code = TextFile("A.swift", "extension A { func run() {}\n init() {} }")
        let other = TextFile("B.swift", "struct B {}")
        #expect(References.missingFunctions(on: page, in: [code, other]) == ["A.walk", "B.run"])
    }

    @Test func `whoever adds something is led to what exists`() throws {
        let page = try file("docs/internals/adding.md")
        #expect(References.missingNames(on: page, in: Repository.current.files) == [])
    }

    @Test func `a file, a type and a member that are gone are found`() {
        let page = TextFile(
            "a.md",
            "`R/F` `R/F/A.swift` `sql/a.sql` `A` `A+B` `F` `A.b` `A.c` `b` `d:` `plimsoll d` `/d`"
                + " `R/A.swift` `sql/b` `B` `B+A` `A.e` `B.b` `A.d` `f`\n"
        )
        let files = [
            TextFile("Sources/R/F/A.swift", "struct A { func b() {}\n static let c = d }"),
            TextFile("Tests/R/A+B.swift", "extension A { var e: Int { f } }\n"),
            TextFile("sql/a.sql", ""),
        ]
        #expect(
            References.missingNames(on: page, in: files) == [
                "R/A.swift", "sql/b", "B", "B+A", "B.b", "A.d", "f",
            ]
        )
    }

    @Test func `each claim about security names a test that exists`() throws {
        let page = try file("SECURITY.md")
        #expect(References.missingTests(on: page, in: Repository.current.files) == [])
        #expect(References.unheldClaims(on: page) == [])
    }

    @Test func `the page of faults has every fault once, and names what exists`() throws {
        let page = try file("docs/operating/faults.md")
        #expect(References.missingSuites(on: page, in: Repository.current.files) == [])
        let rows = page.lines.compactMap { $0.prefixMatch(of: #/\| ([RS]\d+) \|/#)?.output.1 }
        let known = (1...27).map { "R\($0)" } + (1...24).map { "S\($0)" }
        #expect(rows.map(String.init).sorted() == known.sorted())
        let drilled = References.drilled(in: try file("Tests/Drill/faults.py"))
        let named = page.text.matches(of: #/`([A-Z][a-z]\w+)`/#).map { String($0.output.1) }
            .filter { !$0.hasSuffix("Tests") }
        #expect(drilled.count > 10)
        #expect(Set(named) == drilled)
    }

    @Test func `a suite and a fault that are gone are found`() {
        let page = TextFile("a.md", "`ATests` `BTests` `CTests`")
        let tests = TextFile("Tests/A/ATests.swift", "@Suite struct ATests {}")
        let code = TextFile("Sources/A/B.swift", "struct BTests {}")
        #expect(References.missingSuites(on: page, in: [tests, code]) == ["BTests", "CTests"])
        let drill = TextFile("a.py", "class Base:\n    pass\n\nclass Lost(Base):\n    pass\n")
        #expect(References.drilled(in: drill) == ["Lost"])
    }

    @Test func `a claim without a test, and a test that is gone, are found`() {
        let page = TextFile(
            "a.md",
            "- one: `ATests: it\n  holds`\n- two\n  lines\n\n- three `ATests: it broke`\n1. four\n"
        )
        let tests = TextFile("Tests/A/ATests.swift", "@Test func `it holds`() {}")
        let code = TextFile("Sources/A/ATests.swift", "func `it broke`() {}")
        #expect(References.missingTests(on: page, in: [tests, code]) == ["ATests: it broke"])
        #expect(References.unheldClaims(on: page) == ["two lines"])
    }

    @Test func `names are read from tables and cases`() {
        let page = TextFile("a.md", "`no`\n| `A`, `B` | `c` |\n| --- | --- |\n| D | - |\n")
        #expect(References.names(on: page, column: 0) == ["A", "B"])
        #expect(References.names(on: page, column: 1) == ["c"])
        let code = TextFile("A.swift", "enum A {\n    case one\n    case two = \"Two\"\n}\n")
        #expect(References.rawValues(in: code) == ["one", "Two"])
        let declarations = TextFile(
            "A.swift",
            """
            static var a: Objection { Objection(.b, "A.") }
            static let d = [:]
            static func c(_ e: E) -> Objection {
                let f = switch e { default: "F" }
                return Objection(
                    .b,
                    f
                )
            }
            """
        )
        #expect(References.objections(in: [declarations]) == ["b": ["a", "c"]])
    }
}
