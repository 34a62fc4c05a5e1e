package import PlimsollDomain
package import PlimsollJSON

/// A change, as every resource of changes answers it: the members of its summary and these.
package struct ChangeAnswer: Answer, Shaped {
    package let summary: ChangeSummary
    package let reason: Reason?
    package let operations: [Operation]
    /// Each field before and after: against what is live while the change is open, as it was
    /// decided on afterwards.
    package let effect: [FieldChange]
    /// What an approval has to name; `nil` once the change was withdrawn.
    package let digest: ChangeDigest?
    package let outcome: ChangeOutcome
    package let course: ChangeCourse
    /// What looks like a mistake in it, while it is open.
    package var checks: [CheckResult]
    /// What it blocks of the devices that were counted, while it is open.
    package let blocked: [BlockedShare]
    /// The counts of devices that it is judged by, while it is open.
    package let counted: [CountAnswer]
    /// What others wrote of it after its base, while it is open.
    package let conflicts: [FieldConflict]
    /// The changes that wait for their time and that it puts in conflict: while it is open, if it
    /// were applied now; afterwards only in the receipt of what applied it.
    package let overtaken: [ChangeID]
    package var origin: ChangeOrigin
    /// What there is to know of what clients of Prince of Versions would be told, while it is open.
    package var notes: [PrinceOfVersionsAnswer.Note]

    package init(
        summary: ChangeSummary,
        reason: Reason?,
        operations: [Operation],
        effect: [FieldChange],
        digest: ChangeDigest?,
        outcome: ChangeOutcome,
        course: ChangeCourse = ChangeCourse(),
        checks: [CheckResult] = [],
        blocked: [BlockedShare] = [],
        counted: [CountAnswer] = [],
        conflicts: [FieldConflict] = [],
        overtaken: [ChangeID] = [],
        origin: ChangeOrigin = ChangeOrigin(),
        notes: [PrinceOfVersionsAnswer.Note] = []
    ) {
        self.summary = summary
        self.reason = reason
        self.operations = operations
        self.effect = effect
        self.digest = digest
        self.outcome = outcome
        self.course = course
        self.checks = checks
        self.blocked = blocked
        self.counted = counted
        self.conflicts = conflicts
        self.overtaken = overtaken
        self.origin = origin
        self.notes = notes
    }

    package static let shape = Shape<Self>(
        "Change",
        Self.init(
            summary:
            reason:
            operations:
            effect:
            digest:
            outcome:
            course:
            checks:
            blocked:
            counted:
            conflicts:
            overtaken:
            origin:
            notes:
        ),
        .part(\.summary, ChangeSummary.shape),
        .nullable("reason", \.reason, .reason),
        .required("operations", \.operations, .objects(Operation.shape)),
        .required("effect", \.effect, .objects(FieldChange.shape)),
        .nullable("digest", \.digest, .digest),
        .part(\.outcome, ChangeOutcome.shape),
        .part(\.course, ChangeCourse.shape),
        .required("checks", \.checks, .objects(CheckResult.shape)),
        .required("blocked", \.blocked, .objects(BlockedShare.shape)),
        .required("counted", \.counted, .objects(CountAnswer.shape)),
        .required("conflicts", \.conflicts, .objects(FieldConflict.shape)),
        .required("overtaken", \.overtaken, .array(of: .change)),
        .part(\.origin, ChangeOrigin.shape),
        .required("notes", \.notes, .objects(PrinceOfVersionsAnswer.Note.shape))
    ).withDryRun

    /// The counts that it is judged by, as an approval says that they were seen.
    package var counts: [Platform: Position] {
        Dictionary(counted.map { ($0.platform, $0.position) }, uniquingKeysWith: max)
    }
}

/// What a change was made of, and which others were made of the same.
package struct ChangeOrigin: Equatable, Sendable {
    package let source: Title?
    /// The change that its author made of it later.
    package let supersededBy: ChangeID?
    /// Those that it took the place of; only in the receipt of its proposal.
    package var supersedes: [ChangeID]

    package init(
        source: Title? = nil,
        supersededBy: ChangeID? = nil,
        supersedes: [ChangeID] = []
    ) {
        (self.source, self.supersededBy, self.supersedes) = (source, supersededBy, supersedes)
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(source:supersededBy:supersedes:),
        .nullable("source", \.source, .title),
        .nullable("supersededBy", \.supersededBy, .change),
        .required("supersedes", \.supersedes, .array(of: .change))
    )
}

extension ChangeTerm: Answer, Shaped {
    package static let shape = Shape<Self>(
        "Term",
        Self.init(state:applied:ended:endedAt:),
        .required("state", \.state, .names),
        .required("applied", \.applied, .position),
        .nullable("ended", \.ended, .position),
        .nullable("endedAt", \.endedAt, .instant)
    )
}

/// `{"position": 61, "actor": "…", "at": "…", "reason": "3.2.0 never reached the store"}`
extension Undoing: Answer, Shaped {
    package static let shape = Shape<Self>(
        nil,
        Self.init(position:actor:at:reason:),
        .required("position", \.position, .position),
        .required("actor", \.actor, .principal),
        .required("at", \.at, .instant),
        .nullable("reason", \.reason, .reason)
    )
}

extension SuspensionCause: Answer, Shaped {
    package static let shape = Shape<Self>(
        "Suspension",
        { $0 },
        .required("cause", \.cause, .names)
    )
    .telling(
        // What happened, in words, and what to do next.
        .required("detail", \.sentence, .string),
        .required("remedy", \.remedy, .string)
    )

    private var cause: SuspensionCause { self }
}
