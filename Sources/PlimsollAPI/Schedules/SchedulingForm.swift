package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/changes/{id}/schedule`; null takes the schedule away, and only that does.
package struct SchedulingForm: Form {
    package let schedule: Schedule?

    package init(schedule: Schedule?) { self.schedule = schedule }

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
