import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// When a change comes into force, and when it ends.
struct ScheduleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "When it comes into force: with an offset, or as clocks in --time-zone show it.",
            valueName: "time"
        )
    )
    var at: WrittenTime?
    @Option(
        help: ArgumentHelp(
            "When it ends and its fields go back, written likewise.",
            valueName: "time"
        )
    )
    var until: WrittenTime?
    @Option(
        name: [.customLong("time-zone"), .customLong("zone")],
        help: ArgumentHelp(
            "The time zone that the times are of and shown in, such as Europe/London.",
            valueName: "name"
        )
    )
    var timeZone: ZoneClock?

    var isEmpty: Bool { at == nil && until == nil }

    func validate() throws {
        if isEmpty, timeZone != nil {
            throw ValidationError("--time-zone is of a time; give --at or --until.")
        }
        _ = try schedule()
    }

    /// The schedule, if one is asked for.
    func schedule() throws -> Schedule? {
        guard !isEmpty else { return nil }
        return Schedule(
            at: try at.map { try instant($0, "--at") },
            until: try until.map { try instant($0, "--until") },
            timeZone: timeZone?.name ?? .utc
        )
    }

    private func instant(_ written: WrittenTime, _ option: String) throws -> Instant {
        do throws(WrittenTimeFault) {
            return try written.instant(in: timeZone)
        } catch {
            throw ValidationError("\(option): \(error.sentence)")
        }
    }
}

extension WrittenTime: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension ZoneClock: ExpressibleByArgument {
    init?(argument: String) {
        guard let name = TimeZoneName(argument) else { return nil }
        self.init(name)
    }
}
