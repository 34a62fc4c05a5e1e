import Dispatch
import PlimsollSystem

/// Runs what waits for the disk, on a thread of its own.
///
/// A synchronization takes as long as the disk likes; on the few threads that all tasks share it
/// would hold up everybody. One piece of work runs at a time.
struct Disk: Sendable {
    private let queue = DispatchQueue(label: "plimsoll.export.disk", qos: .userInitiated)

    func run<Result: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        // A task's values do not reach another thread by themselves.
        let injection = FaultPoint.injection
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: injection.map { outcome(of: work, under: $0) }
                        ?? Swift.Result(catching: work)
                )
            }
        }
        return try result.get()
    }

    /// Only where faults are injected: a value that is bound off a task crashes optimised programs
    /// of Swift 6.3.1 (`swift_task_localValuePush` gets no metadata).
    private func outcome<Result: Sendable, Failure: Error>(
        of work: () throws(Failure) -> Result,
        under injection: @escaping FaultPoint.Injection
    ) -> Swift.Result<Result, Failure> {
        FaultPoint.$injection.withValue(injection) { Swift.Result(catching: work) }
    }
}
