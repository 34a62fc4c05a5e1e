import PlimsollAPI
import PlimsollDomain

extension Components {
    static let schedules: [(String, Schema)] = [
        ("ScheduleOrder", order),
        ("Scheduling", .object([.required("schedule", .nullable(.reference("ScheduleOrder")))])),
        ("Schedule", schedule), ("Suspension", suspension), ("Term", term),
    ]

    private static let writtenTime = Schema.string(
        matching: "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}"
            + "(:[0-9]{2}(\\.[0-9]{1,9})?)?([Zz]|[+-][0-9]{2}:[0-9]{2})?$"
    ).described("\(WrittenTime.grammar); one that clocks in the zone do not show once is refused.")

    private static let timeZone = Schema.string(matching: "^[A-Za-z0-9_+/-]{1,64}$")
        .described("\(TimeZoneName.grammar).")

    private static let order = Schema.object([
        .optional("at", writtenTime), .optional("until", writtenTime),
        .optional("timeZone", timeZone),
    ])

    static let freezePlanOrder = Schema.object([
        .required("from", writtenTime), .required("until", writtenTime),
        .optional("timeZone", timeZone), .required("reason", .reason),
    ])

    static let freezePlan: [Schema.Member] = [
        .required("plan", .nullable(.position)), .required("app", .nullable(.slug)),
        .required("from", .instant), .required("until", .instant),
        .required("timeZone", timeZone), .required("fromLocal", .nullable(.instant)),
        .required("untilLocal", .nullable(.instant)), .required("by", .principal),
        .required("reason", .nullable(.reason)),
    ]

    private static let schedule = Schema.object([
        .required("at", .nullable(.instant)), .required("until", .nullable(.instant)),
        .required("timeZone", timeZone), .required("atLocal", .nullable(.instant)),
        .required("untilLocal", .nullable(.instant)),
    ])

    private static let suspension = Schema.object([
        .required("cause", .names(SuspensionCause.self)), .required("detail", .string),
        .required("remedy", .string),
    ])

    private static let term = Schema.object([
        .required("state", .names(ChangeTerm.State.self)), .required("applied", .position),
        .required("ended", .nullable(.position)), .required("endedAt", .nullable(.instant)),
    ])
}
