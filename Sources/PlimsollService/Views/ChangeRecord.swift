import PlimsollAPI
import PlimsollDomain

/// A change as the events of its stream tell it.
struct ChangeRecord {
    let proposal: Proposal
    private(set) var state = ChangeState.proposed
    private(set) var digest: ChangeDigest?
    /// All there ever were.
    private(set) var approvals: [GivenApproval] = []
    private(set) var rejection: ChangeOutcome.Verdict?
    private(set) var decidedAt: Instant?
    /// What was said of it, oldest first.
    private(set) var remarks: [ChangeOutcome.Remark] = []
    /// Whoever had a hand in it; what they approved before counts no more.
    private var contributors: Set<PrincipalID>
    /// The append that last said what the change is: its schedule is part of that.
    private var content: CommandID
    private(set) var schedule: Schedule?
    private(set) var source: Title?
    private(set) var supersededBy: ChangeID?
    let position: Position
    /// The event that ended it, or the last one while it is open: an applied change may be held,
    /// reviewed or taken back later.
    private(set) var end: Position
    /// Where it is recorded that the time of an applied change was over.
    private var ended: (position: Position, at: Instant)?

    var isOpen: Bool { state.isOpen }

    /// Returns `nil` for a history that does not begin with a proposal: there is no such change.
    ///
    /// That an approval lapsed stands elsewhere, since nothing happened to the change.
    init?(id: ChangeID, history: [RecordedEvent], lapsed: [Approval] = []) {
        guard let first = history.first, let last = history.last,
            case .change(.changeProposed(let app, let title, let base)) = first.event
        else { return nil }
        let revision = history.standingRevision
        proposal = Proposal(
            app: app,
            title: revision?.title ?? title,
            reason: revision?.reason ?? first.origin.reason,
            author: first.origin.actor,
            base: revision?.base ?? base,
            operations: history.standingOperations,
            proposedAt: first.recordedAt
        )
        contributors = [first.origin.actor]
        content = first.command
        position = last.position
        end = last.position
        for recorded in history { take(recorded) }
        void { given in
            given.told.void
                ?? lapsed.first(where: given.isSame)?.lapse.map { lapse in ApprovalVoid(lapse) }
        }
    }

    /// What became of it, if it was applied for a limited time only.
    func term(isRunning: Bool) -> ChangeTerm? {
        guard state == .applied, schedule?.until != nil else { return nil }
        if let ended {
            return ChangeTerm(
                state: .ended,
                applied: end,
                ended: ended.position,
                endedAt: ended.at
            )
        }
        return ChangeTerm(state: isRunning ? .running : .undone, applied: end)
    }

    private mutating func take(_ recorded: RecordedEvent) {
        guard case .change(let event) = recorded.event else { return }
        switch event {
        case .changeProposed, .operationsAdded, .changeOvertaken, .emergencyApplied,
            .emergencyReviewed:
            break
        case .changeCommented(let comment): note(.comment, recorded, comment)
        case .checkOverridden(let check, _):
            note(.overridden, recorded, recorded.origin.reason, check)
        case .changeEnded: ended = (recorded.position, recorded.recordedAt)
        case .changeRevised:
            content = recorded.command
            reopen(by: recorded.origin.actor)
            note(.revised, recorded, recorded.origin.reason)
        case .changeScheduled(let schedule):
            self.schedule = schedule
            reopen(by: recorded.origin.actor)
            if recorded.command != content {
                note(.scheduled, recorded, recorded.origin.reason)
            }
        case .changesRequested:
            state = .changesRequested
            note(.changesRequested, recorded, recorded.origin.reason)
            void { $0.told.void ?? ApprovalVoid(.objected) }
        case .changeSuspended: state = .suspended
        case .changeApproved(let digest, let comment, let counted, let signature):
            approvals.append(
                GivenApproval(
                    told: ChangeOutcome.Approval(
                        ChangeOutcome.Verdict(recorded, comment),
                        counted: counted,
                        signature: signature
                    ),
                    digest: digest
                )
            )
        case .changeRejected(let digest):
            rejection = ChangeOutcome.Verdict(recorded, recorded.origin.reason)
            close(.rejected, recorded, digest)
        case .changeWithdrawn: close(.withdrawn, recorded, nil)
        case .changeSourced(let source): self.source = source
        case .changeSuperseded(let id):
            supersededBy = id
            close(.withdrawn, recorded, nil)
        case .changeApplied(_, let digest): close(.applied, recorded, digest)
        }
    }

    private mutating func note(
        _ kind: RemarkKind,
        _ recorded: RecordedEvent,
        _ text: Reason?,
        _ check: CheckName? = nil
    ) {
        remarks.append(
            ChangeOutcome.Remark(
                kind,
                by: recorded.origin.actor,
                at: recorded.recordedAt,
                text: text,
                check: check
            )
        )
    }

    private mutating func reopen(by contributor: PrincipalID) {
        state = .proposed
        contributors.insert(contributor)
    }

    /// Of what was approved, only what was decided on counts.
    private mutating func close(
        _ state: ChangeState,
        _ recorded: RecordedEvent,
        _ digest: ChangeDigest?
    ) {
        self.state = state
        self.digest = digest
        end = recorded.position
        decidedAt = recorded.recordedAt
        void { [contributors] given in
            if let void = given.told.void { return void }
            if given.digest != digest { return ApprovalVoid(.changed) }
            return contributors.contains(given.told.verdict.by) ? ApprovalVoid(.contributed) : nil
        }
    }

    private mutating func void(_ void: (GivenApproval) -> ApprovalVoid?) {
        for index in approvals.indices { approvals[index].told.void = void(approvals[index]) }
    }

    /// What the author said, and whoever revised it last; a revision without a reason leaves the
    /// one that was there.
    struct Proposal {
        let app: AppSlug
        let title: Title
        let reason: Reason?
        let author: PrincipalID
        let base: Position
        let operations: [Operation]
        let proposedAt: Instant
    }

    /// An approval, and whether it counts: while the change is open, by its status; afterwards
    /// whether it was of what was decided on.
    struct GivenApproval {
        fileprivate(set) var told: ChangeOutcome.Approval
        let digest: ChangeDigest

        func isSame(as approval: Approval) -> Bool {
            approval.digest == digest && approval.by == told.verdict.by
                && approval.at == told.verdict.at
        }
    }
}

extension ChangeOutcome.Verdict {
    fileprivate init(_ recorded: RecordedEvent, _ comment: Reason?) {
        self.init(by: recorded.origin.actor, at: recorded.recordedAt, comment: comment)
    }
}

extension [RecordedEvent] {
    /// The operations that the last revision left.
    fileprivate var standingOperations: [Operation] {
        reduce(into: []) { operations, recorded in
            guard case .change(let event) = recorded.event else { return }
            switch event {
            case .operationsAdded(let more): operations += more
            case .changeRevised: operations = []
            case .changeProposed, .changeScheduled, .changeCommented, .changesRequested,
                .changeApproved, .checkOverridden, .changeRejected, .changeWithdrawn,
                .changeSourced, .changeSuperseded, .changeApplied, .changeOvertaken,
                .changeSuspended, .changeEnded, .emergencyApplied, .emergencyReviewed:
                break
            }
        }
    }

    /// The title and the base that the last revision gave it, and the last reason of any.
    fileprivate var standingRevision: (title: Title, base: Position, reason: Reason?)? {
        reduce(into: nil) { revision, recorded in
            guard case .change(.changeRevised(let title, let base)) = recorded.event else { return }
            revision = (title, base, recorded.origin.reason ?? revision?.reason)
        }
    }
}
