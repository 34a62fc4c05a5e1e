import Hummingbird
import PlimsollAPI
import PlimsollDocuments
import PlimsollDomain
import PlimsollJSON
import PlimsollService
import PlimsollStore

/// `/v1/apps/{app}/changes` and `/v1/changes/{change}`: proposals and what becomes of them.
struct ChangeController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] { [proposal] + questions + work + decisions }

    private var proposal: EndpointHandler<CallerContext> {
        .raw(Endpoints.proposeChange) { request, context in
            let call = try await WriteCall<AppSlug, Unbound, ProposalForm>(request, context)
            let (change, isKnown) = try await useCases.propose(
                call.form,
                for: call.names,
                call.write
            )
            var reply = Reply(
                change,
                to: call.write,
                of: Endpoints.proposeChange.facts,
                at: "/v1/changes/\(change.summary.id)"
            )
            if isKnown {
                reply.status = .ok
                reply.headers[.location] = nil
            }
            return reply
        }
    }

    private var questions: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listChanges) { call in
                var query = call.query
                let (wanted, moment, needsMe, question) = try query.changes(
                    of: try call.names(),
                    most: call.facts.limitMaximum
                )
                let page = try await naming(at: moment.parameter) {
                    () async throws(UseCaseError) in
                    try await useCases.changes(
                        wanted,
                        at: moment,
                        needingCaller: needsMe,
                        for: call.caller
                    )
                }
                return ChangeList(
                    changes: page.elements,
                    next: page.next.map { Cursor(after: $0.rawValue, of: question).text }
                )
            },
            .read(Endpoints.getChange) { call in
                try await useCases.change(try call.names(), for: call.caller)
            },
        ]
    }

    /// What its author and others do with an open change.
    private var work: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.commentOnChange) { call in
                let comment = call.form.comment
                let command = CommentOnChange(change: call.names, comment: comment, by: call.by)
                return try await useCases.decide(command, call.write)
            },
            .write(Endpoints.reviseChange) { call in
                try await useCases.revise(call.names, seen: call.seen, call.form, call.write)
            },
            .write(Endpoints.scheduleChange) { call in
                let command = ScheduleChange(
                    change: call.names,
                    seen: call.seen,
                    schedule: call.form.schedule,
                    by: call.by,
                    hash: ChangeDigest.init(of:)
                )
                return try await useCases.decide(command, call.write)
            },
            .write(Endpoints.withdrawChange) { call in
                let command = WithdrawChange(
                    change: call.names,
                    seen: call.seen,
                    by: call.by,
                    hash: ChangeDigest.init(of:)
                )
                return try await useCases.decide(command, call.write)
            },
            // Why what a check found is right.
            .write(Endpoints.overrideCheck) { call in
                let command = OverrideCheck(
                    change: call.names,
                    seen: call.seen,
                    check: call.form.check,
                    reason: call.form.reason,
                    by: call.by,
                    hash: ChangeDigest.init(of:)
                )
                return try await useCases.decide(command, call.write)
            },
        ]
    }

    private var decisions: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.approveChange) { call in
                try await useCases.approve(call.names, seen: call.seen, call.form, call.write)
            },
            .write(Endpoints.rejectChange) { try await turnDown(.rejected, $0) },
            .write(Endpoints.requestChanges) { try await turnDown(.changesRequested, $0) },
            .write(Endpoints.applyChange) { call in
                let command = ApplyChange(
                    change: call.names,
                    seen: call.seen,
                    by: call.by,
                    hash: ChangeDigest.init(of:)
                )
                return try await useCases.decide(command, call.write)
            },
        ]
    }

    private func turnDown(
        _ verdict: TurnDownChange.Verdict,
        _ call: WriteCall<ChangeID, SeenChange, MandatoryReasonForm>
    ) async throws -> ChangeAnswer {
        let command = TurnDownChange(
            change: call.names,
            verdict: verdict,
            seen: call.seen,
            reason: call.form.reason,
            by: call.by,
            hash: ChangeDigest.init(of:)
        )
        return try await useCases.decide(command, call.write)
    }
}

extension QueryReader {
    fileprivate mutating func changes(
        of app: AppSlug,
        most maximum: Int
    ) throws(Problem) -> (ChangeQuery, DocumentMoment, needsMe: Bool, question: [String]) {
        var changes = ChangeQuery(app: app)
        let moment = moment()
        changes.states = all("state", oneOf(ChangeState.self), ChangeState.init(rawValue:))
        changes.authors = all("author", "a principal's id", PrincipalID.init)
        changes.platforms = all("platform", Platform.grammar, Platform.init(rawValue:))
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
        changes.limit = limit(changes.limit, most: maximum)
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
        ["changes", app.text] + states.map(\.rawValue).sorted() + authors.map(\.text).sorted()
            + platforms.map(\.rawValue).sorted()
    }
}
