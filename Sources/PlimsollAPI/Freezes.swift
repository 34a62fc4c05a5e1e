package import PlimsollDomain
package import PlimsollJSON

extension Endpoints {
    static let freezes: [any EndpointDeclaration] = [
        freezeApp, thawApp, freezeAll, thawAll, getFreeze, getFreezeOfAll, planFreeze,
        planFreezeOfAll, cancelFreezePlan, cancelFreezePlanOfAll,
    ]

    package static let freezeApp = Write<AppSlug, MandatoryReasonForm, FreezeAnswer>(
        .post("freezeApp", "/v1/apps/{app}/freeze"),
        "Freeze an app: nothing is applied but rollbacks and emergencies.",
        takes: "FreezeOrder"
    )

    package static let thawApp = Write<AppSlug, ReasonForm, DryRunAnswer>(
        .delete("thawApp", "/v1/apps/{app}/freeze"),
        "Allow changes of an app to be applied again.",
        takes: "Thaw"
    )

    package static let freezeAll = Write<NoNames, MandatoryReasonForm, FreezeAnswer>(
        .post("freezeAll", "/v1/freeze"),
        "Freeze all apps: nothing is applied but rollbacks and emergencies.",
        takes: "FreezeOrder"
    )

    package static let thawAll = Write<NoNames, ReasonForm, DryRunAnswer>(
        .delete("thawAll", "/v1/freeze"),
        "End the freeze of all apps.",
        takes: "Thaw"
    )

    package static let getFreeze = Read<AppSlug, FreezesAnswer>(
        .get("getFreeze", "/v1/apps/{app}/freeze"),
        "What freezes an app now, and what is planned to."
    )

    package static let getFreezeOfAll = Read<NoNames, FreezesAnswer>(
        .get("getFreezeOfAll", "/v1/freeze"),
        "What freezes all apps now, and what is planned to."
    )

    package static let planFreeze = Write<AppSlug, FreezePlanForm, FreezePlanAnswer>(
        .post("planFreeze", "/v1/apps/{app}/freeze/plans"),
        "Plan a freeze of an app ahead."
    )

    package static let planFreezeOfAll = Write<NoNames, FreezePlanForm, FreezePlanAnswer>(
        .post("planFreezeOfAll", "/v1/freeze/plans"),
        "Plan a freeze of all apps ahead."
    )

    package static let cancelFreezePlan = Write<AppPosition, ReasonForm, DryRunAnswer>(
        .delete("cancelFreezePlan", "/v1/apps/{app}/freeze/plans/{position}"),
        "Take back a freeze of an app that is planned; only tried, it says so.",
        takes: "Thaw"
    )

    package static let cancelFreezePlanOfAll = Write<Position, ReasonForm, DryRunAnswer>(
        .delete("cancelFreezePlanOfAll", "/v1/freeze/plans/{position}"),
        "Take back a freeze of all apps that is planned; only tried, it says so.",
        takes: "Thaw"
    )
}

/// What does not change for now, since when, who wanted it, and why.
package struct FreezeAnswer: Answer, Shaped {
    /// `nil` is every app.
    package let app: AppSlug?
    package let by: PrincipalID
    package let since: Instant
    /// When it ends by itself, where it was planned.
    package let until: Instant?
    package let reason: Reason?

    package init(
        app: AppSlug?,
        by: PrincipalID,
        since: Instant,
        until: Instant? = nil,
        reason: Reason?
    ) {
        self.app = app
        self.by = by
        self.since = since
        self.until = until
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "Freeze",
        Self.init(app:by:since:until:reason:),
        .nullable("app", \.app, .slug),
        .required("by", \.by, .principal),
        .required("since", \.since, .instant),
        .nullable("until", \.until, .instant),
        .nullable("reason", \.reason, .reason)
    ).withDryRun
}

/// The body of `POST /v1/apps/{app}/freeze/plans` and of `POST /v1/freeze/plans`.
///
/// ```json
/// {"from": "2027-05-28T18:00", "until": "2027-06-01T09:00", "timeZone": "Europe/London",
///  "reason": "The long weekend"}
/// ```
/// Times are written as in a schedule.
package struct FreezePlanForm: Form, Shaped {
    package let window: FreezeWindow
    package let reason: Reason

    package init(window: FreezeWindow, reason: Reason) {
        self.window = window
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "FreezePlanOrder",
        byHand: [
            .required("from", .writtenTime), .required("until", .writtenTime),
            .optional("timeZone", .timeZone), .required("reason", .reason),
        ]
    )

    package init?(_ reader: inout ObjectReader) {
        let zone = reader.timeZone()
        let from = reader.neededTime("from", in: zone)
        let until = reader.neededTime("until", in: zone)
        let reason = reader.member("reason", .reason)
        guard let from, let until, let reason else { return nil }
        let name = zone.name ?? .utc
        self.init(window: FreezeWindow(from: from, until: until, timeZone: name), reason: reason)
    }

    package var json: JSONObject {
        var json = window.json
        json["reason"] = .string(reason.text)
        return json
    }
}

extension FreezeWindow {
    package static let shape = Shape<Self>(
        nil,
        Self.init(from:until:timeZone:),
        .required("from", \.from, .instant),
        .required("until", \.until, .instant),
        .required("timeZone", \.timeZone, .timeZone)
    )

    package var json: JSONObject { Self.shape.json(self) }
}

/// A freeze that is planned.
package struct FreezePlanAnswer: Answer, Shaped {
    /// The position of the event that planned it, by which it is named; `nil` in a dry run.
    package let plan: Position?
    /// `nil` is every app.
    package let app: AppSlug?
    package let window: FreezeWindow
    package let by: PrincipalID
    package let reason: Reason?

    package init(
        plan: Position?,
        app: AppSlug?,
        window: FreezeWindow,
        by: PrincipalID,
        reason: Reason?
    ) {
        (self.plan, self.app, self.window) = (plan, app, window)
        (self.by, self.reason) = (by, reason)
    }

    package static let shape = Shape<Self>(
        "FreezePlan",
        Self.init(plan:app:window:by:reason:),
        .nullable("plan", \.plan, .position),
        .nullable("app", \.app, .slug),
        .part(\.window, FreezeWindow.shape),
        .required("by", \.by, .principal),
        .nullable("reason", \.reason, .reason)
    )
    .telling(
        .nullable("fromLocal", \.fromLocal, .localTime),
        .nullable("untilLocal", \.untilLocal, .localTime)
    )
    .withDryRun

    /// As the clocks of the zone show them.
    private var fromLocal: String? { ZoneClock(window.timeZone)?.text(window.from) }
    private var untilLocal: String? { ZoneClock(window.timeZone)?.text(window.until) }
}

/// What freezes an app, or everything, now, and what is planned to, soonest first.
package struct FreezesAnswer: Answer, Shaped {
    package let freeze: FreezeAnswer?
    package let plans: [FreezePlanAnswer]

    package init(freeze: FreezeAnswer?, plans: [FreezePlanAnswer]) {
        self.freeze = freeze
        self.plans = plans
    }

    package static let shape = Shape<Self>(
        "Freezes",
        Self.init(freeze:plans:),
        .nullable("freeze", \.freeze, .object(FreezeAnswer.shape)),
        .required("plans", \.plans, .objects(FreezePlanAnswer.shape))
    )
}
