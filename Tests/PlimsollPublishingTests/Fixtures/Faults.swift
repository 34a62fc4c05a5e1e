import Glibc
import PlimsollSystem

/// Runs the body in a world where the system fails with the code at one fault point.
///
/// `onFailing` hears of each failure: what comes of one may be over before anybody looks.
func withFault<Result>(
    at point: String,
    code: CInt = EIO,
    onFailing: @escaping @Sendable () -> Void = {},
    _ body: () async throws -> Result
) async throws -> Result {
    let injection: FaultPoint.Injection = { name throws(FileError) in
        guard name == point else { return }
        onFailing()
        throw FileError(.write, Path(point), code: code)
    }
    return try await FaultPoint.$injection.withValue(injection, operation: body)
}
