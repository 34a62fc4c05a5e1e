import Testing

@Suite struct PagesTests {
    @Test(arguments: [
        "\ta\n", "a\tb\n", "a \n", "a\r\n", "a", "a\n\n", "a\n \n", "\n\n",
    ])
    func `an untidy blank is found`(text: String) {
        #expect(Whitespace.untidy(TextFile("a.swift", text)).count >= 1)
    }

    @Test func `tidy blanks are left alone, and so are exact bytes`() {
        #expect(Whitespace.untidy(TextFile("a.swift", "a\n\n    b\n")) == [])
        #expect(Whitespace.untidy(TextFile("a.swift", "")) == [])
        #expect(Whitespace.untidy(TextFile("Tests/ATests/Golden/a.json", "{}")) == [])
    }

    @Test(arguments: ["no title\n", "# one\n\n# two\n", "```\n# code\n```\n", ""])
    func `a page without exactly one title is found`(text: String) {
        #expect(Pages.headings(TextFile("docs/a.md", text)).count == 1)
    }

    @Test func `a comment in a shell example is no title`() {
        let page = TextFile("docs/a.md", "# one\n\n## two\n\n```sh\n# three\n```\n")
        #expect(Pages.headings(page) == [])
    }

    @Test func `a link that leads nowhere is found`() {
        let target = TextFile("docs/b/c.md", "# C\n")
        let good = "[c](../b/c.md#part) [b](../b) [x](https://example.org) [self](#here)"
        let page = TextFile("docs/a/a.md", "\(good)\n[d](../b/d.md) [e](c.md)\n")
        #expect(Pages.brokenLinks([target, page]).map(\.line) == [2, 2])
    }

    @Test func `a SQL file that nothing reads is found`() {
        let sql = TextFile("sql/migrations/m001-events.sql", "SELECT 1;\n")
        let unread = TextFile("sql/m002.sql", "SELECT 1;\n")
        let code = TextFile("Sources/A/A.swift", "let a = PackageResources.m001_events_sql")
        #expect(Pages.unreadSQL([sql, unread, code]).map(\.path) == ["sql/m002.sql"])
    }

    @Test func `a missing line of gitignore is found`() {
        #expect(Pages.committedByAccident(TextFile(".gitignore", ".build/\n")).count == 1)
        #expect(
            Pages.committedByAccident(TextFile(".gitignore", ".build/\nPackage.resolved\n")) == []
        )
    }
}
