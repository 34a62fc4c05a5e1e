import Synchronization

/// Says that the service is about to stop: it is not ready any more, and each answer is the last of
/// its connection.
package final class StopSignal: Sendable {
    private let raised = Atomic(false)

    package init() {}

    package var isUp: Bool { raised.load(ordering: .relaxed) }

    package func raise() { raised.store(true, ordering: .relaxed) }
}
