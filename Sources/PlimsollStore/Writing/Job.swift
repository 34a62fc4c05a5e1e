import PlimsollDomain
import Synchronization

/// A command that somebody waits for.
///
/// It is answered once; a second answer is dropped, so that a group that was interrupted between
/// two answers can be gone through again.
final class Job: Sendable {
    private struct State {
        var answer: CheckedContinuation<Result<Receipt, WriteError>, Never>?
        var attempts = 0
        var mayBeWritten = false
    }

    let request: CommandRequest
    private let state: Mutex<State>

    init(
        _ request: CommandRequest,
        _ answer: CheckedContinuation<Result<Receipt, WriteError>, Never>
    ) {
        self.request = request
        state = Mutex(State(answer: answer))
    }

    var id: CommandID { request.identity.id }

    var isFinished: Bool { state.withLock { $0.answer == nil } }

    /// Whether an append that held it ended without an answer.
    var mayBeWritten: Bool { state.withLock { $0.mayBeWritten } }

    func noteOpenOutcome() {
        state.withLock { $0.mayBeWritten = true }
    }

    /// Whether others got in before it once.
    var wasOvertaken: Bool { state.withLock { $0.attempts > 0 } }

    /// Counts another try; answers how many there were.
    func noteAttempt() -> Int {
        state.withLock { state in
            state.attempts += 1
            return state.attempts
        }
    }

    func finish(_ result: Result<Receipt, WriteError>) {
        let answer = state.withLock { $0.answer.take() }
        answer?.resume(returning: result)
    }
}
