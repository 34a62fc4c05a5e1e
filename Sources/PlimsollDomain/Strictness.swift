/// By which rules a state decides, the strictest first.
///
/// Some rules about what makes a good document came after logs were written that break them. What was
/// let through stays in the log, and whoever looks whether it was permitted asks the rules of then.
package enum Strictness: CaseIterable, Codable, Comparable, Sendable {
    /// By all there are.
    case full
    /// Where the log did not say that a minimum came into force which scheduled offers ask less than.
    case hidingUndercutting
    /// Where nothing was found in a document that was longer than our own client takes.
    case ignoringLengths
    /// Where offers came into force that ask for less than what was blocked since they were proposed.
    case forgettingMinima
    /// Where what rollbacks took back and brought back in a freeze stayed if it was to end in it.
    case droppingEnds
    /// Where offers that came back at an end asked for less than what had been blocked meanwhile.
    case forgettingBlocks
    /// Where a role that was taken in one app took from somebody what they had said in others.
    case lapsingAnywhere
    /// Where what had come due in a freeze was applied, if nothing ran until that was over.
    case forgettingFreezes
    /// Where nothing was found in an offer that came to stand in front of one that required more.
    case ignoringOffersInFront
    /// Where nothing was found in an offer that was taken away.
    case ignoringOffersTaken
    /// Where a package counted that nobody can install whom the minimum system lets in.
    case ignoringSystems
    /// Where what was announced of a package last said whether it went with its app.
    case countingLast
    /// Without what is asked where a change comes to lie over one that goes back by itself.
    case ignoringEnds
    /// Where an append that takes packages away at several times orders a review of each.
    case reviewingEach
    /// Without those that came later.
    case original

    /// Those that services decided by, the latest first.
    static let former = allCases.dropFirst()

    /// Whether it is said at once that scheduled offers ask for less than what came into force.
    var tellsUndercutting: Bool { self < .hidingUndercutting }

    /// Whether it asks how long a document is.
    var mindsLengths: Bool { self < .ignoringLengths }

    /// Whether it asks what decides in the place of an offer that is taken away.
    var mindsOffersTaken: Bool { self < .ignoringOffersTaken }

    /// Whether it asks what devices are told by an offer in front of the one that they met.
    var mindsOffersInFront: Bool { self < .ignoringOffersInFront }

    /// Whether it asks what lies over a change that goes back by itself.
    var mindsEnds: Bool { self < .ignoringEnds }

    /// Whether it asks what systems a package runs on that satisfies a minimum.
    var mindsSystems: Bool { self < .ignoringSystems }

    /// How late what comes due may be recorded without having been missed, whatever grace a policy
    /// gives: no service is as fast as its clock.
    var promptness: Duration { self < .ignoringOffersTaken ? .seconds(5) : .zero }

    /// Whether offers ask for no less than a minimum that was decided on since they were proposed.
    var mindsMinima: Bool { self < .forgettingMinima }

    /// Whether a rollback says since when the app was frozen, for what is to end after that.
    var keepsEnds: Bool { self < .droppingEnds }

    /// Whether offers that come back at an end ask for no less than a minimum that was decided on
    /// meanwhile.
    var keepsBlocks: Bool { self < .forgettingBlocks }

    /// By which of the rules what somebody said has to have lapsed.
    var lapsing: LapseRules { self < .lapsingAnywhere ? .today : .former }

    /// Whether it asks for freezes that are over in which something came due.
    var mindsPastFreezes: Bool { self < .forgettingFreezes }

    /// Whether packages go with their app by when each was known first.
    var countsFirst: Bool { self < .countingLast }
}

/// By which rules the word of somebody counts no more from whom something was taken.
struct LapseRules: OptionSet, Codable, Sendable {
    let rawValue: UInt8

    static let today = LapseRules(rawValue: 1 << 0)
    static let former = LapseRules(rawValue: 1 << 1)
    static let all: LapseRules = [.today, .former]
}

extension LogState {
    /// The same state, deciding by other rules.
    package func deciding(by strictness: Strictness) -> LogState {
        var logState = self
        logState.strictness = strictness
        return logState
    }
}
