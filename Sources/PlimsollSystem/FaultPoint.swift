import Glibc
import Synchronization

/// A named step at which tests make the system fail.
///
/// Code that must survive being stopped anywhere says where it is:
///
/// ```swift
/// try FaultPoint.reached("export.manifest.written")
/// ```
///
/// Unless something is armed, that is one look at a task-local value and one at a constant.
/// It is armed in one of two ways:
///
/// - within a process, `FaultPoint.$injection.withValue({ name in throw … }) { … }`; the
///   closure also serves to record the names that a run passes;
/// - from outside, by the environment: `PLIMSOLL_FAULT_POINT=export.manifest.written:3` makes
///   the process kill itself with `SIGKILL` when it reaches that point for the third time (the
///   first when no number is given); `*:7` means the seventh point of whatever name.
package enum FaultPoint {
    package typealias Injection = @Sendable (_ name: String) throws(FileError) -> Void

    @TaskLocal package static var injection: Injection?

    package static func reached(_ name: StaticString) throws(FileError) {
        if let injection {
            try injection(String(describing: name))
        }
        if let deadline {
            deadline.reached(String(describing: name))
        }
    }

    private static let deadline = environmentValue("PLIMSOLL_FAULT_POINT").map(Deadline.init)
}

/// The process's appointed end: a point's name, and how often it is still passed unharmed.
private final class Deadline: Sendable {
    private let name: String
    private let passesLeft: Mutex<Int>

    init(_ specification: String) {
        let parts = specification.split(separator: ":", maxSplits: 1)
        name = parts.first.map(String.init) ?? "*"
        passesLeft = Mutex(parts.count == 2 ? Int(parts[1]) ?? 1 : 1)
    }

    func reached(_ point: String) {
        guard name == "*" || name == point else { return }
        let isLast = passesLeft.withLock { passes in
            passes -= 1
            return passes == 0
        }
        if isLast {
            kill(getpid(), SIGKILL)
        }
    }
}

private func environmentValue(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
