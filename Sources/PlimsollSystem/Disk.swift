import Dispatch

/// Runs what waits for the disk, on a thread of its own.
///
/// A synchronization takes as long as the disk likes; on the few threads that all tasks share it
/// would hold up everybody. One piece of work runs at a time.
package actor Disk {
    private let executor = QueueExecutor()

    package init() {}

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    package func run<Result: Sendable, Failure: Error>(
        _ work: @Sendable () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try work()
    }
}

private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "plimsoll.disk", qos: .userInitiated)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
