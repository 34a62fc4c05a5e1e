/// Objections to what a request says of apps and their settings.
extension Objection {
    package static func appUnknown(_ slug: AppSlug) -> Objection {
        Objection(
            .unknown,
            "There is no app \(slug).",
            remedy: "List the apps to see what there is."
        )
    }

    package static func scopeUnknown(_ slug: AppSlug, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "There is no app \(slug).",
            remedy: "List the apps to see what there is."
        )
    }

    package static func platformUnknown(
        _ slug: AppSlug,
        _ platform: Platform,
        at pointer: Pointer
    ) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "The app \(slug) is not kept on \(platform.rawValue).",
            remedy: "Use one of the platforms that the app has.",
            subject: .platform
        )
    }

    package static func platformNotKept(_ slug: AppSlug, _ platform: Platform) -> Objection {
        Objection(
            .unknown,
            "The app \(slug) is not kept on \(platform.rawValue).",
            remedy: "Use one of the platforms that the app has."
        )
    }

    package static func appExists(_ slug: AppSlug) -> Objection {
        Objection(
            .conflict,
            at: "/slug",
            "There is an app \(slug) already.",
            remedy: "Choose another slug."
        )
    }

    package static func defaultAppExists(_ slug: AppSlug) -> Objection {
        Objection(
            .conflict,
            at: "/default",
            "The app \(slug) is the default app already.",
            remedy: "Leave out the member default."
        )
    }

    /// Another app stands at the addresses without a name than was seen there; `nil`: none does.
    package static func defaultAppDiffers(_ slug: AppSlug?) -> Objection {
        Objection(
            .stale,
            at: "/from",
            "The default app is \(slug?.text ?? "none"), and the request names another one.",
            remedy: "List the apps, and name in the member from the one to replace."
        )
    }

    package static func settingsDiffer(
        _ slug: AppSlug,
        seen: Position,
        current: Position
    ) -> Objection {
        Objection(
            .stale,
            "The settings of the app \(slug) are those of event \(current); what you saw were those"
                + " of event \(seen).",
            remedy: "Read the settings, and name the event of those that you have seen."
        )
    }

    package static func settingsUnseen(_ slug: AppSlug, current: Position) -> Objection {
        Objection(
            .unseen,
            "The app \(slug) has the settings of event \(current), and you do not say that you saw"
                + " them.",
            remedy: "Read the settings, and name the event of those that you have seen."
        )
    }

    package static func fallbackNotRequired(_ language: LanguageTag) -> Objection {
        Objection(
            .invalid,
            at: "/fallbackLanguage",
            "The fallback language \(language) is not among the languages of the app.",
            remedy: "Add it to the languages, or choose one of them."
        )
    }

    /// An app is kept on a platform for good.
    package static func platformDropped(_ platform: Platform) -> Objection {
        Objection(
            .invalid,
            at: "/platforms",
            "The app is kept on \(platform.rawValue), and no platform is taken away again.",
            remedy: "Name it too; to let everybody in there, clear its thresholds with a change."
        )
    }

    /// What a document lacks in a language that is to be required.
    package static func languageUnwritten(_ field: Field, at pointer: Pointer) -> Objection {
        Objection(
            .conflict,
            at: pointer,
            "\(field) has no text, and the language would be required.",
            remedy:
                "Propose the text first; once the change has been applied, require the language."
        )
    }

    /// The same among the languages that an app names.
    package static func languageRepeated(_ twins: LanguageTwins, at pointer: Pointer) -> Objection {
        Objection(
            .invalid,
            at: pointer,
            "\(twins) are one language to phones, written in two ways.",
            remedy: "Name one of them only."
        )
    }
}

extension Objection {
    /// The commands to run next, by code.
    static let appCommands: [String: NextCommand] = [
        "appUnknown": .command("plimsoll apps"),
        "scopeUnknown": .command("plimsoll apps"),
        "settingsDiffer": .ofApp("plimsoll apps settings"),
        "settingsUnseen": .ofApp("plimsoll apps settings"),
        "languageUnwritten": .command("plimsoll propose --help"),
    ]
}
