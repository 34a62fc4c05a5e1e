import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollService
import PlimsollStore

/// `/v1/apps/{app}/changes` and `/v1/changes/{change}`: proposals and what becomes of them.
struct ChangeController {
    let useCases: UseCases

    var routes: RouteCollection<CallerContext> {
        RouteCollection(context: CallerContext.self)
            .post("apps/{app}/changes", use: propose)
            .get("apps/{app}/changes", use: list)
            .get("changes/{change}", use: show)
            .post("changes/{change}/approve", use: approve)
            .post("changes/{change}/reject", use: reject)
            .post("changes/{change}/withdraw", use: withdraw)
            .post("changes/{change}/request-changes", use: requestChanges)
            .post("changes/{change}/comment", use: comment)
            .post("changes/{change}/revise", use: revise)
            .post("changes/{change}/apply", use: apply)
    }

    private func propose(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let app = try context.app()
        let submission = try await Submission<ProposalForm>(request, context)
        let view = try await useCases.propose(
            ChangeProposal(submission.form, for: app),
            submission.write
        )
        let change = ChangeAnswer(view)
        if view.isKnown { return Reply(change, to: submission.write, tag: EntityTag(of: change)) }
        return Reply(
            change,
            to: submission.write,
            status: .created,
            tag: EntityTag(of: change),
            location: "/v1/changes/\(change.summary.id)"
        )
    }

    private func show(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try QueryReader(request).finish()
        let id = try context.change()
        return Reply(ChangeAnswer(try await useCases.change(id, for: context.caller)))
    }

    private func approve(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (id, seen) = (try context.change(), try ChangeDigest(ifMatch: request.headers))
        let submission = try await Submission<ApprovalForm>(request, context)
        let (form, write) = (submission.form, submission.write)
        return Reply(
            decided: try await useCases.approve(
                id,
                seen: seen,
                comment: form.comment,
                counted: form.counted,
                write
            ),
            write
        )
    }

    private func reject(_ request: Request, _ context: CallerContext) async throws -> Reply {
        try await turnDown(.rejected, request, context)
    }

    private func requestChanges(
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        try await turnDown(.changesRequested, request, context)
    }

    private func turnDown(
        _ verdict: TurnDownChange.Verdict,
        _ request: Request,
        _ context: CallerContext
    ) async throws -> Reply {
        let (id, seen) = (try context.change(), try ChangeDigest(ifMatch: request.headers))
        let submission = try await Submission<RejectionForm>(request, context)
        let (reason, write) = (submission.form.reason, submission.write)
        return Reply(
            decided: try await useCases.turnDown(id, verdict, seen: seen, reason: reason, write),
            write
        )
    }

    private func withdraw(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (id, seen) = (try context.change(), try ChangeDigest(ifMatch: request.headers))
        let submission = try await Submission<EmptyForm>(request, context)
        return Reply(
            decided: try await useCases.withdraw(id, seen: seen, submission.write),
            submission.write
        )
    }

    private func comment(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let id = try context.change()
        let submission = try await Submission<CommentForm>(request, context)
        let comment = submission.form.comment
        return Reply(
            decided: try await useCases.comment(on: id, comment, submission.write),
            submission.write
        )
    }

    private func revise(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (id, seen) = (try context.change(), try ChangeDigest(ifMatch: request.headers))
        let submission = try await Submission<RevisionForm>(request, context)
        let revision = ChangeRevision(submission.form, of: id, seen: seen)
        return Reply(
            decided: try await useCases.revise(revision, submission.write),
            submission.write
        )
    }

    private func apply(_ request: Request, _ context: CallerContext) async throws -> Reply {
        let (id, seen) = (try context.change(), try ChangeDigest(ifMatch: request.headers))
        let submission = try await Submission<EmptyForm>(request, context)
        return Reply(
            decided: try await useCases.apply(id, seen: seen, submission.write),
            submission.write
        )
    }

    private func list(_ request: Request, _ context: CallerContext) async throws -> Reply {
        var query = QueryReader(request)
        let (wanted, moment, needsMe, question) = try query.changes(of: try context.app())
        let page = try await naming(at: moment.parameter) { () async throws(UseCaseError) in
            try await useCases.changes(
                wanted,
                at: moment,
                needingCaller: needsMe,
                for: context.caller
            )
        }
        let next = page.next.map { Cursor(after: $0.rawValue, of: question) }
        let list = ChangeList(
            changes: page.elements.map(ChangeSummaryAnswer.init),
            next: next?.text
        )
        return Reply(list).linked(to: next, of: request)
    }
}

extension Reply {
    init(decided change: ChangeView, _ write: WriteRequest) {
        let answer = ChangeAnswer(change)
        self.init(answer, to: write, tag: EntityTag(of: answer))
    }
}

extension QueryReader {
    fileprivate mutating func changes(
        of app: AppSlug
    ) throws(Problem) -> (ChangeQuery, Moment, needsMe: Bool, question: [String]) {
        var changes = ChangeQuery(app: app)
        let moment = moment()
        changes.states = all("state", oneOf(ChangeState.self), ChangeState.init(rawValue:))
        if moment != .live, let state = changes.states.first(where: \.isWorkedOut) {
            object(
                to: "state",
                code: "stateOfNow",
                "\(state.rawValue) is worked out for now only; leave out at and event, or ask for"
                    + " proposed."
            )
        }
        let needsMe = one("needsMe", "true or false", Bool.init) ?? false
        if needsMe, moment != .live {
            object(
                to: "needsMe",
                code: "stateOfNow",
                "What needs you is worked out for now only; leave out at and event."
            )
        }
        changes.limit = limit(changes.limit, most: ChangeQuery.limitMaximum)
        let question = changes.question + [moment.name] + (needsMe ? ["needsMe"] : [])
        changes.after = cursor(of: question).flatMap(ChangeID.init(rawValue:))
        try finish()
        return (changes, moment, needsMe, question)
    }
}

extension ChangeState {
    /// Whether no event says it.
    fileprivate var isWorkedOut: Bool { self == .approved || self == .scheduled }
}

extension ChangeQuery {
    /// What chooses and orders the changes.
    fileprivate var question: [String] {
        ["changes", app.text] + states.map(\.rawValue).sorted()
    }
}

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

extension PrinceOfVersionsEffect {
    var notes: [PrinceOfVersionsAnswer.Note] {
        PrinceOfVersionsExport(after).notes(replacing: PrinceOfVersionsExport(before))
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
