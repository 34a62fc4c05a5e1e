/// Objections to who somebody is, and to what they may do.
extension Objection {
    package static func principalUnknown(_ id: PrincipalID) -> Objection {
        Objection(
            .invalid,
            at: "/principal",
            "There is no principal \(id).",
            remedy: "List the principals to see whom there is."
        )
    }

    /// The same where the address names them.
    package static func nobodyKnown(_ id: PrincipalID) -> Objection {
        Objection(
            .unknown,
            "There is no principal \(id).",
            remedy: "List the principals to see whom there is."
        )
    }

    package static func personUnknown(_ id: PrincipalID, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "There is no principal \(id).",
            remedy: "List the principals to see who there is."
        )
    }

    package static func tokenUnknown(_ id: TokenID) -> Objection {
        Objection(
            .unknown,
            "There is no valid token \(id).",
            remedy: "List the tokens to see what there is."
        )
    }

    package static func sessionUnknown(_ id: SessionID) -> Objection {
        Objection(
            .unknown,
            "There is no session \(id) that you may end.",
            remedy: "List the sessions to see what there is."
        )
    }

    package static func roleMissing(_ role: Role, _ scope: Scope) -> Objection {
        let place =
            switch scope {
            case .app(let slug): "the app \(slug)"
            case .all: "all apps"
            }
        return Objection(
            .forbidden,
            "This needs the role \(role.rawValue) for \(place).",
            remedy:
                "Ask an administrator for a token with the role \(role.rawValue), or ask somebody"
                + " who has it."
        )
    }

    /// They may read the record of these apps, and asked for more.
    package static func recordOfApps(_ apps: [AppSlug]) -> Objection {
        Objection(
            .forbidden,
            "The whole record needs the role auditor for all apps. You may read that of"
                + " \(apps.map(\.text).joined(separator: ", ")).",
            remedy:
                "Name the app: app=\(apps.first?.text ?? "SLUG") (--app"
                + " \(apps.first?.text ?? "SLUG"))."
        )
    }

    /// They do nothing, and get nothing, until they are resumed.
    package static func suspended(_ id: PrincipalID) -> Objection {
        Objection(
            .conflict,
            "Principal \(id) is suspended.",
            remedy: "Resume them first (plimsoll principal resume)."
        )
    }

    /// Nobody else could administer the service.
    package static var lastAdministrator: Objection {
        Objection(
            .conflict,
            "Nobody else who could come in is an administrator for all apps: everybody would be locked"
                + " out.",
            remedy: "Give somebody else the role admin for all apps and a token first."
        )
    }

    /// What was made of the token has a successor of its own.
    package static func renewedAlready(_ id: TokenID) -> Objection {
        Objection(
            .conflict,
            "What was made of the token \(id) was renewed itself.",
            remedy: "Use the newest token, or ask an administrator for another."
        )
    }

    package static func expiryPassed(_ end: Instant, now: Instant) -> Objection {
        Objection(
            .invalid,
            at: "/expiresAt",
            "The token would end on \(end), and it is \(now) now.",
            remedy: "Choose a later time, or leave it out."
        )
    }

    package static func expiryTooFar(latest: Instant) -> Objection {
        Objection(
            .invalid,
            at: "/expiresAt",
            "The new token may end on \(latest) at the latest: it lives no longer than the old one"
                + " was to live.",
            remedy: "Choose an earlier time, or leave it out."
        )
    }

    /// The name reads like a word that means the service itself.
    package static func nameReserved(_ word: String) -> Objection {
        Objection(
            .invalid,
            at: "/name",
            "The name reads like \(word), which means the service itself.",
            remedy: "Choose another name."
        )
    }

    /// The name reads like the id of somebody, or the beginning of one.
    package static var nameLikeID: Objection {
        Objection(
            .invalid,
            at: "/name",
            "The name reads like the id of a principal, or like the beginning of one, which stands"
                + " for somebody without a name.",
            remedy: ownName
        )
    }

    /// The name reads like that of somebody else.
    package static func nameTaken(_ name: String) -> Objection {
        Objection(
            .conflict,
            at: "/name",
            "The name \(name) reads like that of another principal.",
            remedy: ownName
        )
    }

    private static let ownName =
        "Choose a name that nobody takes for theirs; to give a known principal another token, name"
        + " its id instead."

    package static func policyDiffers(
        _ scope: Scope,
        seen: Position,
        current: Position
    ) -> Objection {
        Objection(
            .stale,
            "The policy in force \(scope.place) is that of event \(current); what you saw was that"
                + " of event \(seen).",
            remedy: "Read the policy, and name the event of the one that you have seen."
        )
    }

    package static func policyUnseen(_ scope: Scope, current: Position) -> Objection {
        Objection(
            .unseen,
            "There is a policy \(scope.place) already, that of event \(current), and you do not say"
                + " that you saw it.",
            remedy: "Read the policy, and name the event of the one that you have seen."
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let accessCommands: [String: NextCommand] = [
        "principalUnknown": .command("plimsoll principal list"),
        "nobodyKnown": .command("plimsoll principal list"),
        "personUnknown": .command("plimsoll principal list"),
        "tokenUnknown": .command("plimsoll token list"),
        "sessionUnknown": .command("plimsoll session list"),
        "roleMissing": .command("plimsoll whoami"),
        "policyDiffers": .ofApp("plimsoll policy show"),
        "policyUnseen": .ofApp("plimsoll policy show"),
    ]
}
