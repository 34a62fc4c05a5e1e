package import PlimsollDomain
import PlimsollJSON

/// When a change comes into force, what keeps it from doing so, and when it ends.
package struct ChangeCourse: Equatable, Sendable {
    package let schedule: ScheduleAnswer?
    /// Why it was not applied at its time.
    package let suspension: SuspensionCause?
    /// What became of it once it was applied, if its time is limited.
    package let term: ChangeTerm?
    /// What the policy still asks for.
    package let missing: [MissingApproval]
    /// What it will ask for at its time, because approvals that count now will have ended.
    package let missingAtTime: [MissingApproval]
    /// The planned freeze that its time falls into: it will not come into force then.
    package let freezeAtTime: FreezePlanAnswer?

    package init(
        schedule: Schedule? = nil,
        suspension: SuspensionCause? = nil,
        term: ChangeTerm? = nil,
        missing: [MissingApproval] = [],
        missingAtTime: [MissingApproval] = [],
        freezeAtTime: FreezePlanAnswer? = nil
    ) {
        self.schedule = schedule.map(ScheduleAnswer.init)
        self.suspension = suspension
        self.term = term
        self.missing = missing
        self.missingAtTime = missingAtTime
        self.freezeAtTime = freezeAtTime
    }

    init?(_ reader: inout ObjectReader) {
        schedule = reader.optionalNested("schedule", ScheduleAnswer.init)
        suspension = reader.optionalNested("suspension", SuspensionCause.init)
        term = reader.optionalNested("term", ChangeTerm.init)
        let missing = reader.objects("missing", .ignored, MissingApproval.init)
        let later = reader.objects("missingAtTime", .ignored, MissingApproval.init)
        freezeAtTime = reader.optionalNested("freezeAtTime", FreezePlanAnswer.init)
        guard let missing, let later else { return nil }
        (self.missing, missingAtTime) = (missing, later)
    }

    func write(to json: inout JSONObject) {
        json["schedule"] = schedule.map { .object($0.json) } ?? .null
        json["suspension"] = suspension.map { .object($0.json) } ?? .null
        json["term"] = term.map { .object($0.json) } ?? .null
        json["missing"] = .array(missing.map { .object($0.json) })
        json["missingAtTime"] = .array(missingAtTime.map { .object($0.json) })
        json["freezeAtTime"] = freezeAtTime.map { .object($0.json) } ?? .null
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
