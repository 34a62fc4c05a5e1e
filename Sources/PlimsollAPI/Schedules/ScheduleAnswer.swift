package import PlimsollDomain
package import PlimsollJSON

/// A schedule as it is answered: in UTC, and as the clocks of its zone show it.
package struct ScheduleAnswer: Answer {
    package let schedule: Schedule
    package let atLocal: String?
    package let untilLocal: String?

    /// Without local times where this machine does not know the zone.
    package init(_ schedule: Schedule) {
        let clock = ZoneClock(schedule.timeZone)
        self.schedule = schedule
        atLocal = schedule.at.flatMap { clock?.text($0) }
        untilLocal = schedule.until.flatMap { clock?.text($0) }
    }

    package init?(_ reader: inout ObjectReader) {
        let at = reader.optionalInstant("at")
        let until = reader.optionalInstant("until")
        let zone = reader.string("timeZone", needing: TimeZoneName.grammar, TimeZoneName.init)
        atLocal = reader.optionalString("atLocal")
        untilLocal = reader.optionalString("untilLocal")
        guard let zone else { return nil }
        schedule = Schedule(at: at, until: until, timeZone: zone)
    }

    package var json: JSONObject {
        var json = schedule.json
        json["atLocal"] = JSONValue(atLocal)
        json["untilLocal"] = JSONValue(untilLocal)
        return json
    }
}
