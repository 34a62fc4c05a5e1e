/// Objections to marketplaces and their packages.
extension Objection {
    package static func marketplaceUnknown(_ slug: AppSlug) -> Objection {
        Objection(
            .unknown,
            "The app \(slug) is no marketplace.",
            remedy: "Say first what the marketplace is."
        )
    }

    /// `nil` where the app is none by now.
    package static func marketplaceDiffers(
        _ slug: AppSlug,
        seen: Position,
        current: Position?
    ) -> Objection {
        Objection(
            .stale,
            (current.map { "The marketplace \(slug) is that of event \($0)" }
                ?? "The app \(slug) is no marketplace")
                + "; what you saw was that of event \(seen).",
            remedy: "Read the marketplace, and name the event of the one that you have seen."
        )
    }

    package static func marketplaceUnseen(_ slug: AppSlug, current: Position) -> Objection {
        Objection(
            .unseen,
            "The app \(slug) is the marketplace of event \(current) already, and you do not say"
                + " that you saw it.",
            remedy: "Read the marketplace, and name the event of the one that you have seen."
        )
    }

    /// Apps are listed in it.
    package static func marketplaceInUse(_ slug: AppSlug, _ apps: [AppSlug]) -> Objection {
        Objection(
            .conflict,
            "\(slug) lists \(apps.map(\.text).joined(separator: ", ")).",
            remedy: "Take the apps out of it first."
        )
    }

    package static func marketplaceRefused(
        _ fault: MarketplaceFault,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            fault.sentence,
            remedy: "Mend it, and send the whole again."
        )
    }

    /// Another marketplace, or another app of it, has the AppleItemID.
    package static func itemTaken(
        _ item: AppleItemID,
        _ slug: AppSlug,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .conflict,
            at: pointer,
            "\(item) is the AppleItemID of \(slug) already.",
            remedy: "Look the AppleItemID up in App Store Connect."
        )
    }

    package static func domainTaken(
        _ domain: DomainName,
        _ slug: AppSlug,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .conflict,
            at: pointer,
            "The domain \(domain) belongs to the marketplace \(slug).",
            remedy: "Name a domain of its own, or take it from the other one first."
        )
    }

    /// Apple has made the package anew since.
    package static func packageOutdated(_ known: Package, given: Int64) -> Objection {
        Objection(
            .conflict,
            at: "/revision",
            "Revision \(known.revision) of the package of version \(known.version) is known"
                + (given == known.revision
                    ? " with other facts." : ", and this is revision \(given)."),
            remedy: "Leave it as it is, or send the revision that Apple has made anew."
        )
    }

    package static func packageRefused(_ fault: PackageFault, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            fault.sentence,
            remedy: "List the packages to see what there is."
        )
    }

    package static func packagesFull(_ slug: AppSlug, maximum: Int) -> Objection {
        Objection(
            .conflict,
            "The app \(slug) has \(maximum) packages, and may have no more.",
            remedy: "Withdraw packages that are handed out no more."
        )
    }

    package static func notificationsFull(maximum: Int) -> Objection {
        Objection(
            .conflict,
            "\(maximum) notifications about apps that are not listed wait, and no more may.",
            remedy: "List the apps that the notifications are about."
        )
    }

    /// Of those that nobody has seen.
    package static func withdrawalsFull(_ slug: AppSlug, maximum: Int) -> Objection {
        Objection(
            .conflict,
            "\(maximum) packages of the app \(slug) were withdrawn that nobody has seen, and no"
                + " more are kept.",
            remedy: "Name packages that are known."
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let marketplaceCommands: [String: NextCommand] = [
        "marketplaceUnknown": .command("plimsoll marketplace set --help"),
        "marketplaceDiffers": .ofApp("plimsoll marketplace show"),
        "marketplaceUnseen": .ofApp("plimsoll marketplace show"),
        "packageRefused": .command("plimsoll marketplace package list"),
    ]
}
