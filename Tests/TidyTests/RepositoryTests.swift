import Foundation
import Testing

/// Holds the whole tree against the rules; each rule is tried on bad input in its own suite.
@Suite struct RepositoryTests {
    private let repository = Repository.current

    @Test func `the repository was found`() {
        #expect(repository.file("Package.swift") != nil)
        #expect(repository.file("Tests/TidyTests/RepositoryTests.swift") != nil)
        #expect(repository.file("sql/migrations/m0001_baseline.sql") != nil)
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

    // Goal: nobody links another version than the one that was looked at. The manifest names direct
    // dependencies exactly; theirs are whatever the resolver finds newest. Method: what it found
    // for this build is compared with the list that is committed.
    @Test func `what is linked are the very versions that are written down`() throws {
        let list = try #require(repository.file("scripts/dependencies.txt"))
        let resolved = try Data(contentsOf: Repository.root.appending(path: "Package.resolved"))
        let found = try JSONDecoder().decode(Resolution.self, from: resolved).pins
            .map { "\($0.identity) \($0.state.version ?? "none")" }
        try #require(!found.isEmpty)
        let known = list.lines.map(String.init).filter { !$0.isEmpty }
        let remedy = "Look at what changed, then: scripts/dependencies --record"
        #expect(Set(found).subtracting(known) == [], "\(remedy)")
        #expect(Set(known).subtracting(found) == [], "\(remedy)")
    }
}

/// What SwiftPM resolved, as it writes it down.
private struct Resolution: Decodable {
    struct Pin: Decodable {
        struct State: Decodable {
            let version: String?
        }

        let identity: String
        let state: State
    }

    let pins: [Pin]
}
