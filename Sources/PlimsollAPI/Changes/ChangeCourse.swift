package import PlimsollDomain
package import PlimsollJSON

/// What keeps a change from coming into force, and when it ends.
package struct ChangeCourse: Equatable, Sendable {
    /// What became of it once it was applied, if its time is limited.
    package let term: ChangeTerm?
    /// What the policy still asks for, and who could give it.
    package let missing: [MissingAnswer]
    /// What it will ask for at its time, because approvals that count now will have ended.
    package let missingAtTime: [MissingApproval]
    /// The planned freeze that its time falls into: it will not come into force then.
    package let freezeAtTime: FreezePlanAnswer?
    /// The changes that end before its time and take back what it was made on: it will be in conflict
    /// then.
    package let endsBefore: [ChangeID]

    package init(
        term: ChangeTerm? = nil,
        missing: [MissingAnswer] = [],
        missingAtTime: [MissingApproval] = [],
        freezeAtTime: FreezePlanAnswer? = nil,
        endsBefore: [ChangeID] = []
    ) {
        self.term = term
        self.missing = missing
        self.missingAtTime = missingAtTime
        self.freezeAtTime = freezeAtTime
        self.endsBefore = endsBefore
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(term:missing:missingAtTime:freezeAtTime:endsBefore:),
        .nullable("term", \.term, .object(ChangeTerm.shape)),
        .required("missing", \.missing, .objects(MissingAnswer.shape)),
        .required("missingAtTime", \.missingAtTime, .objects(MissingApproval.shape)),
        .nullable("freezeAtTime", \.freezeAtTime, .object(FreezePlanAnswer.shape)),
        .required("endsBefore", \.endsBefore, .array(of: .change), before: [])
    )
}

/// What the policy still asks for, and who could give it, by name.
package struct MissingAnswer: Answer, Shaped {
    package let missing: MissingApproval
    package let couldGive: [PersonAnswer]

    package init(_ missing: MissingApproval, couldGive: [PersonAnswer]) {
        (self.missing, self.couldGive) = (missing, couldGive)
    }

    package static let shape = Shape<Self>(
        "MissingNow",
        Self.init(_:couldGive:),
        .part(\.missing, MissingApproval.shape),
        .required("couldGive", \.couldGive, .objects(PersonAnswer.shape))
    )
}

/// Somebody, and what they are called.
package struct PersonAnswer: Answer, Shaped {
    package let id: PrincipalID
    /// Kept outside the log; `nil` where it was erased.
    package let name: String?

    package init(id: PrincipalID, name: String?) { (self.id, self.name) = (id, name) }

    package static let shape = Shape<Self>(
        "Person",
        Self.init(id:name:),
        .required("id", \.id, .principal),
        .nullable("name", \.name, .string)
    )
}

extension MissingApproval {
    package static let shape = Shape<Self>(
        "MissingApproval",
        Self.init(kind:requirement:have:),
        .required("rule", \.kind, .names),
        .part(\.requirement, ApprovalRequirement.shape),
        .required("have", \.have, .count())
    )
}

extension ChangeSummary: Answer, Shaped {
    package static let shape = Shape<Self>(
        "ChangeSummary",
        Self.init(
            id:
            app:
            title:
            author:
            state:
            base:
            proposedAt:
            position:
            isInConflict:
            undoing:
            schedule:
            suspension:
        ),
        .required("id", \.id, .change),
        .required("app", \.app, .slug),
        .required("title", \.title, .title),
        .required("author", \.author, .principal),
        .required("state", \.state, .names),
        .required("base", \.base, .position),
        .required("proposedAt", \.proposedAt, .instant),
        .required("position", \.position, .position),
        .required("inConflict", \.isInConflict, .bool),
        .nullable("undoneBy", \.undoing, .object(Undoing.shape)),
        .nullable("schedule", \.schedule, .object(Schedule.answered)),
        .nullable("suspension", \.suspension, .object(SuspensionCause.shape))
    )
}

/// A part of an app's changes, newest first, and where the next part begins.
package struct ChangeList: Answer, Shaped {
    package let changes: [ChangeSummary]
    /// The cursor of the next part; `nil` where the list has come to its end.
    package let next: String?

    package init(changes: [ChangeSummary], next: String?) {
        self.changes = changes
        self.next = next
    }

    package static let shape = Shape<Self>(
        "ChangeList",
        Self.init(changes:next:),
        .required("changes", \.changes, .objects(ChangeSummary.shape)),
        .nullable("next", \.next, .cursor)
    )
}
