import PlimsollDomain
import Synchronization

/// What was heard of the log.
enum News: Comparable {
    /// It has come to this position at least.
    case grown(to: Position)
    /// It may have grown; somebody has to look.
    case unknown
}

/// Where commands wait for the writer, and the writer for commands.
final class Inbox: Sendable {
    private struct State {
        var waiting: [Job] = []
        var sleeper: CheckedContinuation<Void, Never>?
        var news: News?
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Puts commands in the queue, in their order and with nobody else's in between.
    func submit(_ requests: [CommandRequest], waitingMaximum: Int) -> [Job] {
        let jobs = requests.map(Job.init)
        let (taken, error, sleeper) = state.withLock { state -> (Int, WriteError, Continuation?) in
            let places = state.isClosed ? 0 : max(0, waitingMaximum - state.waiting.count)
            let taken = jobs.prefix(places)
            state.waiting += taken
            let error = state.isClosed ? WriteError.stopped : .overloaded
            return (taken.count, error, taken.isEmpty ? nil : state.sleeper.take())
        }
        sleeper?.resume()
        for job in jobs.dropFirst(taken) { job.finish(.failure(error)) }
        return jobs
    }

    /// Wakes the writer without a command, because the log may have grown.
    func ring(_ news: News) {
        let sleeper = state.withLock { state -> Continuation? in
            state.news = state.news.map { max($0, news) } ?? news
            return state.sleeper.take()
        }
        sleeper?.resume()
    }

    /// Takes no more commands; those that wait are still handed out.
    func close() {
        let sleeper = state.withLock { state -> Continuation? in
            state.isClosed = true
            return state.sleeper.take()
        }
        sleeper?.resume()
    }

    /// Takes no more commands, and hands out all that wait.
    func clear() -> [Job] {
        close()
        return state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// The commands that wait, oldest first, and what was heard of the log; `nil` when it is over.
    func next(limit: Int) async -> (jobs: [Job], news: News?)? {
        await withTaskCancellationHandler {
            await sleep()
        } onCancel: {
            close()
        }
        return state.withLock { state in
            if state.waiting.isEmpty, state.isClosed { return nil }
            let jobs = Array(state.waiting.prefix(limit))
            state.waiting.removeFirst(jobs.count)
            return (jobs, state.news.take())
        }
    }

    private func sleep() async {
        await withCheckedContinuation { (continuation: Continuation) in
            let isAwake = state.withLock { state in
                let isAwake = !state.waiting.isEmpty || state.news != nil || state.isClosed
                if !isAwake { state.sleeper = continuation }
                return isAwake
            }
            if isAwake { continuation.resume() }
        }
    }

    private typealias Continuation = CheckedContinuation<Void, Never>
}

/// Where the writer shows the state, and whoever waits for it to change looks on.
final class Stage: Sendable {
    private struct State {
        var logState: LogState?
        var audience: [Int: AsyncStream<Position>.Continuation] = [:]
        var next = 0
        var isClosed = false
        var isAway = false
        var isUnconfirmed = false
        var heardAt = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// `nil` until the log has been folded for the first time.
    var logState: LogState? { state.withLock(\.logState) }

    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Whether the database is known to be away, or does not confirm what is written.
    var isAway: Bool { state.withLock { $0.isAway || $0.isUnconfirmed } }

    /// Whether the database does not confirm what is written, as where its standby is away.
    var isUnconfirmed: Bool { state.withLock(\.isUnconfirmed) }

    func note(isUnconfirmed: Bool) {
        state.withLock { $0.isUnconfirmed = isUnconfirmed }
    }

    /// When the database has answered for the last time.
    var heardAt: ContinuousClock.Instant { state.withLock(\.heardAt) }

    /// The database has answered, or is known to be away.
    func note(isAway: Bool) {
        state.withLock { state in
            state.isAway = isAway
            if !isAway { state.heardAt = .now }
        }
    }

    func show(_ logState: LogState) {
        let audience = state.withLock { state in
            state.logState = logState
            return Array(state.audience.values)
        }
        for seat in audience { seat.yield(logState.position) }
    }

    /// Shows nothing more, and sends everybody home.
    func close() {
        let audience = state.withLock { state in
            state.isClosed = true
            return Array(state.audience.values)
        }
        for seat in audience { seat.finish() }
    }

    /// Begins with where the state stands, if it is shown already.
    func growth() -> AsyncStream<Position> {
        let (stream, seat) = AsyncStream.makeStream(
            of: Position.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let (id, logState, isClosed) = state.withLock { state in
            state.next += 1
            if !state.isClosed { state.audience[state.next] = seat }
            return (state.next, state.logState, state.isClosed)
        }
        seat.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.audience.removeValue(forKey: id) }
        }
        if let logState { seat.yield(logState.position) }
        if isClosed { seat.finish() }
        return stream
    }
}
