import Glibc
import PlimsollSystem
import Testing

@Suite struct DurableWritingTests {
    @Test func `a file is replaced and keeps nothing of the former`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder / "a"
            try file.writeDurably(Array("a long former text".utf8))
            try file.writeDurably(Array("new".utf8), permissions: .ownerOnly)
            #expect(try file.text() == "new")
            #expect(try file.status()?.permissions == .ownerOnly)
            #expect(try folder.entries() == ["a"])
        }
    }

    @Test(arguments: ["files.write.synchronized", "files.write.renamed"])
    func `a failure on the way leaves the former file or the new one`(
        point: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let file = folder / "a"
            try file.writeDurably(Array("former".utf8))
            #expect(throws: FileError.self) {
                try failing(at: point) { try file.writeDurably(Array("new".utf8)) }
            }
            #expect(["former", "new"].contains(try file.text()))
            #expect(try folder.entries() == ["a"])
        }
    }

    @Test func `what must not be replaced is not`() async throws {
        try await withTemporaryFolder { folder in
            let key = folder / "key"
            try key.writeDurablyOnce(Array("first".utf8), permissions: .ownerOnly)
            let error = #expect(throws: FileError.self) {
                try key.writeDurablyOnce(Array("second".utf8), permissions: .ownerOnly)
            }
            #expect(error?.isAlreadyThere == true)
            #expect(try key.text() == "first")
            #expect(try folder.entries() == ["key"])
        }
    }

    @Test func `of many who write a key at once one wins`() async throws {
        try await withTemporaryFolder { folder in
            let key = folder / "key"
            let winners = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        do {
                            let text = "key \(number)"
                            try key.writeDurablyOnce(Array(text.utf8), permissions: .ownerOnly)
                            return text
                        } catch let error as FileError where error.isAlreadyThere {
                            return nil
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1.map { [$0] } ?? [] }
            }
            #expect(winners == [try key.text()])
        }
    }

    @Test func `a folder that is not there is named`() async throws {
        try await withTemporaryFolder { folder in
            let error = #expect(throws: FileError.self) {
                try (folder / "none" / "a").writeDurably([1])
            }
            #expect(error?.isMissing == true)
            #expect(error?.path.string.hasPrefix((folder / "none").string) == true)
        }
    }

    @Test func `a full device is an error and leaves no file`() async throws {
        // Every write to it fails with ENOSPC.
        let full = FileError(.write, "/dev/full", code: ENOSPC)
        #expect(full.isOutOfSpace)
        try await withTemporaryFolder { folder in
            let error = #expect(throws: FileError.self) {
                try failing(at: "files.write.synchronized", with: full) {
                    try (folder / "a").writeDurably([1])
                }
            }
            #expect(error?.isOutOfSpace == true)
            let entries = try folder.entries()
            #expect(entries.isEmpty)
        }
    }

    @Test func `folders are made along the way and found again`() async throws {
        try await withTemporaryFolder { folder in
            let deep = folder / "a" / "b" / "c"
            try deep.createFolder(permissions: .folderOfOwner)
            try deep.createFolder()
            #expect(try deep.status()?.permissions == .folderOfOwner)
            #expect(try deep.isFolder())

            try (folder / "file").writeDurably([])
            #expect(throws: FileError.self) { try (folder / "file").createFolder() }
            #expect(throws: FileError.self) { try (folder / "file" / "x").createFolder() }
        }
    }

    @Test func `a tree is removed without following links`() async throws {
        try await withTemporaryFolder { folder in
            try (folder / "kept").writeDurably([1])
            try (folder / "tree" / "inner").createFolder()
            try (folder / "tree" / "inner" / "a").writeDurably([1])
            try (folder / "tree" / "link").pointSymbolicLink(to: "..")
            try (folder / "tree").removeTree()
            try (folder / "tree").removeTree()
            #expect(try folder.entries() == ["kept"])
        }
    }
}
