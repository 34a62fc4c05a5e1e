import PlimsollSystem
import Testing

@Suite struct SymbolicLinkTests {
    @Test func `a link is made and switched`() async throws {
        try await withTemporaryFolder { folder in
            let link = folder / "current"
            try link.pointSymbolicLink(to: "1")
            #expect(try link.symbolicLinkDestination() == "1")
            try link.pointSymbolicLink(to: "../somewhere/2", durability: .later)
            #expect(try link.symbolicLinkDestination() == "../somewhere/2")
            #expect(try link.status()?.kind == .symbolicLink)
            #expect(try folder.entries() == ["current"])
        }
    }

    @Test func `a folder is never replaced by a link`() async throws {
        try await withTemporaryFolder { folder in
            try (folder / "current").createFolder()
            #expect(throws: FileError.self) {
                try (folder / "current").pointSymbolicLink(to: "1")
            }
            #expect(try folder.entries() == ["current"])
        }
    }

    @Test func `a plain file is no link`() async throws {
        try await withTemporaryFolder { folder in
            try (folder / "a").writeDurably([1])
            #expect(try (folder / "a").symbolicLinkDestination() == nil)
        }
    }

    @Test func `leftovers are swept and everything else stays`() async throws {
        try await withTemporaryFolder { folder in
            try (folder / ".unfinished-1-2" / "inner").createFolder()
            try (folder / ".unfinished-3").writeDurably([1])
            try (folder / ".hidden").writeDurably([1])
            #expect(try folder.removeLeftovers() == [".unfinished-1-2", ".unfinished-3"])
            #expect(try folder.entries() == [".hidden"])
        }
    }
}
