/// Objections to what a freeze forbids, and to freezes themselves.
extension Objection {
    package static func frozen(_ freeze: Freeze) -> Objection {
        Objection(
            .conflict,
            "\(freeze.scope == .all ? "Everything is" : "The app is") frozen since \(freeze.since),"
                + " by \(freeze.by)\(freeze.end): only rollbacks and emergencies apply.",
            remedy: "Wait for the end of the freeze, end it, or act as in an emergency.",
            subject: .freeze
        )
    }

    /// The app has no freeze of its own to end; everything is frozen.
    package static func frozenElsewhere(_ freeze: Freeze) -> Objection {
        Objection(
            .conflict,
            "The app has no freeze of its own: everything is frozen since \(freeze.since), by"
                + " \(freeze.by)\(freeze.end).",
            remedy:
                "Ask a responder or an administrator for all apps to end the freeze of everything."
        )
    }

    package static func freezePassed(_ from: Instant, now: Instant) -> Objection {
        Objection(
            .invalid,
            at: "/from",
            "The freeze would begin at \(from), which is not after \(now).",
            remedy: "Choose a later time, or freeze at once (plimsoll freeze on)."
        )
    }

    package static func freezeEndsFirst(_ window: FreezeWindow) -> Objection {
        Objection(
            .invalid,
            at: "/until",
            "The freeze would end at \(window.until), which is not after its beginning at"
                + " \(window.from).",
            remedy: "Choose an end behind the beginning."
        )
    }

    package static func freezeTooFar(_ instant: Instant, latest: Instant) -> Objection {
        Objection(
            .invalid,
            at: "/from",
            "\(instant) is too far ahead; \(latest) is the latest.",
            remedy: "Choose another time."
        )
    }

    package static func freezesOverlap(_ plan: FreezePlan) -> Objection {
        Objection(
            .conflict,
            at: "/from",
            "A freeze is planned already from \(plan.window.from) until \(plan.window.until), by"
                + " the event \(plan.id).",
            remedy: "Choose another time, or cancel the freeze that is planned."
        )
    }

    package static func freezePlansFull(maximum: Int) -> Objection {
        Objection(
            .conflict,
            "\(maximum) freezes are planned already, which is the most.",
            remedy: "Cancel one of them."
        )
    }

    package static func freezePlanUnknown(_ id: Position) -> Objection {
        Objection(
            .unknown,
            "The event \(id) plans no freeze here that lies ahead.",
            remedy: "Look at what is planned, with GET or plimsoll freeze show."
        )
    }

    /// It is in force, and can only be ended.
    package static func freezePlanStarted(_ plan: FreezePlan) -> Objection {
        Objection(
            .conflict,
            "The freeze that the event \(plan.id) planned is in force since \(plan.window.from).",
            remedy: "End the freeze, with DELETE or plimsoll freeze off."
        )
    }
}
