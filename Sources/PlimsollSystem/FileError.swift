import Glibc

/// What went wrong with a file: where, doing what, and the system's reason.
package struct FileError: Error, Sendable, Hashable {
    /// What was being done, as a verb that fits into "could not … PATH".
    package enum Operation: String, Sendable {
        case open, read, write, synchronize, create, rename, link, list, remove, inspect, lock
        case changeOwner = "change the owner of"
        case changePermissions = "change the permissions of"
        case trust
    }

    package let operation: Operation
    package let path: Path
    /// The system's number, such as `ENOSPC`.
    package let code: CInt
    /// What the system's own words would leave unsaid.
    package let explanation: String?

    package init(
        _ operation: Operation,
        _ path: Path,
        code: CInt,
        explanation: String? = nil
    ) {
        self.operation = operation
        self.path = path
        self.code = code
        self.explanation = explanation
    }

    package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    package var isAlreadyThere: Bool { code == EEXIST || code == ENOTEMPTY }
    package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
    package var isHeldByAnother: Bool { operation == .lock && code == EWOULDBLOCK }
}

extension FileError: CustomStringConvertible {
    package var description: String {
        "could not \(operation.rawValue) \(path): \(explanation ?? systemWords)"
    }

    private var systemWords: String {
        // Not thread-safe by the standard, but by glibc since 2.32.
        guard let words = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: words)
    }
}
