import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

/// A moment as people write it: `24h`, `yesterday`, `2026-11-21`, `2026-11-21T08:00 Europe/London` or
/// `2026-11-21T08:00:00Z`.
///
/// What names no zone is what the clocks of this machine show. A day is its beginning, or, as the end of
/// a span, its last millisecond.
struct WrittenMoment: Equatable {
    let start: Instant
    let end: Instant

    /// Which way a length of time goes from now.
    enum Sense { case past, coming }

    static let grammar =
        "a moment such as 24h, yesterday, today, 2026-11-21, 2026-11-21T08:00,"
        + " \"2026-11-21 08:00 Europe/London\" or 2026-11-21T08:00:00Z"

    init(
        _ text: String,
        _ sense: Sense = .past,
        now: Instant = Instant(Date()),
        in zone: ZoneClock? = .ofThisMachine
    ) throws(MomentFault) {
        if let instant = Instant(rfc3339: text) {
            self.init(instant)
        } else if text == "now" {
            self.init(now)
        } else if let length = Duration(written: text) {
            self.init(now.advanced(by: sense == .past ? .zero - length : length))
        } else {
            try self.init(local: text, now, zone)
        }
    }

    private init(_ instant: Instant, until end: Instant? = nil) {
        start = instant
        self.end = end ?? instant
    }

    private init(
        local text: String,
        _ now: Instant,
        _ usual: ZoneClock?
    ) throws(MomentFault) {
        var words = text.split(separator: " ").map(String.init)
        var clock = usual
        if words.count > 1, let last = words.last, let name = TimeZoneName(last) {
            guard let named = ZoneClock(name) else { throw .unknownZone(last) }
            clock = named
            words.removeLast()
        }
        guard let clock, let first = words.first, words.count <= 2 else { throw .unreadable(text) }
        let today = clock.local(now).inUTC
        let days = ["yesterday": -1, "today": 0, "tomorrow": 1][first]
        let day = days.map { today.advanced(by: .seconds($0 * 86_400)) }
            .map { String(LocalTime(inUTC: $0).text.prefix(10)) }
        let written = ([day ?? first] + words.dropFirst()).joined(separator: "T")
        if let midnight = LocalTime(written + "T00:00") {
            let next = LocalTime(inUTC: midnight.inUTC.advanced(by: .seconds(86_400)))
            let end = clock.beginning(of: next).advanced(by: .milliseconds(-1))
            self.init(clock.beginning(of: midnight), until: end)
            return
        }
        guard let time = LocalTime(written) else { throw .unreadable(text) }
        do throws(WrittenTimeFault) {
            self.init(try WrittenTime.local(time).instant(in: clock))
        } catch {
            throw .notOnce(error.sentence)
        }
    }
}

extension ZoneClock {
    /// When a day begins: behind midnight where the clocks are set forward over it.
    fileprivate func beginning(of midnight: LocalTime) -> Instant {
        instants(showing: midnight).first ?? readings(of: midnight).last ?? midnight.inUTC
    }
}

/// Why what somebody wrote is no moment.
enum MomentFault: Error, Equatable, CustomStringConvertible {
    case unreadable(String)
    case unknownZone(String)
    /// Clocks show it twice, or never.
    case notOnce(String)

    var description: String {
        switch self {
        case .unreadable(let text):
            "\"\(excerpt(text, 40))\" is no moment; it needs to be \(WrittenMoment.grammar)."
        case .unknownZone(let name): "There is no time zone \(legible(name))."
        case .notOnce(let sentence): sentence
        }
    }
}

/// The moment that an option names; of a day its beginning.
func pastMoment(_ text: String) throws -> Instant { try moment(text, .past).start }

/// The same where a length of time lies ahead.
func comingMoment(_ text: String) throws -> Instant { try moment(text, .coming).start }

func moment(_ text: String, _ sense: WrittenMoment.Sense) throws -> WrittenMoment {
    do throws(MomentFault) {
        return try WrittenMoment(text, sense)
    } catch {
        throw ValidationError(error.description)
    }
}

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
