/// Objections to acting alone, and to the reviews of that.
extension Objection {
    /// Only a responder acts alone, but the principal may propose it.
    package static func proposeInstead(_ slug: AppSlug) -> Objection {
        Objection(
            .forbidden,
            "To act at once needs the role responder for the app \(slug).",
            remedy: "Propose the same edits, which you may; an approver then applies them."
        )
    }

    package static func wouldLower(
        _ field: Field,
        _ before: VersionValue,
        _ after: VersionValue
    ) -> Objection {
        Objection(
            .invalid,
            at: "/below",
            "\(field) is \(before) already; \(after) would lower it and let versions run that do"
                + " not run now.",
            remedy: "To lower a minimum, propose it or roll back.",
            subject: .higher
        )
    }

    package static func blocksNobody(_ version: VersionValue) -> Objection {
        Objection(
            .invalid,
            at: "/below",
            "No version is below \(version).",
            remedy: "Name the oldest version that still works."
        )
    }

    /// What a block asks for stands there until a change ends.
    package static func minimumEnds(_ running: ChangeID, _ until: Instant) -> Objection {
        Objection(
            .conflict,
            at: "/below",
            "Change \(running) has put this minimum there, and takes it back on \(until): what it blocks"
                + " would run again.",
            remedy:
                "Take change \(running) back, with plimsoll revert, and block again at once: then it"
                + " stays."
        )
    }

    /// What a block asks for, or more, stands there until a change comes due.
    package static func minimumFalls(
        _ change: ChangeID,
        below version: VersionValue,
        _ at: Instant
    ) -> Objection {
        Objection(
            .conflict,
            at: "/below",
            "Versions below \(version) are blocked already, but change \(change) is approved, and lets them"
                + " run again on \(at).",
            remedy:
                "Freeze the app, with plimsoll freeze on, until change \(change) is withdrawn or rejected:"
                + " nothing comes due in a freeze."
        )
    }

    /// What a block asks for stood there before, and offers ask for as much until a change ends.
    package static func offersEnd(
        _ field: Field,
        _ running: ChangeID,
        _ until: Instant
    ) -> Objection {
        Objection(
            .conflict,
            at: "/below",
            "The minimum stands already, but \(field) asks for as much only until \(until), when change"
                + " \(running) takes it back: what this blocks may run again.",
            remedy:
                "Set other offers that ask for enough, with plimsoll emergency: they stay. Or take change"
                + " \(running) back, with plimsoll revert, and block again at once; versions may run in"
                + " between."
        )
    }

    package static func reviewUnknown(_ position: Position) -> Objection {
        Objection(
            .unknown,
            "There is no open review \(position).",
            remedy: "List the reviews to see what there is."
        )
    }

    package static func ownReview(_ position: Position, reviewers: [PrincipalID]) -> Objection {
        Objection(
            .forbidden,
            "Review \(position) is of what you did yourself.",
            remedy: asking(reviewers)
        )
    }

    package static func reviewOfBenefactor(
        _ position: Position,
        reviewers: [PrincipalID]
    ) -> Objection {
        Objection(
            .forbidden,
            "Review \(position) is of somebody who created you, or gave you a role or a token.",
            remedy: asking(reviewers)
        )
    }

    private static func asking(_ reviewers: [PrincipalID]) -> String {
        reviewers.isEmpty
            ? "Nobody may close it yet: it needs somebody who was not let in by whoever acted."
            : "Ask one of \(reviewers.map(\.text).joined(separator: ", "))."
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let emergencyCommands: [String: NextCommand] = [
        "reviewUnknown": .command("plimsoll reviews")
    ]
}
