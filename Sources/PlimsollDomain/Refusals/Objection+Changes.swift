/// Objections to proposing a change, to its schedule and to what else becomes of it.
extension Objection {
    package static func changeUnknown(_ id: ChangeID) -> Objection {
        Objection(
            .unknown,
            "There is no change \(id).",
            remedy: "List the changes to see what there is.",
            subject: .moment
        )
    }

    package static func changeClosed(_ id: ChangeID, _ state: ChangeState) -> Objection {
        Objection(
            .conflict,
            "Change \(id) is already \(state.rawValue).",
            remedy: "Propose a new change.",
            subject: .decided
        )
    }

    package static func baseAhead(base: Position, head: Position) -> Objection {
        Objection(
            .invalid,
            at: "/base",
            "The change is based on position \(base), but the log ends at \(head).",
            remedy: "Read the document and send the position it has."
        )
    }

    package static func changedSince(
        _ field: Field,
        _ write: FieldWrite,
        base: Position
    ) -> Objection {
        Objection(
            .conflict,
            at: "/base",
            "\(field) was changed at position \(write.position) by \(write.actor)"
                + (write.reason.map { " (\($0.text))" } ?? "")
                + ", after the position \(base) this change is based on.",
            remedy:
                "Read the document again; then propose on what is live, or revise the change and"
                + " resolve the field: mine for what the change says, theirs for what is live.",
            subject: .conflict(field)
        )
    }

    package static func digestDiffers(
        _ id: ChangeID,
        seen: ChangeDigest,
        current: ChangeDigest
    ) -> Objection {
        Objection(
            .stale,
            "Change \(id) now has the digest \(current); what you saw had \(seen).",
            remedy: "Read the change again and send the digest it has now."
        )
    }

    /// An open change of the same author from the same source says the same.
    package static func proposedAlready(_ id: ChangeID) -> Objection {
        Objection(
            .noOperation,
            "Your change \(id) from the same source says this already.",
            remedy: "Have that one approved.",
            subject: .known(id)
        )
    }

    package static func notTheAuthor(_ id: ChangeID) -> Objection {
        Objection(
            .forbidden,
            "Only its author can withdraw change \(id).",
            remedy: "Reject the change instead, if you are an approver."
        )
    }

    package static func openChangesFull(_ slug: AppSlug, maximum: Int) -> Objection {
        Objection(
            .conflict,
            "The app \(slug) has \(maximum) changes that wait to be decided, and may have no more.",
            remedy: "Have some of them approved, rejected or withdrawn."
        )
    }

    package static func ownChangesFull(_ slug: AppSlug, maximum: Int) -> Objection {
        Objection(
            .tooMuch,
            "\(maximum) changes of yours for the app \(slug) are open, which is the most.",
            remedy: "Withdraw some, or have them approved or rejected."
        )
    }

    package static func commentsFull(_ id: ChangeID, maximum: Int) -> Objection {
        Objection(
            .conflict,
            "Change \(id) has \(maximum) comments, and may have no more.",
            remedy: "Decide on the change, or propose a new one."
        )
    }

    package static func changesWanted(_ id: ChangeID) -> Objection {
        Objection(
            .conflict,
            "A reviewer asked for something else in change \(id).",
            remedy: "Revise the change; then it can be approved again."
        )
    }

    package static func notDue(_ id: ChangeID, _ at: Instant) -> Objection {
        Objection(
            .conflict,
            "Change \(id) is to be applied on \(at), not before.",
            remedy: "Wait, or take its schedule away and have it approved again."
        )
    }

    package static func timeOver(_ id: ChangeID, _ until: Instant) -> Objection {
        Objection(
            .conflict,
            "Change \(id) was to end on \(until), which has passed.",
            remedy: "Give it another time, or take its schedule away."
        )
    }

    /// Another change, whose fields it would write, goes back before it does.
    package static func outlives(
        _ running: ChangeID,
        _ until: Instant,
        at pointer: Pointer?
    ) -> Objection {
        Objection(
            .conflict,
            at: pointer,
            "Change \(running) holds some of its fields until \(until), and it is to end no sooner:"
                + " its end would bring back for good what change \(running) had put there.",
            remedy:
                "Wait until change \(running) has ended, or let this one end sooner, or leave its"
                + " end out."
        )
    }

    /// It would write what another change had put there and takes back, which decides nothing.
    package static func fieldEnds(
        _ field: Field,
        _ running: ChangeID,
        _ until: Instant,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .conflict,
            at: pointer,
            "\(field) is as this needs it only until \(until), when change \(running) takes it back: it"
                + " would not stay.",
            remedy:
                "Leave that edit out, or wait until change \(running) has ended, or take that one back,"
                + " with plimsoll revert, and do this again at once."
        )
    }

    package static var scheduleEmpty: Objection {
        Objection(
            .invalid,
            at: "/schedule",
            "The schedule has neither a beginning nor an end.",
            remedy: "Give at, until or both, or leave the schedule out."
        )
    }

    package static func schedulePassed(
        _ instant: Instant,
        now: Instant,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "\(instant) is not after \(now).",
            remedy: "Choose another time."
        )
    }

    /// The schedule that a revision keeps is over.
    package static func keptSchedulePassed(_ id: ChangeID, _ instant: Instant) -> Objection {
        Objection(
            .invalid,
            at: "/schedule",
            "The revision keeps the schedule of change \(id), and its time \(instant) has passed.",
            remedy: "Revise it with a schedule that lies ahead, or take its schedule away first."
        )
    }

    package static func scheduleTooFar(_ instant: Instant, latest: Instant) -> Objection {
        Objection(
            .invalid,
            at: "/schedule",
            "\(instant) is too far ahead; \(latest) is the latest.",
            remedy: "Choose another time."
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let changeCommands: [String: NextCommand] = [
        "changeUnknown": .command("plimsoll changes"),
        "changeClosed": .command("plimsoll changes"),
        "baseAhead": .command("plimsoll get"),
        "changedSince": .ofChange(otherwise: "plimsoll get"),
        "digestDiffers": .ofChange(otherwise: "plimsoll changes"),
    ]
}
