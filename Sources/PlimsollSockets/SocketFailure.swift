import Glibc

/// Why the system grants no listener, or nothing to wait with.
package struct SocketFailure: Error, Equatable, CustomStringConvertible {
    /// What was tried, as in `listen on 127.0.0.1:8081`.
    package let step: String
    /// The system's words.
    package let reason: String

    package var description: String { "cannot \(step): \(reason)" }

    init(_ step: String, _ reason: String) {
        self.step = step
        self.reason = reason
    }

    /// Reads the system's last error.
    static func last(_ step: String) -> SocketFailure {
        unsafe SocketFailure(step, String(cString: strerror(errno)))
    }
}
