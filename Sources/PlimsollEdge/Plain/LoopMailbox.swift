import NIOCore
import PlimsollSystem
import Synchronization

/// What other threads tell a loop.
final class LoopMailbox: Sendable {
    enum Message: Sendable {
        case connection(Socket)
        /// What came of fetching a tile for the connection of a key.
        case tile(PreparedResource?, key: UInt64)
        /// To let every connection finish what it is doing, and to end when none is left or the
        /// time has come.
        case drain(until: NIODeadline)
    }

    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    let waker: Waker
    private let state = Mutex(State())

    init() throws(SocketFailure) {
        waker = try Waker()
    }

    /// Whether the loop will read it.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let isFirst = state.withLock { state -> Bool? in
            guard !state.isClosed else { return nil }
            state.messages.append(message)
            return state.messages.count == 1
        }
        if isFirst == true { waker.wake() }
        return isFirst != nil
    }

    func take() -> [Message] {
        waker.calm()
        return state.withLock { state in
            let messages = state.messages
            state.messages = []
            return messages
        }
    }

    /// The loop ends: what it did not read, and will never be told.
    func close() -> [Message] {
        state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
    }
}
