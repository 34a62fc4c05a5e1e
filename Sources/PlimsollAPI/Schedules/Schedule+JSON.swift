package import PlimsollDomain
package import PlimsollJSON

extension Schedule: Form {
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
