import PlimsollAPI
import PlimsollDomain

/// What an approver has to know of a change beside its effect: whom it stops, and what is ahead.
extension Visit {
    func outlook(on change: ChangeAnswer, _ app: AppAnswer?, _ names: Names) -> Fields {
        let ahead = (app?.freezePlans ?? []).filter { now < $0.window.from }
        return Fields(all: [
            // With heads of its own: those of the effect stay what they are.
            "share": [
                "blocked": fields(of: change.blocked), "fromName": language["table.live"],
                "toName": language["table.proposedValue"],
            ] as Fields,
            "notes": change.notes.map {
                ["platform": $0.platform.name, "detail": wording(names)($0.detail, as: .note)]
            },
            "hasNotes": !change.notes.isEmpty,
            "overtaken": change.overtaken.map(\.description),
            "isOvertaking": !change.overtaken.isEmpty,
            "endsBefore": change.course.endsBefore.map(\.description),
            "isOnEnding": !change.course.endsBefore.isEmpty,
            "slug": change.summary.app.text,
            "freeze": app?.freeze.map { fields(of: $0, names) },
            "planned": ahead.map { fields(ofPlanned: $0, names) },
            "freezeAtTime": change.course.freezeAtTime.map { fields(ofPlanned: $0, names) },
            "missingAtTime": change.course.missingAtTime.map { missing in
                [
                    "words": wording(names)(missing.requirement),
                    "have": missing.have, "need": missing.requirement.count,
                ]
            },
            "scheduling": scheduling(of: change),
        ])
    }

    /// When a change comes into force and ends: in UTC, and as the clocks of its zone show it.
    func fields(of schedule: Schedule) -> Fields {
        let clock = ZoneClock(schedule.timeZone)
        return Fields(all: [
            "starts": schedule.at.map { moment($0, clock) },
            "ends": schedule.until.map { moment($0, clock) },
        ])
    }

    private func moment(_ instant: Instant, _ clock: ZoneClock?) -> Fields {
        time(instant).merging(Fields(all: ["shown": clock?.shown(instant)])) { $1 }
    }

    private func fields(ofPlanned plan: FreezePlanAnswer, _ names: Names) -> Fields {
        let clock = ZoneClock(plan.window.timeZone)
        return Fields(all: [
            "plan": plan.plan?.description, "planner": names(plan.by), "why": plan.reason?.text,
            "starts": moment(plan.window.from, clock), "ends": moment(plan.window.until, clock),
        ])
    }

    /// The form that gives the change another time; what a reviewer wants otherwise has none yet.
    private func scheduling(of change: ChangeAnswer) -> Fields? {
        guard offers.has(.proposer, in: .app(change.summary.app)) else { return nil }
        switch change.summary.state {
        case .proposed, .approved, .scheduled, .suspended:
            let live = change.summary.schedule
            let at = live?.atLocal ?? live?.at?.rfc3339
            let until = live?.untilLocal ?? live?.until?.rfc3339
            let isTyped = form.has("at")
            return [
                "startsText": (isTyped ? form["at"] : at) ?? "",
                "endsText": (isTyped ? form["until"] : until) ?? "",
                "zone": form["zone"] ?? live?.timeZone.text ?? TimeZoneName.utc.text,
                "isTyped": isTyped,
            ]
        case .changesRequested, .applied, .rejected, .withdrawn: return nil
        }
    }
}
