/// A mistake that was made before, by somebody, and that can be seen in what a change would do.
package enum CheckName: String, CaseIterable, Sendable {
    /// People are told to install a version that will not run.
    case minimumAboveRecommended
    /// Versions run again that did not.
    case minimumLowered
    /// People who read a language see another one, or nothing.
    case languageRemoved
    /// One of the two texts is about something else.
    case textsEqual
    /// A text was not finished, or not read through.
    case placeholderLeft
    /// People are sent to a store that they do not have.
    case otherStoreNamed
    /// A mark that turns the direction stands in a language that is written from left to right.
    case directionMark
    /// A text is in letters that its language is not written in, or has words left in others.
    case wrongScript
    /// A text does not fit on the screens that show it.
    case textLong
    /// No release that is known satisfies a minimum: whoever is below it has no way on.
    case minimumUnreleased
    /// People are let in by the minimum system who cannot install what the minimum app asks for.
    case minimumUninstallable
    /// The minimum system rises to what a release needs, and the minimum app stays with older ones
    /// that run below it.
    case minimumAppLeftBehind
    /// People are told to install what their store does not have yet, or only just.
    case releaseNotInStore
    /// An app stops running, or is told to be updated first, on more of the counted devices than the
    /// policy has set as a limit.
    case blocksMany
    /// Clients of Prince of Versions are told offers that know nothing of a minimum.
    case offersBehind
    /// Apps that people have would refuse the document as a whole, and go on with an older one.
    case clientsCannotRead
    /// Some read a title and a description in two languages.
    case languagesDiffer
    /// People whom no update helps are told what they were told when one did.
    case updateStillAdvised
    /// Some languages say something new, and others what is wrong by now.
    case textsNotRewritten
}

extension CheckName {
    /// Whether it finds nothing while no release is known of the platform.
    var needsReleases: Bool {
        switch self {
        case .minimumUnreleased, .minimumUninstallable, .minimumAppLeftBehind,
            .releaseNotInStore:
            true
        case .minimumAboveRecommended, .minimumLowered, .languageRemoved, .textsEqual,
            .placeholderLeft, .otherStoreNamed, .directionMark, .wrongScript, .textLong,
            .blocksMany, .offersBehind, .clientsCannotRead, .languagesDiffer, .updateStillAdvised,
            .textsNotRewritten:
            false
        }
    }

    /// What follows where a policy does not speak of it.
    ///
    /// An incident and the end of an app ask for a version that does not exist, and a mistake in a
    /// system for another minimum of it alone, and somebody says so; nobody has a reason to tell
    /// people to install what they cannot.
    package var usualRule: CheckRule {
        switch self {
        case .minimumUnreleased, .minimumAppLeftBehind:
            CheckRule(.refuse, overridableBy: .approver)
        case .minimumUninstallable: CheckRule(.refuse)
        case .minimumAboveRecommended, .minimumLowered, .languageRemoved, .textsEqual,
            .placeholderLeft, .otherStoreNamed, .directionMark, .wrongScript, .textLong,
            .releaseNotInStore, .blocksMany, .offersBehind, .clientsCannotRead, .languagesDiffer,
            .updateStillAdvised, .textsNotRewritten:
            .warning
        }
    }
}

/// What a check found in a field.
package struct CheckFinding: Hashable, Sendable {
    package let check: CheckName
    package let field: Field
    /// What is wrong, and where.
    package let sentence: String

    package init(_ check: CheckName, _ field: Field, _ sentence: String) {
        self.check = check
        self.field = field
        self.sentence = sentence
    }
}
