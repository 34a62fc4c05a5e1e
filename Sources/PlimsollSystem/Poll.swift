import CLinux
import Glibc

/// Waits for many sockets at once (epoll).
package final class Poll {
    /// What a socket is ready for.
    package struct Event: Equatable, Sendable {
        /// What it is watched with.
        package let key: UInt64
        package let isReadable: Bool
        package let isWritable: Bool
        /// The other side sends no more; what it sent may still be unread.
        package let isEnded: Bool
        /// Both directions are over, or the connection broke; told whether or not it was asked for.
        package let isOver: Bool
    }

    private static let capacity = 256

    private let set: CInt
    private var events = [creadiness_event](repeating: creadiness_event(), count: Poll.capacity)

    package init() throws(SocketFailure) {
        set = creadiness_open()
        guard set >= 0 else { throw .last("wait for connections") }
    }

    deinit {
        _ = close(set)
    }

    /// Tells once whenever a socket becomes ready for something, until it is closed.
    ///
    /// In the order in which they became ready: one that is told of for as long as it is ready
    /// would go before all that were not.
    package func watch(_ number: CInt, key: UInt64) throws(SocketFailure) {
        try check(creadiness_watch(set, number, key, 0))
    }

    /// Tells again what a watched socket is ready for now, after all others that are ready.
    package func rewatch(_ number: CInt, key: UInt64) throws(SocketFailure) {
        try check(creadiness_watch(set, number, key, 1))
    }

    /// Tells for as long as there is something to read.
    package func watchReading(_ number: CInt, key: UInt64) throws(SocketFailure) {
        try check(creadiness_watch_reading(set, number, key))
    }

    package func forget(_ number: CInt) throws(SocketFailure) {
        try check(creadiness_forget(set, number))
    }

    private func check(_ code: CInt) throws(SocketFailure) {
        guard code == 0 else { throw .last("wait for a socket") }
    }

    /// How many became ready within the time.
    package func wait(milliseconds: Int) -> Int {
        let count = unsafe events.withUnsafeMutableBufferPointer {
            unsafe creadiness_wait(set, $0.baseAddress, CInt($0.count), CInt(milliseconds))
        }
        precondition(count >= 0, "the set is open as long as this is")
        return Int(count)
    }

    /// One of those that the last wait counted.
    package func event(at place: Int) -> Event {
        let event = events[place]
        return Event(
            key: event.key,
            isReadable: event.readable != 0,
            isWritable: event.writable != 0,
            isEnded: event.ended != 0,
            isOver: event.over != 0
        )
    }
}

/// Ends another thread's wait: a ``Poll`` that watches its number finds it readable.
package final class Waker: Sendable {
    package let number: CInt

    package init() throws(SocketFailure) {
        number = creadiness_open_waker()
        guard number >= 0 else { throw .last("wake a thread") }
    }

    deinit {
        _ = close(number)
    }

    package func wake() {
        // It fails only where the waker is readable already.
        _ = creadiness_wake(number)
    }

    /// Takes back all wakes.
    package func calm() {
        creadiness_calm(number)
    }
}
