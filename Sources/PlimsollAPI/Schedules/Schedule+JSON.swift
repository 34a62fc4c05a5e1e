package import PlimsollDomain
package import PlimsollJSON

extension Schedule: Form {
    /// `{"at": "2027-01-31T09:00", "until": "2027-02-07T09:00", "timeZone": "Europe/London"}`.
    ///
    /// A time has an offset, or is one that clocks in the zone show once. At least one of them is
    /// needed, and where no zone is said it is UTC.
    package init?(_ reader: inout ObjectReader) {
        let clock = reader.optionalString("timeZone", needing: TimeZoneName.grammar) {
            TimeZoneName($0).flatMap(ZoneClock.init)
        }
        let isUnknown = reader.object["timeZone"].map { $0 != .null } ?? false && clock == nil
        let at = reader.time("at", in: isUnknown ? ZoneClock.utc : clock)
        let until = reader.time("until", in: isUnknown ? ZoneClock.utc : clock)
        self.init(at: at, until: until, timeZone: clock?.name ?? .utc)
    }

    package var json: JSONObject {
        [
            "at": JSONValue(at), "until": JSONValue(until),
            "timeZone": .string(timeZone.text),
        ]
    }
}

extension ZoneClock {
    fileprivate static let utc = ZoneClock(.utc)
}

extension ObjectReader {
    /// A time that may be written as clocks show it; one that names no single instant is refused.
    fileprivate mutating func time(_ key: String, in clock: ZoneClock?) -> Instant? {
        let written = optionalString(key, needing: WrittenTime.grammar, WrittenTime.init)
        guard let written else { return nil }
        do throws(WrittenTimeFault) {
            return try written.instant(in: clock)
        } catch {
            refuse(key, error.sentence)
            return nil
        }
    }
}
