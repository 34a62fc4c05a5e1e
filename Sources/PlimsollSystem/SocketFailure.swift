import Glibc

/// Why the system grants no listener, or nothing to wait with.
package struct SocketFailure: Error, Equatable, CustomStringConvertible {
    /// What was tried, as in `listen on 127.0.0.1:8081`.
    package let step: String
    /// The system's words.
    package let reason: String
    /// The system's number for it; `nil` where the host has no address.
    package let code: CInt?

    package var description: String { "cannot \(step): \(reason)" }

    init(_ step: String, _ reason: String, code: CInt? = nil) {
        self.step = step
        self.reason = reason
        self.code = code
    }

    /// Reads the system's last error.
    static func last(_ step: String) -> SocketFailure {
        let code = errno
        return unsafe SocketFailure(step, String(cString: strerror(code)), code: code)
    }
}
