import Glibc
import PlimsollSystem

/// Runs the body in a world where the system fails with the code at one fault point.
func withFault<Result>(
    at point: String,
    code: CInt = EIO,
    _ body: () async throws -> Result
) async throws -> Result {
    let injection: FaultPoint.Injection = { name throws(FileError) in
        guard name == point else { return }
        throw FileError(.write, Path(point), code: code)
    }
    return try await FaultPoint.$injection.withValue(injection, operation: body)
}
