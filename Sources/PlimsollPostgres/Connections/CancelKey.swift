import CLibPQ

/// A session's key to cancel its statements, usable from any thread, freed once.
///
/// libpq's manual lets a `PGcancel` be used anywhere, even in a signal handler. The compiler
/// cannot know that of a pointer, hence the number.
final class CancelKey: Sendable {
    private let address: UInt

    init(owning raw: OpaquePointer) { address = UInt(bitPattern: raw) }

    deinit { unsafe PQfreeCancel(OpaquePointer(bitPattern: address)) }

    /// Asks the server to stop what the session does, and blocks until it has taken note; so this
    /// is for threads of our own.
    ///
    /// Whether it helped is seen from the statement.
    func cancel() {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
            _ = unsafe PQcancel(
                OpaquePointer(bitPattern: address),
                message.baseAddress,
                CInt(message.count)
            )
        }
    }
}
