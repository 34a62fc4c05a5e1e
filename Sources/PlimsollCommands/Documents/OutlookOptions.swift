import ArgumentParser
import PlimsollDomain

/// What is to come over a state: a change, or a rollback.
struct OutlookOptions: ParsableArguments {
    @Option(help: "A change, to see what it leads to.")
    var change: ChangeID?
    @Option(
        help: ArgumentHelp(
            "A rollback, to see what it leads to: event:POSITION, time:TIME, before-change:ID,"
                + " revert:ID, last-good or last-good:12h.",
            valueName: "target"
        )
    )
    var afterRollback: RollbackTarget?

    func validate() throws {
        if change != nil, afterRollback != nil {
            throw ValidationError("Give --change or --after-rollback, but not both.")
        }
    }

    /// `nil` where nothing is to come.
    var state: StateName? {
        change.map(StateName.change) ?? afterRollback.map(StateName.rollback)
    }
}

extension MomentOptions {
    /// The state as a comparison names it.
    var state: StateName {
        event.map(StateName.event) ?? at.map(StateName.time) ?? .live
    }
}

extension RollbackTarget: ExpressibleByArgument {
    /// A day: what was wrong with a state has shown by then.
    static let liveSecondsUsual: Int64 = 86_400

    init?(argument: String) {
        let lastGood = "last-good:"
        if argument == "last-good" {
            self = .lastGood(seconds: Self.liveSecondsUsual)
        } else if argument.hasPrefix(lastGood),
            let time = Duration(written: String(argument.dropFirst(lastGood.count))),
            Self.secondsAllowed.contains(time.components.seconds)
        {
            self = .lastGood(seconds: time.components.seconds)
        } else if argument.hasPrefix("time:") {
            guard let moment = try? WrittenMoment(String(argument.dropFirst(5))) else { return nil }
            self = .time(moment.start)
        } else {
            self.init(argument)
        }
    }
}
