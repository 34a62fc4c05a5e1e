/// Puts an app above the line, with the key that will sign its documents.
package struct RegisterApp: Command {
    package let slug: AppSlug
    package let settings: AppSettings
    /// Made beforehand; its private half is already kept.
    package let key: KeyRecord
    package let isDefault: Bool?
    package let by: PrincipalID

    /// Without a word on it, the first app becomes the default one.
    package init(
        slug: AppSlug,
        settings: AppSettings,
        key: KeyRecord,
        isDefault: Bool?,
        by: PrincipalID
    ) {
        self.slug = slug
        self.settings = settings
        self.key = key
        self.isDefault = isDefault
        self.by = by
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .app(slug))
        let objections = objections(in: logState)
        guard objections.isEmpty else { throw Refusal(objections) }
        var decision = Decision(relyingOn: [.access, .service])
        decision.append(.app(.appRegistered(settings)), to: .app(slug))
        if isDefault ?? (logState.defaultApp == nil) {
            decision.append(.service(.defaultAppChosen(slug)), to: .service)
        }
        decision.append(.key(.keyAdded(key)), to: .keys)
        decision.append(.key(.keyActivated(key.id, app: slug)), to: .keys)
        return decision
    }

    private func objections(in logState: LogState) -> [Objection] {
        var objections: [Objection] = []
        if logState.app(slug) != nil { objections.append(.appExists(slug)) }
        if isDefault == true, let other = logState.defaultApp {
            objections.append(.defaultAppExists(other))
        }
        objections += settings.objections
        return objections
    }
}

/// Has another app's documents stand at the addresses without an app's name.
///
/// Phones that ask there are given the other app's documents at once, and those are signed by its
/// own keys. So it takes an administrator of all apps, who has seen which app stands there.
package struct ChooseDefaultApp: Command {
    package let app: AppSlug
    /// The default app that its author saw, if there was one.
    package let seen: AppSlug?
    package let reason: Reason?
    package let by: PrincipalID

    package init(_ app: AppSlug, seen: AppSlug?, reason: Reason?, by: PrincipalID) {
        (self.app, self.seen, self.reason, self.by) = (app, seen, reason, by)
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .all)
        _ = try logState.existingApp(app)
        guard logState.defaultApp != app else { throw Refusal(.nothingChanges) }
        guard seen == logState.defaultApp else {
            throw Refusal(.defaultAppDiffers(logState.defaultApp))
        }
        let concerned = [app, seen].compactMap(\.self)
        if let freeze = concerned.lazy.compactMap({ logState.freeze(of: $0, at: now) }).first {
            throw Refusal(.frozen(freeze))
        }
        var decision = Decision(relyingOn: Set(concerned.map(StreamName.app) + [.access]))
        decision.append(.service(.defaultAppChosen(app)), to: .service)
        return decision
    }
}

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

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        try logState.require(.admin, of: by, in: .app(app))
        let target = try logState.existingApp(app)
        var objections = settings.objections
        // Of more languages than there may be nobody wants to read every text that is missing.
        if objections.isEmpty { objections = target.textsMissing(under: settings) }
        objections += target.objections(toSeeingSettingsOf: seen)
        objections += target.platformsMissing(in: settings).map(Objection.platformDropped)
        let effect = SettingsEffect(from: target.settings, to: settings)
        if !effect.isEmpty, let freeze = logState.freeze(of: app, at: now) {
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

/// Has an app's documents signed and published anew, with the same content.
package struct OrderRenewal: Command {
    package let app: AppSlug
    package let by = PrincipalID.system

    package init(app: AppSlug) {
        self.app = app
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        _ = try logState.existingApp(app)
        var decision = Decision(relyingOn: [.app(app)])
        decision.append(.app(.renewalOrdered), to: .app(app))
        return decision
    }
}

/// Tells the log what was published.
package struct RecordPublication: Command {
    package let app: AppSlug
    package let event: ExportEvent
    package let by = PrincipalID.system

    package init(app: AppSlug, event: ExportEvent) {
        self.app = app
        self.event = event
    }

    package func decide(in logState: LogState, at now: Instant) throws(Refusal) -> Decision {
        var decision = Decision(relyingOn: [])
        decision.append(.export(event), to: .export(app))
        return decision
    }
}
