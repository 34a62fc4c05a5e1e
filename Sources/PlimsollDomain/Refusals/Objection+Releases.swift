/// Objections to what is registered of releases, and to counts of devices.
extension Objection {
    package static func releaseUnknown(
        _ slug: AppSlug,
        _ platform: Platform,
        _ version: VersionValue
    ) -> Objection {
        Objection(
            .unknown,
            "No release \(version) of the app \(slug) on \(platform.rawValue) is known.",
            remedy: "List the releases to see what there is, or register it."
        )
    }

    package static func releaseExists(_ known: Release, given: ReleaseFacts) -> Objection {
        Objection(
            .conflict,
            "The release \(known.version) on \(known.platform.rawValue) is registered already, and"
                + " its \(given.differences(from: known.facts).joined(separator: "; its ")).",
            remedy: "Leave it as it is, or amend it."
        )
    }

    package static func releasesFull(_ slug: AppSlug, maximum: Int) -> Objection {
        Objection(
            .conflict,
            "The app \(slug) has \(maximum) releases, and may have no more.",
            remedy: "Withdraw some that nobody runs any more."
        )
    }

    /// The policy lets only these say which releases there are.
    package static func releasesReserved(_ slug: AppSlug, _ rule: FactRule) -> Objection {
        Objection(
            .forbidden,
            "Releases of the app \(slug) fall under the rule releases, by which they are"
                + " registered, amended and withdrawn by \(rule.permitted()).",
            remedy: "Ask one of \(rule.permitted()), or have an administrator change the policy."
        )
    }

    /// The policy lets only these say how many devices there are.
    package static func sharesReserved(_ slug: AppSlug, _ rule: FactRule) -> Objection {
        Objection(
            .forbidden,
            "Counts of devices of the app \(slug) fall under the rule shares, by which they are"
                + " replaced and removed by \(rule.permitted()).",
            remedy: "Ask one of \(rule.permitted()), or have an administrator change the policy."
        )
    }

    /// The versions of the platform are what people read.
    package static func nameUnneeded(_ platform: Platform) -> Objection {
        Objection(
            .invalid,
            at: "/name",
            "A version on \(platform.rawValue) is what people read; only version codes have a"
                + " name.",
            remedy: "Leave the name out."
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let releaseCommands: [String: NextCommand] = [
        "releaseUnknown": .command("plimsoll release list"),
        "releaseExists": .command("plimsoll release amend"),
    ]
}
