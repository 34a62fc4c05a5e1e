import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// Which state is meant: the live one, or an earlier one.
struct MomentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The state at a time, such as 24h (ago), yesterday or 2026-11-21T08:00:00Z.",
            valueName: "time"
        ),
        transform: pastMoment
    )
    var at: Instant?

    @Option(help: ArgumentHelp("The state after an event.", valueName: "position"))
    var event: Position?

    func validate() throws {
        if at != nil, event != nil {
            throw ValidationError("Give --at or --event, but not both.")
        }
    }

    var moment: DocumentMoment {
        event.map(DocumentMoment.event) ?? at.map(DocumentMoment.time) ?? .live
    }

    var isLive: Bool { moment == .live }
}
