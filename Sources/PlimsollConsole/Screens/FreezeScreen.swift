import Hummingbird
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What is frozen and what will be, of one app or of all: by whom, since when, until when and why.
enum FreezeScreen {
    static let routes: [Route] = ["", "/apps/:app"].flatMap { place in
        [
            .page("\(place)/freeze", page),
            act("\(place)/freeze/start", "freeze-start", start),
            act("\(place)/freeze/end", "freeze-end", end),
            act("\(place)/freeze/plan", "freeze-plan", plan),
            act("\(place)/freeze/plans/:position/cancel", "freeze-cancel", cancel),
        ]
    }

    private static func act(
        _ path: String,
        _ done: String,
        _ act: @escaping @Sendable (Visit, AppSlug?) async throws -> Void
    ) -> Route {
        .act(path, on: page) { visit in
            let app = try visit.appIfNamed
            try await act(visit, app)
            return .moved(to: "\(address(of: app))?done=\(done)")
        }
    }

    static func address(of app: AppSlug?) -> String {
        app.map { "/apps/\($0)/freeze" } ?? "/freeze"
    }

    private static func start(_ visit: Visit, _ app: AppSlug?) async throws {
        let form = MandatoryReasonForm(reason: try visit.reason("reason"))
        _ = try await visit.rest.call(
            Endpoints.freezeApp,
            app,
            else: Endpoints.freezeAll,
            NoNames(),
            form,
            visit.write
        )
    }

    private static func end(_ visit: Visit, _ app: AppSlug?) async throws {
        let form = ReasonForm(reason: try visit.optional("thawReason", Reason.init(validating:)))
        try await visit.rest.call(
            Endpoints.thawApp,
            app,
            else: Endpoints.thawAll,
            NoNames(),
            form,
            visit.write
        )
    }

    private static func plan(_ visit: Visit, _ app: AppSlug?) async throws {
        let json: JSONObject = [
            "from": .string(try visit.needed("from") { $0 }),
            "until": .string(try visit.needed("until") { $0 }),
            "timeZone": JSONValue(visit.form["timeZone"]),
            "reason": .string(try visit.reason("planReason").text),
        ]
        _ = try await visit.rest.call(
            Endpoints.planFreeze,
            app,
            else: Endpoints.planFreezeOfAll,
            NoNames(),
            try visit.read(FreezePlanForm.self, json),
            visit.write
        )
    }

    private static func cancel(_ visit: Visit, _ app: AppSlug?) async throws {
        let plan = try visit.parameter("position", Position.init(typed:))
        try await visit.rest.call(
            Endpoints.cancelFreezePlan,
            app.map { AppPosition($0, plan) },
            else: Endpoints.cancelFreezePlanOfAll,
            plan,
            ReasonForm(),
            visit.write
        )
    }

    static func page(_ visit: Visit) async throws -> Page {
        let (app, names) = (try visit.appIfNamed, try await visit.names())
        let freezes =
            if let app {
                try await visit.rest.call(Endpoints.getFreeze, app)
            } else {
                try await visit.rest.call(Endpoints.getFreezeOfAll)
            }
        let apps = app == nil ? try await visit.rest.call(Endpoints.listApps).apps : []
        var page = Page(
            "freeze",
            app.map { visit.language("freezes.ofApp", ["app": $0]) }
                ?? visit.language["freezes.ofAll"]
        )
        page.fields = visit.fields(of: freezes, app, names)
        page.fields["may"] = visit.offers.fields(in: app.map(Scope.app) ?? .all)
        page.fields["apps"] = apps.map { visit.freezeRow(of: $0, names) }
        page.fields["hasApps"] = !apps.isEmpty
        return page
    }
}

extension Visit {
    /// The app of an address that is of one app or of all.
    var appIfNamed: AppSlug? {
        get throws { context.parameters.get("app") == nil ? nil : try app }
    }

    fileprivate func fields(
        of freezes: FreezesAnswer,
        _ app: AppSlug?,
        _ names: Names
    ) -> Fields {
        let ahead = freezes.plans.filter { now < $0.window.from }
        return Fields(all: [
            "app": app?.text, "place": FreezeScreen.address(of: app),
            "freeze": freezes.freeze.map { fields(of: $0, names) },
            "isEndedHere": freezes.freeze.map { $0.app == app },
            "isFree": freezes.freeze == nil, "isNothingPlanned": ahead.isEmpty,
            "plans": ahead.map { fields(of: $0, names) },
            "startReason": form["reason"], "planReason": form["planReason"],
            "thawReason": form["thawReason"], "typedFrom": form["from"],
            "typedUntil": form["until"],
            "timeZone": form["timeZone"] ?? "UTC",
        ])
    }

    private func fields(of plan: FreezePlanAnswer, _ names: Names) -> Fields {
        let clock = ZoneClock(plan.window.timeZone)
        let mayCancel = offers.mayFreeze(in: plan.app.map(Scope.app) ?? .all)
        return Fields(all: [
            "plan": plan.plan?.description, "by": names(plan.by), "reason": plan.reason?.text,
            "from": time(plan.window.from), "until": time(plan.window.until),
            "fromShown": clock?.shown(plan.window.from),
            "untilShown": clock?.shown(plan.window.until), "isOfAll": plan.app == nil,
            "cancel": plan.plan.flatMap {
                mayCancel ? "\(FreezeScreen.address(of: plan.app))/plans/\($0)/cancel" : nil
            },
        ])
    }

    fileprivate func freezeRow(of app: AppAnswer, _ names: Names) -> Fields {
        Fields(all: [
            "slug": app.slug.text, "name": app.settings.name.text,
            "freeze": app.freeze.map { fields(of: $0, names) },
            "planned": app.freezePlans.count { now < $0.window.from },
        ])
    }
}
