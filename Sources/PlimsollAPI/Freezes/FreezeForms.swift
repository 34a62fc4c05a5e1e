package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/freeze` and of `POST /v1/freeze`.
package struct FreezeForm: Form {
    package let reason: Reason

    package init(reason: Reason) { self.reason = reason }

    package init?(_ reader: inout ObjectReader) {
        guard let reason = reader.reason("reason") else { return nil }
        self.init(reason: reason)
    }

    package var json: JSONObject { ["reason": .string(reason.text)] }
}

/// What does not change for now, since when, who wanted it, and why.
package struct FreezeAnswer: Answer {
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

    package init?(_ reader: inout ObjectReader) {
        let app = reader.optionalString("app", needing: "an app's slug") { AppSlug($0) }
        let by = reader.principal("by")
        let since = reader.instant("since")
        let until = reader.optionalInstant("until")
        let reason = reader.optionalReason("reason")
        guard let by, let since else { return nil }
        self.init(app: app, by: by, since: since, until: until, reason: reason)
    }

    package var json: JSONObject {
        [
            "app": JSONValue(app?.text),
            "by": .string(by.text),
            "since": JSONValue(since),
            "until": JSONValue(until),
            "reason": JSONValue(reason?.text),
        ]
    }
}

/// The body of `POST /v1/apps/{app}/freeze/plans` and of `POST /v1/freeze/plans`.
///
/// ```json
/// {"from": "2026-12-23T18:00", "until": "2027-01-02T09:00", "timeZone": "Europe/London",
///  "reason": "The holidays"}
/// ```
/// Times are written as in a schedule.
package struct FreezePlanForm: Form {
    package let window: FreezeWindow
    package let reason: Reason

    package init(window: FreezeWindow, reason: Reason) {
        self.window = window
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let zone = reader.timeZone()
        let from = reader.neededTime("from", in: zone)
        let until = reader.neededTime("until", in: zone)
        let reason = reader.reason("reason")
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
    package var json: JSONObject {
        [
            "from": JSONValue(from), "until": JSONValue(until),
            "timeZone": .string(timeZone.text),
        ]
    }
}

/// A freeze that is planned.
package struct FreezePlanAnswer: Answer {
    /// The position of the event that planned it, by which it is named; `nil` where it was only tried.
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

    package init?(_ reader: inout ObjectReader) {
        let plan = reader.optionalPosition("plan")
        let app = reader.optionalString("app", needing: "an app's slug") { AppSlug($0) }
        let from = reader.instant("from")
        let until = reader.instant("until")
        let zone = reader.string("timeZone", needing: TimeZoneName.grammar, TimeZoneName.init)
        let by = reader.principal("by")
        let reason = reader.optionalReason("reason")
        guard let from, let until, let zone, let by else { return nil }
        let window = FreezeWindow(from: from, until: until, timeZone: zone)
        self.init(plan: plan, app: app, window: window, by: by, reason: reason)
    }

    package var json: JSONObject {
        let clock = ZoneClock(window.timeZone)
        var json = window.json
        json["fromLocal"] = JSONValue(clock?.text(window.from))
        json["untilLocal"] = JSONValue(clock?.text(window.until))
        json["plan"] = JSONValue(plan)
        json["app"] = JSONValue(app?.text)
        json["by"] = .string(by.text)
        json["reason"] = JSONValue(reason?.text)
        return json
    }
}

/// What freezes an app, or everything, now, and what is planned to, soonest first.
package struct FreezesAnswer: Answer {
    package let freeze: FreezeAnswer?
    package let plans: [FreezePlanAnswer]

    package init(freeze: FreezeAnswer?, plans: [FreezePlanAnswer]) {
        self.freeze = freeze
        self.plans = plans
    }

    package init?(_ reader: inout ObjectReader) {
        let freeze = reader.optionalNested("freeze", FreezeAnswer.init)
        guard let plans = reader.objects("plans", .ignored, FreezePlanAnswer.init) else {
            return nil
        }
        self.init(freeze: freeze, plans: plans)
    }

    package var json: JSONObject {
        ["freeze": freeze.map { .object($0.json) } ?? .null, "plans": JSONValue(plans)]
    }
}
