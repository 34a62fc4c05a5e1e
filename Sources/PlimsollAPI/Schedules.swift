import Foundation
package import PlimsollDomain
package import PlimsollJSON

/// The clocks of a time zone, as the time zone data of this machine have them.
///
/// Only where people write or read a time; what is recorded and decided on is in UTC.
package struct ZoneClock: Sendable {
    package let name: TimeZoneName
    private let zone: TimeZone

    /// `nil` where there is no such zone.
    package init?(_ name: TimeZoneName) {
        guard let zone = TimeZone(identifier: name.text) else { return nil }
        self.name = name
        self.zone = zone
    }

    /// What the clocks show, with their offset: `2026-12-01T09:00:00.000+00:00`.
    package func text(_ instant: Instant) -> String {
        let offset = offset(at: instant)
        let shown = LocalTime(inUTC: instant.advanced(by: .seconds(offset))).text
        let minutes = abs(offset) / 60
        let sign = offset < 0 ? "-" : "+"
        return shown + sign + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

    /// As people read it: `Tue 2026-12-01 09:00 Europe/London`.
    package func shown(_ instant: Instant) -> String {
        "\(local(instant).shown) \(name.text)"
    }

    /// What the clocks show.
    package func local(_ instant: Instant) -> LocalTime {
        LocalTime(inUTC: instant.advanced(by: .seconds(offset(at: instant))))
    }

    /// The clocks of this machine; those of UTC where its zone has no name.
    package static var ofThisMachine: ZoneClock? {
        TimeZoneName(TimeZone.current.identifier).flatMap(ZoneClock.init) ?? ZoneClock(.utc)
    }

    /// The instants at which the clocks show the time, earliest first.
    ///
    /// There is none where they are set forward over it, and there are two where they are set back
    /// over it.
    package func instants(showing time: LocalTime) -> [Instant] {
        readings(of: time).filter { reading in
            reading.advanced(by: .seconds(offset(at: reading))) == time.inUTC
        }
    }

    /// The instants that somebody may mean: the time with the offset of the day before and with
    /// that of the day after, earliest first.
    package func readings(of time: LocalTime) -> [Instant] {
        let offsets = [-86_400, 86_400].map { offset(at: time.inUTC.advanced(by: .seconds($0))) }
        return Set(offsets).map { time.inUTC.advanced(by: .seconds(-$0)) }.sorted()
    }

    private func offset(at instant: Instant) -> Int {
        let seconds = Double(instant.millisecondsSince1970) / 1000
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
    }

    private func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}

extension Schedule: Form, Shaped {
    package static let shape = Shape<Self>(
        "ScheduleOrder",
        byHand: [
            .optional("at", .writtenTime), .optional("until", .writtenTime),
            .optional("timeZone", .timeZone),
        ]
    )

    /// `{"at": "2027-01-31T09:00", "until": "2027-02-07T09:00", "timeZone": "Europe/London"}`.
    ///
    /// A time has an offset, or is one that clocks in the zone show once. At least one of them is
    /// needed, and where no zone is said it is UTC.
    package init?(_ reader: inout ObjectReader) {
        let zone = reader.timeZone()
        let at = reader.time("at", in: zone)
        let until = reader.time("until", in: zone)
        self.init(at: at, until: until, timeZone: zone.name ?? .utc)
    }

    package var json: JSONObject {
        [
            "at": JSONValue(at), "until": JSONValue(until),
            "timeZone": .string(timeZone.text),
        ]
    }
}

/// The zone that times beside it are of, where one is named.
struct WrittenZone {
    let name: TimeZoneName?
    fileprivate let clock: ZoneClock?
}

extension ObjectReader {
    /// The member `timeZone`; times are read as of UTC where it names no zone, since that is said.
    mutating func timeZone() -> WrittenZone {
        let clock = optionalString("timeZone", needing: TimeZoneName.grammar) {
            TimeZoneName($0).flatMap(ZoneClock.init)
        }
        let isUnknown = object["timeZone"].map { $0 != .null } ?? false && clock == nil
        return WrittenZone(name: clock?.name, clock: isUnknown ? ZoneClock(.utc) : clock)
    }

    /// A time that may be written as clocks show it; one that names no single instant is refused.
    mutating func time(_ key: String, in zone: WrittenZone) -> Instant? {
        let written = optionalString(key, needing: WrittenTime.grammar, WrittenTime.init)
        return written.flatMap { instant($0, key, in: zone) }
    }

    /// The same of one that has to be there.
    mutating func neededTime(_ key: String, in zone: WrittenZone) -> Instant? {
        let written = string(key, needing: WrittenTime.grammar, WrittenTime.init)
        return written.flatMap { instant($0, key, in: zone) }
    }

    private mutating func instant(
        _ written: WrittenTime,
        _ key: String,
        in zone: WrittenZone
    ) -> Instant? {
        do throws(WrittenTimeFault) {
            return try written.instant(in: zone.clock)
        } catch {
            refuse(key, error.sentence)
            return nil
        }
    }
}

extension Schedule {
    /// As it is answered: in UTC, and as the clocks of its zone show it.
    package static let answered = Shape<Self>(
        "Schedule",
        Self.init(at:until:timeZone:),
        .nullable("at", \.at, .instant),
        .nullable("until", \.until, .instant),
        .required("timeZone", \.timeZone, .timeZone)
    )
    .telling(
        .nullable("atLocal", \.atLocal, .localTime),
        .nullable("untilLocal", \.untilLocal, .localTime)
    )

    /// `nil` also where this machine does not know the zone.
    package var atLocal: String? { at.flatMap { ZoneClock(timeZone)?.text($0) } }
    package var untilLocal: String? { until.flatMap { ZoneClock(timeZone)?.text($0) } }
}

/// The body of `POST /v1/changes/{id}/schedule`; null takes the schedule away, and only that does.
package struct SchedulingForm: Form, Shaped {
    package let schedule: Schedule?

    package init(schedule: Schedule?) { self.schedule = schedule }

    package static let shape = Shape<Self>(
        "Scheduling",
        byHand: [.required("schedule", .nullable(Schedule.shape.reference))]
    )

    package init?(_ reader: inout ObjectReader) {
        guard reader.value("schedule") != nil else {
            reader.refuse(
                .missing("a schedule, or null", at: reader.pointer.appending("schedule"))
            )
            return nil
        }
        self.init(schedule: reader.optionalObject("schedule", Schedule.init))
    }

    package var json: JSONObject { ["schedule": schedule.map { .object($0.json) } ?? .null] }
}

/// A time as somebody writes it: with an offset, or as the clocks of their zone will show it.
package enum WrittenTime: Equatable, Sendable {
    case instant(Instant)
    case local(LocalTime)

    package static let grammar =
        "a time such as 2027-06-01T09:00:00Z or, with a time zone, 2027-06-01T09:00"

    package init?(_ text: String) {
        if let instant = Instant(rfc3339: text) {
            self = .instant(instant)
        } else if let local = LocalTime(text) {
            self = .local(local)
        } else {
            return nil
        }
    }

    /// The one instant that is meant.
    package func instant(in clock: ZoneClock?) throws(WrittenTimeFault) -> Instant {
        switch self {
        case .instant(let instant): return instant
        case .local(let time):
            guard let clock else { throw .noZone(time) }
            let instants = clock.instants(showing: time)
            guard let instant = instants.first, instants.count == 1 else {
                throw .notOnce(time, clock.name, shown: instants, clock.readings(of: time))
            }
            return instant
        }
    }
}

/// Why a written time does not name one instant.
package enum WrittenTimeFault: Error, Equatable {
    case noZone(LocalTime)
    /// The clocks are set forward or back just then; the readings are what may be meant.
    case notOnce(LocalTime, TimeZoneName, shown: [Instant], [Instant])

    package var sentence: String {
        switch self {
        case .noZone(let time):
            return "\(time.text) has no offset; add one, such as Z, or give a time zone."
        case .notOnce(let time, let zone, let shown, let readings):
            let times = readings.map(\.rfc3339).joined(separator: " or ")
            let clocks = "Clocks in \(zone.text) \(shown.isEmpty ? "never show" : "show twice")"
            return "\(clocks) \(time.text), because they are set"
                + " \(shown.isEmpty ? "forward" : "back") then; write \(times)."
        }
    }
}

extension WrittenTimeFault: CustomStringConvertible {
    package var description: String { sentence }
}
