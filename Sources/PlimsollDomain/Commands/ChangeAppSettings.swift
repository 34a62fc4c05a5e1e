/// Gives an app other settings.
///
/// One person decides, an administrator of the app, as with its policy: what they write here no more
/// goes round the approvals than what they may write there. No threshold, text or offer moves. What
/// would leave a document without a text that is required is refused, and so is what alters
/// published bytes while the app is frozen.
package struct ChangeAppSettings: Command {
    package let app: AppSlug
    /// All of them from then on.
    package let settings: AppSettings
    /// Where the event stands of the settings that its author saw.
    package let seen: Position?
    package let reason: Reason?
    package let by: PrincipalID

    package init(
        of app: AppSlug,
        to settings: AppSettings,
        seen: Position?,
        reason: Reason?,
        by: PrincipalID
    ) {
        self.app = app
        self.settings = settings
        self.seen = seen
        self.reason = reason
        self.by = by
    }

    package func decide(in world: World, at now: Instant) throws(Refusal) -> Decision {
        try world.require(.admin, of: by, in: .app(app))
        let target = try world.existingApp(app)
        var objections = settings.objections
        // Of more languages than there may be nobody wants to read every text that is missing.
        if objections.isEmpty { objections = target.textsMissing(under: settings) }
        objections += target.objections(toSeeingSettingsOf: seen)
        objections += target.platformsMissing(in: settings).map(Objection.platformDropped)
        let effect = SettingsEffect(from: target.settings, to: settings)
        if !effect.isEmpty, let freeze = world.freeze(of: app, at: now) {
            objections.append(.frozen(freeze))
        }
        guard objections.isEmpty else { throw Refusal(objections) }
        guard target.settings != settings else { throw Refusal(.nothingChanges) }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.app(.appSettingsChanged(settings)), to: .app(app))
        return decision
    }
}

extension App {
    /// Who changes settings has seen those that hold, so that nobody undoes what somebody else has
    /// just decided.
    fileprivate func objections(toSeeingSettingsOf seen: Position?) -> [Objection] {
        guard let seen else { return [.settingsUnseen(slug, current: settingsSince)] }
        return seen == settingsSince
            ? [] : [.settingsDiffer(slug, seen: seen, current: settingsSince)]
    }

    /// Phones go on asking for the document of a platform, and earlier states have it: an app is
    /// kept there for good.
    fileprivate func platformsMissing(in settings: AppSettings) -> [Platform] {
        self.settings.platforms.filter { !settings.platforms.contains($0) }
    }

    /// Each text that a document lacks in a language that is not required yet.
    fileprivate func textsMissing(under settings: AppSettings) -> [Objection] {
        var seen = Set(self.settings.languages)
        return settings.languages.enumerated().flatMap { index, language -> [Objection] in
            guard seen.insert(language).inserted else { return [] }
            let pointer = Pointer("/languages").appending(index)
            return fieldsMissing(in: language).map { .languageUnwritten($0, at: pointer) }
        }
    }
}
