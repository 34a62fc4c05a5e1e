package import PlimsollDomain
package import PlimsollJSON

/// When a change comes into force, what keeps it from doing so, and when it ends.
package struct ChangeCourse: Equatable, Sendable {
    package let schedule: ScheduleAnswer?
    /// Why it was not applied at its time.
    package let suspension: SuspensionCause?
    /// What became of it once it was applied, if its time is limited.
    package let term: ChangeTerm?
    /// What the policy still asks for, and who could give it.
    package let missing: [MissingAnswer]
    /// What it will ask for at its time, because approvals that count now will have ended.
    package let missingAtTime: [MissingApproval]
    /// The planned freeze that its time falls into: it will not come into force then.
    package let freezeAtTime: FreezePlanAnswer?

    package init(
        schedule: Schedule? = nil,
        suspension: SuspensionCause? = nil,
        term: ChangeTerm? = nil,
        missing: [MissingAnswer] = [],
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
        let missing = reader.objects("missing", .ignored, MissingAnswer.init)
        let later = reader.objects("missingAtTime", .ignored, MissingApproval.init)
        freezeAtTime = reader.optionalNested("freezeAtTime", FreezePlanAnswer.init)
        guard let missing, let later else { return nil }
        (self.missing, missingAtTime) = (missing, later)
    }

    func write(to json: inout JSONObject) {
        json["schedule"] = schedule.map { .object($0.json) } ?? .null
        json["suspension"] = suspension.map { .object($0.json) } ?? .null
        json["term"] = term.map { .object($0.json) } ?? .null
        json["missing"] = JSONValue(missing)
        json["missingAtTime"] = .array(missingAtTime.map { .object($0.json) })
        json["freezeAtTime"] = freezeAtTime.map { .object($0.json) } ?? .null
    }
}

/// What the policy still asks for, and who could give it, by name.
package struct MissingAnswer: Answer {
    package let missing: MissingApproval
    package let couldGive: [PersonAnswer]

    package init(_ missing: MissingApproval, couldGive: [PersonAnswer]) {
        (self.missing, self.couldGive) = (missing, couldGive)
    }

    package init?(_ reader: inout ObjectReader) {
        let missing = MissingApproval(&reader)
        let people = reader.objects("couldGive", .ignored, PersonAnswer.init)
        guard let missing, let people else { return nil }
        self.init(missing, couldGive: people)
    }

    package var json: JSONObject {
        var json = missing.json
        json["couldGive"] = JSONValue(couldGive)
        return json
    }
}

/// Somebody, and what they are called.
package struct PersonAnswer: Answer {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?

    package init(id: PrincipalID, name: String?) { (self.id, self.name) = (id, name) }

    package init?(_ reader: inout ObjectReader) {
        let id = reader.principal("id")
        let name = reader.optionalString("name")
        guard let id else { return nil }
        self.init(id: id, name: name)
    }

    package var json: JSONObject { ["id": .string(id.text), "name": JSONValue(name)] }
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
