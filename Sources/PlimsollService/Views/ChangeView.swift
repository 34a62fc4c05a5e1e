package import PlimsollAPI
package import PlimsollDomain

/// A change as people see it.
package struct ChangeView: Equatable, Sendable {
    package let id: ChangeID
    package let app: AppSlug
    package let title: Title
    package let reason: Reason?
    package let author: PrincipalID
    package let base: Position
    package let state: ChangeState
    package let operations: [Operation]
    /// Each field before and after: against what is live while it is open, as it was applied
    /// or turned down afterwards.
    package let effect: [FieldChange]
    /// What an approval has to name; `nil` once the change was withdrawn.
    package let digest: ChangeDigest?
    package let proposedAt: Instant
    package let outcome: Outcome
    package let schedule: Schedule?
    /// Why it was not applied at its time.
    package let suspension: SuspensionCause?
    /// What became of it once it was applied, if it was to end at a time of its own.
    package let term: ChangeTerm?
    /// The rollback that took it back as a whole, after it was applied.
    package let undoing: Undoing?
    /// What counts and what is missing, while it is open.
    package let status: ApprovalStatus?
    /// Who could give what is missing, with their names.
    package private(set) var givers: [MissingApproval: [Person]] = [:]
    /// What will be missing at its time, because approvals that count now will have ended.
    package let missingAtTime: [MissingApproval]
    /// The planned freeze that its time falls into.
    package let freezeAtTime: FreezePlanAnswer?
    /// What looks like a mistake in it, while it is open.
    package private(set) var checks: [CheckResult]
    /// What it blocks of the devices that were counted, while it is open.
    package let blocked: [BlockedShare]
    /// The counts of devices that it is judged by, while it is open.
    package let counted: [Platform: FieldWrite]
    /// What others wrote of it after its base, while it is open.
    package let conflicts: [FieldConflict]
    /// The changes that wait for their time and that it puts in conflict: while it is open, if it
    /// were applied now; afterwards only in the receipt of what applied it.
    package let overtaken: [ChangeID]
    /// What it was made of.
    package let source: Title?
    /// The change that its author made of the same source after it.
    package let supersededBy: ChangeID?
    /// Those that it took the place of; only in the receipt of its proposal.
    package internal(set) var supersedes: [ChangeID] = []
    /// Whether it was open already when it was proposed.
    package internal(set) var isKnown = false
    /// What there is to know of what clients of Prince of Versions are told, while it is open.
    package private(set) var notes: [PrinceOfVersionsAnswer.Note]
    /// The last position of the append that brought it into this state.
    package let position: Position

    init(
        id: ChangeID,
        _ record: ChangeRecord,
        effect: [FieldChange],
        digest: ChangeDigest?,
        suspension: SuspensionCause? = nil,
        term: ChangeTerm? = nil,
        undoing: Undoing? = nil,
        status: ApprovalStatus?,
        missingAtTime: [MissingApproval] = [],
        freezeAtTime: FreezePlanAnswer? = nil,
        checks: [CheckResult] = [],
        blocked: [BlockedShare] = [],
        counted: [Platform: FieldWrite] = [:],
        conflicts: [FieldConflict] = [],
        overtaken: [ChangeID] = [],
        notes: [PrinceOfVersionsAnswer.Note] = [],
        void: (GivenApproval) -> ApprovalVoid? = \.void
    ) {
        let proposal = record.proposal
        self.id = id
        app = proposal.app
        title = proposal.title
        reason = proposal.reason
        author = proposal.author
        base = proposal.base
        operations = proposal.operations
        proposedAt = proposal.proposedAt
        self.effect = effect
        self.digest = digest
        self.status = status
        self.missingAtTime = missingAtTime
        self.freezeAtTime = freezeAtTime
        self.checks = checks
        self.blocked = blocked
        self.counted = counted
        self.conflicts = conflicts
        self.overtaken = overtaken
        source = record.source
        supersededBy = record.supersededBy
        self.notes = notes
        state = status?.state ?? record.state
        var outcome = record.outcome
        outcome.void(void)
        self.outcome = outcome
        schedule = record.schedule
        self.suspension = suspension
        self.term = term
        self.undoing = undoing
        position = record.position
    }

    /// The same, with what there was to say of it before it was applied.
    func judged(as open: ChangeView) -> ChangeView {
        var view = self
        view.checks = open.checks
        view.notes = open.notes
        return view
    }

    /// The same with those who could give what is missing.
    func givenBy(
        _ givers: [MissingApproval: [PrincipalID]],
        _ names: [PrincipalID: String]
    )
        -> ChangeView
    {
        var view = self
        view.givers = givers.mapValues { $0.map { Person(id: $0, name: names[$0]) } }
        return view
    }

    /// Somebody, and what they are called.
    package struct Person: Equatable, Sendable {
        package let id: PrincipalID
        package let name: String?
    }

    /// What the author said, and whoever revised it last; a revision without a reason leaves the
    /// one that was there.
    package struct Proposal: Equatable, Sendable {
        package let app: AppSlug
        package let title: Title
        package let reason: Reason?
        package let author: PrincipalID
        package let base: Position
        package let operations: [Operation]
        package let proposedAt: Instant
    }

    /// Who agreed, and how it ended.
    package struct Outcome: Equatable, Sendable {
        /// All there ever were.
        package internal(set) var approvals: [GivenApproval] = []
        package internal(set) var rejection: Verdict?
        package internal(set) var decidedAt: Instant?
        /// What was said of it, oldest first.
        package internal(set) var remarks: [Remark] = []

        mutating func void(_ void: (GivenApproval) -> ApprovalVoid?) {
            for index in approvals.indices { approvals[index].void = void(approvals[index]) }
        }
    }

    /// An approval, and whether it counts: while the change is open, by its status; afterwards
    /// whether it was of what was decided on.
    package struct GivenApproval: Equatable, Sendable {
        package let verdict: Verdict
        let digest: ChangeDigest
        /// The counts of devices that the change was judged by then.
        package let counted: [Platform: Position]
        package let signature: PersonSignature?
        /// Why it does not count; `nil` for one that does.
        package internal(set) var void: ApprovalVoid?

        package var counts: Bool { void == nil }

        init(
            _ verdict: Verdict,
            of digest: ChangeDigest,
            counted: [Platform: Position],
            signature: PersonSignature?
        ) {
            self.verdict = verdict
            self.digest = digest
            self.counted = counted
            self.signature = signature
        }

        func isSame(as approval: Approval) -> Bool {
            approval.by == verdict.by && approval.at == verdict.at && approval.digest == digest
        }
    }

    /// What somebody said of it, or did to it, before it was decided on.
    package struct Remark: Equatable, Sendable {
        package let kind: RemarkKind
        package let by: PrincipalID
        package let at: Instant
        /// The comment, or the reason; `nil` where none was given.
        package let text: Reason?
        /// What was overridden.
        package let check: CheckName?
    }

    /// Who said yes or no, and with which words.
    package struct Verdict: Equatable, Sendable {
        package let by: PrincipalID
        package let at: Instant
        package let comment: Reason?
    }
}
