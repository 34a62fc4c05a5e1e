/// When to lose patience with a statement.
///
/// First its own deadline passes, or its task is cancelled: the server is asked to stop it, and
/// asked again while it does not; a request can come too early to find the statement. When the
/// grace is over the connection is cut.
struct StopClock: Sendable {
    typealias Instant = ContinuousClock.Instant

    /// What is due.
    enum Action: Equatable {
        case carryOn
        case askToStop
        case cut
    }

    private enum Phase {
        case running(deadline: Instant?)
        case stopping(nextRequest: Instant, end: Instant)
        case cut
    }

    static let requestInterval: Duration = .milliseconds(500)

    private var phase: Phase
    private let grace: Duration

    init(deadline: Instant?, grace: Duration) {
        phase = .running(deadline: deadline)
        self.grace = grace
    }

    var isCut: Bool {
        if case .cut = phase { true } else { false }
    }

    /// Until when to wait for the server before looking at the clock again.
    var nextLook: Instant? {
        switch phase {
        case .running(let deadline): deadline
        case .stopping(let nextRequest, let end): min(nextRequest, end)
        case .cut: nil
        }
    }

    /// Somebody asked the server to stop the statement.
    mutating func stopRequested(at now: Instant) {
        guard case .running = phase else { return }
        phase = .stopping(nextRequest: now + Self.requestInterval, end: now + grace)
    }

    mutating func look(at now: Instant) -> Action {
        switch phase {
        case .running(let deadline):
            guard let deadline, deadline <= now else { return .carryOn }
            stopRequested(at: now)
            return .askToStop
        case .stopping(let nextRequest, let end):
            if end <= now {
                phase = .cut
                return .cut
            }
            guard nextRequest <= now else { return .carryOn }
            phase = .stopping(nextRequest: now + Self.requestInterval, end: end)
            return .askToStop
        case .cut:
            return .carryOn
        }
    }
}
