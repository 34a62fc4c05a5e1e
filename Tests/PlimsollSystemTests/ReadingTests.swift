import Glibc
import PlimsollSystem
import Testing

@Suite struct ReadingTests {
    @Test func `what was written is read`() async throws {
        try await withTemporaryFolder { folder in
            try (folder / "a").writeDurably(Array("text".utf8))
            #expect(try (folder / "a").text() == "text")
            try (folder / "empty").writeDurably([])
            #expect(try (folder / "empty").text().isEmpty)
        }
    }

    @Test func `a file of the largest size is read and one byte more is refused`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder / "a"
            try file.writeDurably([UInt8](repeating: 7, count: 100))
            #expect(try file.read(sizeMaximum: 100).count == 100)
            let error = try #require(throws: FileError.self) { try file.read(sizeMaximum: 99) }
            #expect(error.code == EFBIG)
            #expect(error.path == file)
        }
    }

    /// Its size is stated as 0, as that of everything in /proc.
    @Test func `a file whose size is not known beforehand is read and limited`() throws {
        #expect(try Path("/proc/self/stat").read(sizeMaximum: 4096).isEmpty == false)
        let error = #expect(throws: FileError.self) {
            try Path("/proc/cpuinfo").read(sizeMaximum: 16)
        }
        #expect(error?.code == EFBIG)
    }

    @Test func `what is not there says so`() async throws {
        try await withTemporaryFolder { folder in
            let error = #expect(throws: FileError.self) {
                try (folder / "none").read(sizeMaximum: 1)
            }
            #expect(error?.isMissing == true)
            #expect(error?.description.contains("none") == true)
            let status = try (folder / "none").status()
            #expect(status == nil)
            #expect(try (folder / "none").symbolicLinkDestination() == nil)
            #expect(try (folder / "none").removeFile() == false)
        }
    }

    @Test func `a pipe and a folder are refused without waiting`() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder / "pipe"
            #expect(unsafe mkfifo(pipe.string, 0o600) == 0)
            #expect(throws: FileError.self) { try pipe.read(sizeMaximum: 10) }
            #expect(throws: FileError.self) { try folder.read(sizeMaximum: 10) }
        }
    }

    @Test(arguments: [0o640, 0o604, 0o601, 0o666, 0o660] as [UInt32])
    func `a secret that others could read is refused`(mode: UInt32) async throws {
        try await withTemporaryFolder { folder in
            let key = folder / "key"
            try key.writeDurably(Array("secret".utf8), permissions: .ownerOnly)
            #expect(try key.readSecret(sizeMaximum: 10) == Array("secret".utf8))
            try key.refuseIfReadableByOthers()

            try key.setPermissions(Permissions(rawValue: mode))
            let error = #expect(throws: FileError.self) { try key.readSecret(sizeMaximum: 10) }
            #expect(error?.operation == .trust)
            #expect(error?.description.contains("chmod 600") == true)
            #expect(throws: FileError.self) { try key.refuseIfReadableByOthers() }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `a secret that belongs to somebody else is refused`() async throws {
        try await withTemporaryFolder { folder in
            let key = folder / "key"
            try key.writeDurably([1], permissions: .ownerOnly)
            try key.changeOwner(to: try #require(Account(named: "nobody")))
            #expect(throws: FileError.self) { try key.readSecret(sizeMaximum: 10) }
        }
    }

    @Test func `a secret behind a symbolic link counts by the file it leads to`() async throws {
        try await withTemporaryFolder { folder in
            try (folder / "key").writeDurably([1], permissions: .readableByAll)
            try (folder / "link").pointSymbolicLink(to: "key")
            #expect(throws: FileError.self) { try (folder / "link").readSecret(sizeMaximum: 10) }
        }
    }
}
