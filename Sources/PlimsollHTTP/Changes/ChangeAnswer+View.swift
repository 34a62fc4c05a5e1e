import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollService

extension ChangeProposal {
    init(_ form: ProposalForm, for app: AppSlug) {
        self.init(
            app: app,
            title: form.title,
            reason: form.reason,
            base: form.base,
            operations: form.operations,
            schedule: form.schedule,
            source: form.source
        )
    }
}

extension ChangeRevision {
    init(_ form: RevisionForm, of change: ChangeID, seen: ChangeDigest) {
        self.init(
            change: change,
            seen: seen,
            title: form.title,
            reason: form.reason,
            base: form.base,
            operations: form.operations,
            schedule: form.schedule,
            resolve: form.resolve
        )
    }
}

extension ChangeSummaryAnswer {
    init(_ change: ChangeSummary) {
        self.init(
            id: change.id,
            app: change.app,
            title: change.title,
            author: change.author,
            state: change.state,
            base: change.base,
            proposedAt: change.proposedAt,
            position: change.position,
            isInConflict: change.isInConflict,
            undoing: change.undoing,
            schedule: change.schedule
        )
    }

    init(_ change: ChangeView) {
        self.init(
            id: change.id,
            app: change.app,
            title: change.title,
            author: change.author,
            state: change.state,
            base: change.base,
            proposedAt: change.proposedAt,
            position: change.position,
            isInConflict: !change.conflicts.isEmpty,
            undoing: change.undoing,
            schedule: change.schedule
        )
    }
}

extension ChangeAnswer {
    init(_ change: ChangeView) {
        self.init(
            summary: ChangeSummaryAnswer(change),
            reason: change.reason,
            operations: change.operations,
            effect: change.effect,
            digest: change.digest,
            outcome: ChangeOutcome(change),
            course: ChangeCourse(
                schedule: change.schedule,
                suspension: change.suspension,
                term: change.term,
                missing: (change.standing?.missing ?? []).map { missing in
                    MissingAnswer(
                        missing,
                        couldGive: (change.givers[missing] ?? []).map {
                            PersonAnswer(id: $0.id, name: $0.name)
                        }
                    )
                },
                missingAtTime: change.missingAtTime,
                freezeAtTime: change.freezeAtTime.map(FreezePlanAnswer.init)
            ),
            checks: change.checks.map(CheckAnswer.init),
            blocked: change.blocked,
            counted: change.counted.sorted { $0.key < $1.key }.map { platform, count in
                CountAnswer(
                    platform: platform,
                    position: count.position,
                    by: count.actor,
                    at: count.recordedAt
                )
            },
            conflicts: change.conflicts,
            overtaken: change.overtaken,
            origin: ChangeOrigin(
                source: change.source,
                supersededBy: change.supersededBy,
                supersedes: change.supersedes
            ),
            notes: change.told.map(\.notes) ?? []
        )
    }
}

extension PrinceEffect {
    fileprivate var notes: [PrinceOfVersionsAnswer.Note] {
        PrinceExport(after).notes(replacing: PrinceExport(before))
            .map(PrinceOfVersionsAnswer.Note.init)
    }
}

extension ChangeOutcome {
    fileprivate init(_ change: ChangeView) {
        self.init(
            approvals: change.outcome.approvals.map { given in
                Approval(Verdict(given.verdict), void: given.void, counted: given.counted)
            },
            rejection: change.outcome.rejection.map(Verdict.init),
            decidedAt: change.outcome.decidedAt,
            remarks: change.outcome.remarks.map {
                Remark($0.kind, by: $0.by, at: $0.at, text: $0.text, check: $0.check)
            }
        )
    }
}

extension ChangeOutcome.Verdict {
    fileprivate init(_ verdict: ChangeView.Verdict) {
        self.init(by: verdict.by, at: verdict.at, comment: verdict.comment)
    }
}
