/// Whether this instance leads, as far as it may believe that: a machine that is told what it was
/// answered, and what time it is.
///
/// When a lease ends in the database, the database's clock says. Here nothing counts but how long
/// ago it was asked for, by a clock that nobody sets and that goes on while the process sleeps, and
/// a leader stops before the lease is over there: so there are never two who believe it.
package struct Lease: Equatable, Sendable {
    package typealias Moment = ContinuousClock.Instant

    /// Where this instance stands.
    package enum State: Equatable, Sendable {
        /// Somebody else leads, or nobody; a grant leads to `leading`.
        case following
        /// Until a moment, which a grant moves and a refusal ends; then as if `following`.
        case leading(Epoch, until: Moment)
    }

    package private(set) var state = State.following
    package let terms: LeaseTerms

    package init(_ terms: LeaseTerms) {
        self.terms = terms
    }

    /// The database has granted or prolonged the lease.
    ///
    /// It counts from when it was asked: the answer may have been on its way for any time.
    package mutating func granted(_ epoch: Epoch, askedAt moment: Moment) {
        let end = moment + terms.length - terms.margin
        if case .leading(epoch, let until) = state, until > end { return }
        state = .leading(epoch, until: end)
    }

    /// Somebody else has it, or it was given back.
    package mutating func ended() {
        state = .following
    }

    /// The epoch in which this instance leads at a moment; `nil` where it does not.
    package func epoch(at now: Moment) -> Epoch? {
        guard case .leading(let epoch, let until) = state, now < until else { return nil }
        return epoch
    }
}

/// Counts the terms of leaders: whoever leads next has a higher one, so that what an earlier one
/// still does can be told from it.
package struct Epoch: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: Int64

    /// Before the first leader.
    package static let none = Epoch(unchecked: 0)

    /// Fails below zero.
    package init?(rawValue: Int64) {
        guard rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    private init(unchecked rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static func < (one: Epoch, other: Epoch) -> Bool { one.rawValue < other.rawValue }

    package var description: String { "\(rawValue)" }
}

/// How long a lease lasts, and what becomes of that.
///
/// A leader that is killed, frozen or cut off is followed after ``length`` and one look of another
/// instance; the exporter looks twice a second. With what publishing takes that stays below five
/// seconds.
package struct LeaseTerms: Equatable, Sendable {
    /// For how long the database grants it.
    let length: Duration
    /// How long after a grant it is prolonged.
    let renewal: Duration = .milliseconds(700)
    /// How long after a failure that is tried again.
    let retry: Duration = .milliseconds(200)

    package init(length: Duration = .seconds(3)) {
        self.length = length
        let isAskedTwice = renewal + patience < length - margin
        precondition(isAskedTwice, "a leader has to have time to ask twice before it stops")
    }

    /// How much earlier its holder stops: clocks may drift by a third, and a step that was begun in
    /// time may take this long.
    var margin: Duration { length / 3 }

    /// How long the database may take to answer.
    var patience: Duration { length * 3 / 10 }
}

/// What is led, and in which epoch: what a leader writes is refused once there is a later one.
package struct Fence: Hashable, Sendable {
    package let lease: LeaseName
    package let epoch: Epoch

    package init(_ lease: LeaseName, _ epoch: Epoch) {
        self.lease = lease
        self.epoch = epoch
    }
}

/// What one of all instances on a database does at a time.
package enum LeaseName: String, Hashable, Sendable, CaseIterable {
    /// Publishes snapshots and checkpoints, and tells the sinks.
    case exporter
    /// Sends to webhooks.
    case courier
    /// Fetches packages from App Store Connect.
    case ingestion
}
