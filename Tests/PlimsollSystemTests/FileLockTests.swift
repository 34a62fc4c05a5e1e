import Glibc
import PlimsollSystem
import Testing

@Suite struct FileLockTests {
    @Test func `a second holder is refused and told who the first is`() async throws {
        try await withTemporaryFolder { folder in
            let first = try FileLock(folder / "lock")
            let error = #expect(throws: FileError.self) { _ = try FileLock(folder / "lock") }
            #expect(error?.isHeldByAnother == true)
            #expect(error?.description.contains("process \(getpid())") == true)
            withExtendedLifetime(first) {}
        }
    }

    @Test func `a lock is free again once its holder is gone`() async throws {
        try await withTemporaryFolder { folder in
            _ = try FileLock(folder / "lock")
            // A program that another test starts has a copy of it for a moment.
            _ = try await FileLock.acquire(folder / "lock", patience: .seconds(30))
        }
    }

    @Test func `a lock of a killed process is free`() async throws {
        try await withTemporaryFolder { folder in
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [place = folder.string as String] in
                let lock = try FileLock(Path(place) / "lock")
                kill(getpid(), SIGKILL)
                withExtendedLifetime(lock) {}
            }
            _ = try FileLock(folder / "lock")
        }
    }

    @Test func `who waits gets the lock when it is given back`() async throws {
        try await withTemporaryFolder { folder in
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Taken before the others begin, and given back while they wait.
                let lock = try FileLock(folder / "lock")
                for _ in 0..<3 {
                    group.addTask {
                        _ = try await FileLock.acquire(folder / "lock", patience: .seconds(120))
                    }
                }
                await Task.yield()
                _ = consume lock
                try await group.waitForAll()
            }
        }
    }

    @Test func `patience ends`() async throws {
        try await withTemporaryFolder { folder in
            let lock = try FileLock(folder / "lock")
            let error = await #expect(throws: FileError.self) {
                _ = try await FileLock.acquire(folder / "lock", patience: .milliseconds(1))
            }
            #expect(error?.isHeldByAnother == true)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func `accounts are found by name and by number`() throws {
        let root = try #require(Account(named: "root"))
        #expect(root.isRoot)
        #expect(Account(userID: 0) == root)
        #expect(Account(named: "no such account here") == nil)
        #expect(Account(userID: 3_999_999_999) == nil)
    }
}
