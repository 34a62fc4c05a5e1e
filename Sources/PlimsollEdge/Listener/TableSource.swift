import Synchronization

/// Where the event loops find the newest table.
///
/// They ask before every batch of requests. Asking is one atomic load; only after a change is
/// the lock taken, once by each loop. Once ``publish(_:)`` has returned, no request that arrives
/// is answered from an older table.
final class TableSource: Sendable {
    private let generation = Atomic<Int>(0)
    private let current: Mutex<EdgeTable>

    init(_ table: EdgeTable) {
        current = Mutex(table)
    }

    var table: EdgeTable { current.withLock { $0 } }

    func publish(_ table: EdgeTable) {
        current.withLock { current in
            current = table
            generation.add(1, ordering: .releasing)
        }
    }

    /// The newest table, if it is newer than the one a loop already has.
    @inline(__always)
    func tableNewer(than known: inout Int) -> EdgeTable? {
        guard generation.load(ordering: .acquiring) != known else { return nil }
        return current.withLock { current in
            known = generation.load(ordering: .relaxed)
            return current
        }
    }
}
