import Dispatch
import Glibc
import PlimsollSystem
import Synchronization
import Testing

@Suite struct DiskTests {
    @Test func `an error keeps its type on the way back`() async {
        await #expect(throws: FileError(.read, "/x", code: EIO)) {
            try await Disk().run { () throws(FileError) in
                throw FileError(.read, "/x", code: EIO)
            }
        }
    }

    @Test func `fault points see what the caller's task has armed`() async {
        let error = FileError(.write, "/x", code: ENOSPC)
        let injection: FaultPoint.Injection = { _ throws(FileError) in throw error }
        await #expect(throws: error) {
            try await FaultPoint.$injection.withValue(injection) {
                try await Disk().run { () throws(FileError) in
                    try FaultPoint.reached("export.test")
                }
            }
        }
    }

    // Goal: work that waits for a disk holds no other task up. Method: more of it than there are
    // threads that tasks share waits for a task that comes after it.
    @Test(.timeLimit(.minutes(1))) func `work that waits keeps no task from running`() async {
        let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let gate = DispatchSemaphore(value: 0)
        await withTaskGroup { group in
            for _ in 0...processors { group.addTask { await Disk().run { gate.wait() } } }
            group.addTask { for _ in 0...processors { gate.signal() } }
        }
    }

    @Test func `one piece of work runs at a time`() async {
        let disk = Disk()
        let overlaps = await withTaskGroup(of: Bool.self) { group in
            let running = Running()
            for _ in 1...50 { group.addTask { await disk.run { running.pass() } } }
            return await group.reduce(false) { $0 || $1 }
        }
        #expect(!overlaps)
    }
}

/// Says of each pass whether another one was under way.
private final class Running: Sendable {
    private let count = Mutex(0)

    func pass() -> Bool {
        let isFirst = count.withLock { count in
            count += 1
            return count == 1
        }
        sched_yield()
        count.withLock { $0 -= 1 }
        return !isFirst
    }
}
