/// By which rules a state decides.
///
/// Some rules about what makes a good document came after logs were written that break them. What was
/// let through stays in the log, and whoever looks whether it was permitted asks the rules of then.
package enum Strictness: Codable, Equatable, Sendable {
    /// By all there are.
    case full
    /// Where an append that takes packages away at several times orders a review of each.
    case reviewingEach
    /// Without those that came later.
    case original
}

extension LogState {
    /// The same state, deciding by other rules.
    package func deciding(by strictness: Strictness) -> LogState {
        var logState = self
        logState.strictness = strictness
        return logState
    }
}
