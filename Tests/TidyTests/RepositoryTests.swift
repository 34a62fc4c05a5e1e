import Testing

/// Holds the whole tree against the rules; each rule is tried on bad input in its own suite.
@Suite struct RepositoryTests {
    private let repository = Repository.current

    @Test func `the repository was found`() {
        #expect(repository.file("Package.swift") != nil)
        #expect(repository.file("Tests/TidyTests/RepositoryTests.swift") != nil)
        #expect(repository.file("sql/schema.sql") != nil)
    }

    @Test func `no file is too long`() {
        #expect(repository.findings(Lengths.longFiles) == [])
    }

    @Test func `no function is too long`() {
        #expect(repository.findings(Lengths.longFunctions) == [])
    }

    @Test func `no banned word stands in the code`() {
        #expect(repository.findings(Words.banned) == [])
    }

    @Test func `nothing is promised in the tree`() {
        #expect(repository.findings(Words.unkeptPromises) == [])
    }

    @Test func `no path of one machine stands in the tree`() {
        #expect(repository.findings(Words.localPath) == [])
    }

    @Test func `no blank is out of place`() {
        #expect(repository.findings(Whitespace.untidy) == [])
    }

    @Test func `tests are named by sentences`() {
        #expect(repository.findings(Names.unspokenTests) == [])
    }

    @Test func `no room keeps a place with nothing in it`() {
        #expect(repository.findings(Names.placeholders) == [])
    }

    @Test func `folders are called after their subject`() {
        #expect(repository.findings(Names.emptyFolders) == [])
    }

    @Test func `types that other rooms use are documented`() {
        #expect(repository.findings(Names.undocumentedTypes) == [])
    }

    @Test func `every page has one title`() {
        #expect(repository.findings(Pages.headings) == [])
    }

    @Test func `links between pages lead somewhere`() {
        #expect(Pages.brokenLinks(repository.files) == [])
    }

    @Test func `every SQL file is read by somebody`() {
        #expect(Pages.unreadSQL(repository.files) == [])
    }

    @Test func `what tools make is ignored`() {
        #expect(repository.file(".gitignore") != nil)
        #expect(repository.findings(Pages.committedByAccident) == [])
    }

    @Test func `rooms import only what the table allows`() {
        #expect(repository.findings(Rooms.forbiddenImports) == [])
    }
}
