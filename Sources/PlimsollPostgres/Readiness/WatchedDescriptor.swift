import CLinux
import Glibc

/// A descriptor of our own that can be waited for, closed exactly once.
///
/// libpq closes its socket by itself when the stream ends, and the kernel gives the number to
/// the next who asks. Hence a session never watches libpq's own descriptor but a duplicate:
/// that number is ours until we close it.
package final class WatchedDescriptor: Sendable {
    package typealias Interest = Readiness.Interest
    package typealias Outcome = Readiness.Outcome

    private let descriptor: CInt
    private let key: UInt64

    /// Takes over an open descriptor.
    package init(owning descriptor: CInt) {
        self.descriptor = descriptor
        key = Readiness.shared.adopt()
    }

    /// Fails when there is nothing open under that number, or no number left.
    package convenience init?(duplicating descriptor: CInt) {
        let copy = creadiness_duplicate(descriptor)
        guard copy >= 0 else { return nil }
        self.init(owning: copy)
    }

    deinit {
        Readiness.shared.forget(descriptor, key: key)
        close(descriptor)
    }

    /// Suspends until the descriptor is ready, the deadline has passed, or an interruption.
    ///
    /// One task waits at a time.
    package func wait(
        for interest: Interest,
        until deadline: ContinuousClock.Instant? = nil
    ) async -> Outcome {
        await Readiness.shared.wait(for: interest, of: descriptor, key: key, until: deadline)
    }

    /// Makes the current wait, or else the next, return ``Readiness/Outcome/interrupted``.
    package func interrupt() {
        Readiness.shared.interrupt(key: key)
    }

    /// Ends the stream in both directions, for every holder of the socket.
    func shutDown() {
        creadiness_shut_down(descriptor)
    }
}
