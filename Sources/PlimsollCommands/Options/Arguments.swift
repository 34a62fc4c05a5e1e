import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

extension Platform: ExpressibleByArgument {}

extension WebhookFormat: ExpressibleByArgument {}

extension ChangeState: ExpressibleByArgument {}

extension DocumentProfile: ExpressibleByArgument {}

extension PrinceOfVersionsClients: ExpressibleByArgument {}

/// A path as seen from the root, since the database server works in another folder.
func absolutePath(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
}

/// A variable that the shell does not know makes an option empty: as a path that would be the
/// folder that the command is given in, and as a database libpq's default one.
func refuseEmpty(_ text: String?, _ option: String) throws {
    if text?.allSatisfy(\.isWhitespace) == true {
        throw ValidationError("\(option) is empty; is a variable not set?")
    }
}

/// Reads a file that a person named; `-` is standard input.
func contents(of path: String, upTo bytesMaximum: Int = 4 << 20) throws -> [UInt8] {
    do {
        let handle =
            path == "-"
            ? FileHandle.standardInput
            : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let data = try handle.read(upToCount: bytesMaximum + 1) ?? Data()
        guard data.count <= bytesMaximum else {
            throw Failure(.failed, "\(path) is too large; at most \(bytesMaximum) bytes are read.")
        }
        return Array(data)
    } catch let failure as Failure {
        throw failure
    } catch {
        throw Failure(.failed, "\(path) cannot be read: \(cause(of: error)).")
    }
}

private func cause(of error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile, .fileNoSuchFile: "there is no such file"
    case .fileReadNoPermission: "you may not read it"
    default: "it is not a readable file"
    }
}

extension Reason {
    /// A reason, which is kept with the event.
    init(written text: String, _ option: String = "--reason") throws {
        self = try valid(text, option, Reason.init(validating:))
    }

    init?(written text: String?, _ option: String = "--reason") throws {
        guard let text else { return nil }
        try self.init(written: text, option)
    }
}

extension Title {
    /// A title of one line.
    init(written text: String, _ option: String = "--title") throws {
        self = try valid(text, option, Title.init(validating:))
    }

    init?(written text: String?, _ option: String = "--title") throws {
        guard let text else { return nil }
        try self.init(written: text, option)
    }
}

/// What an option says in words; what is wrong with them is told with its name.
func valid<Value>(
    _ text: String,
    _ option: String,
    _ make: (String) throws(TextFault) -> Value
) throws -> Value {
    do throws(TextFault) {
        return try make(text)
    } catch {
        throw ValidationError("\(option): \(error.sentence)")
    }
}

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
            at: try at?.instant(in: timeZone, "--at"),
            until: try until?.instant(in: timeZone, "--until"),
            timeZone: timeZone?.name ?? .utc
        )
    }
}

extension WrittenTime {
    /// The instant that an option names.
    func instant(in clock: ZoneClock?, _ option: String) throws -> Instant {
        do throws(WrittenTimeFault) {
            return try instant(in: clock)
        } catch {
            throw ValidationError("\(option): \(error.sentence)")
        }
    }
}

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

/// A moment, and how somebody wrote it: `2h` is another moment whenever it is read.
struct TypedMoment: Sendable {
    let text: String
    let instant: Instant

    static func past(_ text: String) throws -> TypedMoment {
        TypedMoment(text: text, instant: try pastMoment(text))
    }

    static func coming(_ text: String) throws -> TypedMoment {
        TypedMoment(text: text, instant: try comingMoment(text))
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
