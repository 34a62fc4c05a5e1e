import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollService

/// `/v1/apps/{app}/emergency` and `/v1/apps/{app}/block`: at once and by one person, and looked at
/// again afterwards.
struct EmergencyController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.declareEmergency) { call in
                try await useCases.declareEmergency(call.form, in: call.names, call.write)
            },
            .write(Endpoints.blockVersion) { call in
                try await useCases.block(call.form, in: call.names, call.write)
            },
        ]
    }
}

/// `/v1/apps/{app}/rollback`: back to what was, at once and by one person.
struct RollbackController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.rollBack) { call in
                try await useCases.rollBack(call.form, of: call.names, call.write)
            }
        ]
    }
}

/// `/v1/apps/{app}/freeze` and `/v1/freeze`: nothing applies but rollbacks and emergencies.
struct FreezeController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .write(Endpoints.freezeApp) { try await start(.app($0.names), $0.form, $0.write) },
            .write(Endpoints.freezeAll) { try await start(.all, $0.form, $0.write) },
            .write(Endpoints.thawApp) { try await end(.app($0.names), $0.form, $0.write) },
            .write(Endpoints.thawAll) { try await end(.all, $0.form, $0.write) },
            .read(Endpoints.getFreeze) { try await show(.app(try $0.names()), $0.caller) },
            .read(Endpoints.getFreezeOfAll) { try await show(.all, $0.caller) },
            .write(Endpoints.planFreeze) { try await plan(.app($0.names), $0.form, $0.write) },
            .write(Endpoints.planFreezeOfAll) { try await plan(.all, $0.form, $0.write) },
            .write(Endpoints.cancelFreezePlan) { call in
                try await cancel(
                    call.names.position,
                    of: .app(call.names.app),
                    call.form,
                    call.write
                )
            },
            .write(Endpoints.cancelFreezePlanOfAll) {
                try await cancel($0.names, of: .all, $0.form, $0.write)
            },
        ]
    }

    private func show(_ scope: Scope, _ caller: Caller) async throws -> FreezesAnswer {
        try await useCases.freezes(of: scope, for: caller)
    }

    private func start(
        _ scope: Scope,
        _ form: MandatoryReasonForm,
        _ write: WriteRequest
    ) async throws -> FreezeAnswer {
        let command = StartFreeze(of: scope, reason: form.reason, by: write.caller.principal)
        return try await useCases.perform(command, write) { started, _ in
            FreezeAnswer(Freeze(started))
        }.view
    }

    private func end(_ scope: Scope, _ form: ReasonForm, _ write: WriteRequest) async throws {
        let command = EndFreeze(of: scope, reason: form.reason, by: write.caller.principal)
        try await useCases.perform(command, write)
    }

    private func plan(
        _ scope: Scope,
        _ form: FreezePlanForm,
        _ write: WriteRequest
    ) async throws -> FreezePlanAnswer {
        let (window, reason) = (form.window, form.reason)
        let command = PlanFreeze(of: scope, window, reason: reason, by: write.caller.principal)
        return try await useCases.perform(command, write) { planned, isCommitted in
            FreezePlan(planned).map { FreezePlanAnswer($0, isCommitted: isCommitted) }
        }.view
    }

    private func cancel(
        _ plan: Position,
        of scope: Scope,
        _ form: ReasonForm,
        _ write: WriteRequest
    ) async throws {
        let by = write.caller.principal
        let command = CancelFreezePlan(plan, of: scope, reason: form.reason, by: by)
        try await useCases.perform(command, write)
    }
}

/// `/v1/reviews`: what was done in a hurry is looked at again.
struct ReviewController {
    let useCases: UseCases

    var handlers: [EndpointHandler<CallerContext>] {
        [
            .read(Endpoints.listReviews) { call in
                var query = call.query
                let (wanted, question) = try query.reviews(most: call.facts.limitMaximum)
                let page = try await naming { () async throws(UseCaseError) in
                    try await useCases.reviews(wanted, for: call.caller)
                }
                return ReviewList(
                    reviews: page.elements,
                    next: page.next.map { Cursor(after: $0.rawValue, of: question).text }
                )
            },
            .read(Endpoints.getReview) { call in
                try await useCases.review(try call.names(), for: call.caller)
            },
            .write(Endpoints.closeReview) { call in
                try await useCases.closeReview(call.names, call.form.verdict, call.write)
            },
        ]
    }
}

extension QueryReader {
    fileprivate mutating func reviews(
        most maximum: Int
    ) throws(Problem) -> (ReviewQuery, question: [String]) {
        var reviews = ReviewQuery()
        reviews.apps = all("app", "an app's slug", AppSlug.init)
        reviews.owners = all("owner", "a principal's id", PrincipalID.init)
        reviews.isOverdue = one("overdue", "true or false", Bool.init)
        reviews.isClosed = one("closed", "true or false", Bool.init) ?? false
        reviews.limit = limit(reviews.limit, most: maximum)
        let question = reviews.question
        reviews.after = cursor(of: question).flatMap(Position.init(rawValue:))
        try finish()
        return (reviews, question)
    }
}

extension ReviewQuery {
    /// What chooses and orders the reviews.
    fileprivate var question: [String] {
        ["reviews", "overdue=\(isOverdue.map(String.init) ?? "")"]
            + (isClosed ? ["closed"] : []) + apps.map { "app=\($0)" }.sorted()
            + owners.map { "owner=\($0)" }.sorted()
    }
}
