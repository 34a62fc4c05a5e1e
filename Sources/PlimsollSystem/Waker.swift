import CLinux
import Glibc

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
