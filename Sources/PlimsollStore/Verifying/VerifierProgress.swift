package import PlimsollDomain
import Synchronization

/// What a verifier has seen, for those who ask how far it is.
package final class VerifierProgress: Sendable {
    /// What is shown.
    package struct View: Equatable, Sendable {
        /// How far the round under way has come.
        package internal(set) var position = Position.start
        /// The last whole round; `nil` before there was one.
        package internal(set) var lastRound: Round?
        /// How many rows of the read models were found altered, and written again.
        package internal(set) var mended = 0
        /// How the names were at the end of the last whole round.
        package internal(set) var names: NameFindings?
        /// Whether the read models are those of another program, and so not looked at.
        package internal(set) var isForeign = false
    }

    /// A round that came to its end.
    package struct Round: Equatable, Sendable {
        package let begun: ContinuousClock.Instant
        package let took: Duration
    }

    private let state = Mutex(View())

    package init() {}

    package var view: View { state.withLock(\.self) }

    func note(_ change: (inout View) -> Void) {
        state.withLock { change(&$0) }
    }
}
