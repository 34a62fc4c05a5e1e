import Glibc
import PlimsollSystem
import Synchronization

/// Runs the body with an error at the named point.
func failing<Answer>(
    at point: String,
    with error: FileError = FileError(.write, "/injected", code: EIO),
    _ body: () throws -> Answer
) throws -> Answer {
    let injection: FaultPoint.Injection = { name throws(FileError) in
        if name == point { throw error }
    }
    return try FaultPoint.$injection.withValue(injection, operation: body)
}

/// Runs the body with an error at the n-th point it passes, counted from 1.
func failing<Answer>(
    atPass pass: Int,
    _ body: () throws -> Answer
) throws -> Answer {
    let passes = Mutex(0)
    let injection: FaultPoint.Injection = { _ throws(FileError) in
        let isDue = passes.withLock { passes in
            passes += 1
            return passes == pass
        }
        if isDue { throw FileError(.write, "/injected", code: EIO) }
    }
    return try FaultPoint.$injection.withValue(injection, operation: body)
}

/// The points that the body passes, in order.
func pointsPassed(_ body: () throws -> Void) throws -> [String] {
    let names = Mutex<[String]>([])
    let injection: FaultPoint.Injection = { name throws(FileError) in
        names.withLock { $0.append(name) }
    }
    try FaultPoint.$injection.withValue(injection, operation: body)
    return names.withLock { $0 }
}
