package import PlimsollDomain
package import PlimsollJSON

/// When an open change comes into force, and what keeps it from doing so.
package struct ChangeCourse: Equatable, Sendable {
    package let schedule: Schedule?
    /// Why it was not applied at its time.
    package let suspension: SuspensionCause?
    /// What the policy still asks for.
    package let missing: [MissingApproval]

    package init(
        schedule: Schedule? = nil,
        suspension: SuspensionCause? = nil,
        missing: [MissingApproval] = []
    ) {
        self.schedule = schedule
        self.suspension = suspension
        self.missing = missing
    }

    init?(_ reader: inout ObjectReader) {
        let schedule = reader.optionalObject("schedule", Schedule.init)
        let suspension = reader.optionalString(
            "suspension",
            needing: oneOf(SuspensionCause.self),
            SuspensionCause.init(rawValue:)
        )
        let missing = reader.objects("missing", .ignored, MissingApproval.init)
        guard let missing else { return nil }
        self.init(schedule: schedule, suspension: suspension, missing: missing)
    }

    func write(to json: inout JSONObject) {
        json["schedule"] = schedule.map { .object($0.json) } ?? .null
        json["suspension"] = JSONValue(suspension?.rawValue)
        json["missing"] = .array(missing.map { .object($0.json) })
    }
}

extension MissingApproval {
    fileprivate init?(_ reader: inout ObjectReader) {
        let kind = reader.string(
            "rule",
            needing: oneOf(ChangeKind.self),
            ChangeKind.init(rawValue:)
        )
        let requirement = ApprovalRequirement(&reader)
        let have = reader.integer("have")
        guard let kind, let requirement, let have else { return nil }
        self.init(kind: kind, requirement: requirement, have: Int(clamping: have))
    }

    fileprivate var json: JSONObject {
        var json = requirement.json
        json["rule"] = .string(kind.rawValue)
        json["have"] = .integer(Int64(have))
        return json
    }
}

extension Schedule: Form {
    /// `{"at": "2027-01-31T09:00:00Z", "until": "2027-02-07T09:00:00Z",
    /// "timeZone": "Europe/London"}`; at least one of the first two, and UTC where no zone is said.
    package init?(_ reader: inout ObjectReader) {
        let at = reader.optionalInstant("at")
        let until = reader.optionalInstant("until")
        let zone = reader.optionalString(
            "timeZone",
            needing: TimeZoneName.grammar,
            TimeZoneName.init
        )
        self.init(at: at, until: until, timeZone: zone ?? .utc)
    }

    package var json: JSONObject {
        [
            "at": JSONValue(at), "until": JSONValue(until),
            "timeZone": .string(timeZone.text),
        ]
    }
}
