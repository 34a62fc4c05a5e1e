/// Objections to approvals, and to changes that still need some.
extension Objection {
    package static func ownWork(_ id: ChangeID) -> Objection {
        Objection(
            .forbidden,
            "You are the author of change \(id); somebody else has to decide.",
            remedy: "Ask somebody who owes the author nothing."
        )
    }

    package static func contributed(_ id: ChangeID) -> Objection {
        Objection(
            .forbidden,
            "You had a hand in change \(id), so you cannot decide on it.",
            remedy: "Ask somebody who had no hand in it."
        )
    }

    package static func dependsOnAuthor(_ id: ChangeID) -> Objection {
        Objection(
            .forbidden,
            "Somebody who had a hand in change \(id), as its author or by counting devices"
                + " meanwhile, created you, or gave you a role or a token, so you cannot decide on"
                + " it.",
            remedy: "Ask somebody who owes the author nothing."
        )
    }

    package static func authorDepends(_ id: ChangeID) -> Objection {
        Objection(
            .forbidden,
            "You let the author of change \(id) in, or gave them a role or a token, so you cannot"
                + " decide on it.",
            remedy: "Ask somebody who did not let the author in."
        )
    }

    package static func notAskedToApprove(
        _ id: ChangeID,
        _ kind: ChangeKind,
        _ requirement: ApprovalRequirement
    ) -> Objection {
        Objection(
            .forbidden,
            "Change \(id) falls under the rule \(kind.rawValue), which needs"
                + " \(requirement.words()), and you are not one of them.",
            remedy: "Ask for \(requirement.words())."
        )
    }

    package static func approvedAlready(_ id: ChangeID) -> Objection {
        Objection(
            .noOperation,
            "You have approved change \(id) as it is already.",
            remedy: "Wait for the others, or look at what the change still needs."
        )
    }

    package static func approvalsMissing(_ id: ChangeID, _ missing: MissingApproval) -> Objection {
        Objection(
            .conflict,
            "Change \(id) falls under the rule \(missing.kind.rawValue), which needs"
                + " \(missing.requirement.words()), and has \(missing.have).",
            remedy: "Ask for \(missing.rest)."
        )
    }

    package static func checkRefused(
        _ finding: CheckFinding,
        overridableBy role: Role?
    ) -> Objection {
        Objection(
            .invalid,
            at: "/operations",
            "The check \(finding.check.rawValue) refuses it: \(finding.sentence)",
            remedy: role.map {
                "Mend it, or ask somebody in the role \($0.rawValue) to override the check with a"
                    + " reason."
            } ?? "Mend it; the policy lets nobody override this check."
        )
    }

    /// Devices were counted anew since somebody looked.
    package static func countsDiffer(
        _ id: ChangeID,
        _ platform: Platform,
        seen: Position,
        current: Position
    ) -> Objection {
        Objection(
            .stale,
            at: "/counted",
            "Devices on \(platform.rawValue) were counted anew by event \(current) since you looked"
                + " at change \(id), which was judged by "
                + (seen == .start ? "no count." : "the count of event \(seen)."),
            remedy: "Look at the change again: what it blocks may be something else by now."
        )
    }

    /// The policy counts only signed approvals of those that they may give.
    package static func signatureNeeded(_ id: ChangeID) -> Objection {
        Objection(
            .invalid,
            at: "/signature",
            "The policy counts approvals of change \(id) only where whoever gives one signs it.",
            remedy: "Approve it again with --sign-with and the file of a key of yours."
        )
    }

    package static func signatureRefused(_ fault: SignatureFault) -> Objection {
        Objection(
            .invalid,
            at: fault.pointer,
            fault.sentence,
            remedy: fault.remedy
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let approvalCommands: [String: NextCommand] = [
        "notAskedToApprove": .ofChange(otherwise: "plimsoll changes"),
        "approvalsMissing": .ofChange(otherwise: "plimsoll changes"),
        "signatureNeeded": .command("plimsoll change approve --help"),
        "signatureRefused": .command("plimsoll identity list"),
    ]
}
