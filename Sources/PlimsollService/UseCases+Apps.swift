package import PlimsollAPI
import PlimsollDocuments
package import PlimsollDomain
import PlimsollStore

extension UseCases {
    /// Registers an app; its signing key is kept before the event that names it is appended.
    package func registerApp(
        _ registration: RegistrationForm,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> AppAnswer {
        let slug = registration.slug
        let key = try await key(for: slug, request)
        let command = RegisterApp(
            slug: slug,
            settings: registration.settings,
            key: key,
            isDefault: registration.isDefault,
            by: request.caller.principal
        )
        do {
            let receipt = try await perform(command, request)
            if receipt.logState.keyring.keys[key.id] == nil { await keys.discard(key) }
            return view(
                of: try existingApp(slug, receipt.logState),
                in: receipt.logState,
                position: receipt.position
            )
        } catch {
            // Else the log may name the key by now, so it is kept.
            if error.excludesAppend { await discard(key, request) }
            throw error
        }
    }

    /// Has another app's documents stand at the addresses without a name; asks for an administrator
    /// of all apps, who says which one they saw there.
    package func chooseDefaultApp(
        _ slug: AppSlug,
        _ form: DefaultAppForm,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> DefaultAppAnswer {
        let command = ChooseDefaultApp(
            slug,
            seen: form.from,
            reason: form.reason,
            by: request.caller.principal
        )
        let receipt = try await perform(command, request)
        guard let chosen = receipt.events.first else {
            throw .unexpected("a default app is not chosen by an event")
        }
        let app = try existingApp(slug, receipt.logState)
        let former = try form.from.map { slug throws(UseCaseError) in
            try existingApp(slug, receipt.logState)
        }
        let keyring = receipt.logState.keyring
        return DefaultAppAnswer(
            app: slug,
            from: form.from,
            position: request.mode == .commit ? chosen.position : nil,
            addresses: addresses(
                of: app,
                after: former,
                published: form.from.flatMap(receipt.logState.publication),
                chosenAt: chosen.position
            ),
            keysBefore: form.from.map { keyring.activeKeys(of: $0).map(\.record.id) } ?? [],
            keysAfter: keyring.activeKeys(of: slug).map(\.record.id)
        )
    }

    /// What becomes of the addresses without a name when they are another app's.
    private func addresses(
        of app: App,
        after former: App?,
        published: PublicationRecord?,
        chosenAt position: Position
    ) -> [DefaultAppAnswer.Address] {
        let before = former.map {
            DefaultAppAnswer.Document(app: $0.slug, sequence: published?.sequence)
        }
        // In a dry run, the lowest that it can be.
        let sequence = SnapshotSequence(orderedBy: position)
        let after = DefaultAppAnswer.Document(app: app.slug, sequence: sequence)
        let now = former.map(WireFormat.all(of:)) ?? []
        let then = WireFormat.all(of: app)
        return WireFormat.all.filter { now.contains($0) || then.contains($0) }.map {
            DefaultAppAnswer.Address(
                path: "/distribution/\($0.fileName)",
                before: now.contains($0) ? before : nil,
                after: then.contains($0) ? after : nil
            )
        }
    }

    /// Every app that the caller may see, as it is or was; then only those that existed.
    package func apps(
        at moment: DocumentMoment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> [AppAnswer] {
        let logState = try logState()
        let visible = logState.apps.filter {
            logState.access.permits(caller.principal, .viewer, in: .app($0.slug))
        }
        guard moment != .live else {
            return visible.map { view(of: $0, in: logState, position: logState.position) }
        }
        let position = try await resolve(moment, logState)
        let chosen = try await last(.defaultAppChosen, upTo: position)
        var query = EventQuery()
        query.types = [.appRegistered, .appSettingsChanged]
        let settings = try await events(query, upTo: position, into: [StreamName: AppSettings]()) {
            $0[$1.stream] = $1.settings
        }
        query.types = EventType.freezesOfEverything + EventType.freezesOfApp
        let freezes = freezes(in: try await events(query, upTo: position))
        var views: [AppAnswer] = []
        for app in visible {
            guard let settings = settings[.app(app.slug)] else { continue }
            views.append(try await view(of: app, settings, freezes, at: position, chosen))
        }
        return views
    }

    /// An app as it is or was.
    package func app(
        _ slug: AppSlug,
        at moment: DocumentMoment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> AppAnswer {
        let logState = try logState()
        let app = try visibleApp(slug, caller, logState)
        guard moment != .live else {
            return view(of: app, in: logState, position: logState.position)
        }
        let position = try await resolve(moment, of: slug, logState)
        let chosen = try await last(.defaultAppChosen, upTo: position)
        let settings = try await settings(of: app, at: position)
        let freezes = freezes(in: try await freezeEvents(over: slug, upTo: position))
        return try await view(of: app, settings, freezes, at: position, chosen)
    }

    /// The app as it was when an event had chosen the default one last.
    private func view(
        of app: App,
        _ settings: AppSettings,
        _ freezes: [StreamName: Freezes],
        at position: Position,
        _ chosen: RecordedEvent?
    ) async throws(UseCaseError) -> AppAnswer {
        let published = try await last(.snapshotPublished, of: app.slug, upTo: position)
        return AppAnswer(
            slug: app.slug,
            settings: settings,
            isDefault: chosen?.event == .service(.defaultAppChosen(app.slug)),
            position: position,
            sequence: published?.publication?.sequence,
            // Its own counts before that of everything, as it does now.
            freeze: (freezes[.app(app.slug)]?.begun ?? freezes[.service]?.begun).map {
                FreezeAnswer($0)
            }
        )
    }

    /// What the events come to, of each app and of everything.
    private func freezes(in events: [RecordedEvent]) -> [StreamName: Freezes] {
        events.reduce(into: [:]) { freezes, recorded in
            guard let event = recorded.event.freeze else { return }
            freezes[recorded.stream, default: Freezes()].evolve(event, recorded)
        }
    }

    /// The last event of a type up to a position.
    func last(
        _ type: EventType,
        of app: AppSlug? = nil,
        upTo position: Position
    ) async throws(UseCaseError) -> RecordedEvent? {
        try await read { try await readModels.last(type, of: app, upTo: position) }
    }

    /// A trial makes no key: any will do to see what the rules say.
    private func key(
        for slug: AppSlug,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> KeyRecord {
        guard request.mode == .commit else {
            return KeyRecord(id: KeyID(request.identity.id.uuid), app: slug, publicKey: [])
        }
        let logState = try logState()
        try require(.admin, of: request.caller, in: .app(slug), logState)
        // A key that was made would stay.
        if let prohibition = writer.prohibition { throw .readOnly(prohibition) }
        do {
            return try await keys.make(slug)
        } catch {
            throw .unexpected("the signing key of \(slug) could not be made: \(error)")
        }
    }

    private func discard(_ key: KeyRecord, _ request: WriteRequest) async {
        if request.mode == .commit { await keys.discard(key) }
    }

    private func view(of app: App, in logState: LogState, position: Position) -> AppAnswer {
        AppAnswer(
            slug: app.slug,
            settings: app.settings,
            isDefault: logState.defaultApp == app.slug,
            position: position,
            sequence: logState.publication(of: app.slug)?.sequence,
            freeze: logState.freeze(of: app.slug, at: clock()).map { FreezeAnswer($0) },
            freezePlans: logState.freezePlans(over: app.slug).filter { clock() < $0.window.until }
                .map { FreezePlanAnswer($0) }
        )
    }
}

extension RecordedEvent {
    fileprivate var publication: PublicationRecord? {
        if case .export(.snapshotPublished(let record)) = event { record } else { nil }
    }
}

extension UseCases {
    /// The settings of an app, now or then; asks for a viewer.
    package func settings(
        of slug: AppSlug,
        at moment: DocumentMoment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> SettingsAnswer {
        let logState = try logState()
        let app = try visibleApp(slug, caller, logState)
        let event: RecordedEvent?
        if moment == .live {
            event = try await read {
                try await readModels.log.events(at: [app.settingsSince]).first
            }
        } else {
            event = try await settingsEvent(
                of: slug,
                at: try await resolve(moment, of: slug, logState)
            )
        }
        guard let view = event.flatMap({ SettingsAnswer($0, of: slug) }) else {
            throw .unexpected("no event brought the settings of \(slug)")
        }
        return moment == .live ? view.read(app.documents, by: app.settings.readers) : view
    }

    /// Gives an app other settings; asks for an administrator.
    package func changeSettings(
        _ form: SettingsForm,
        of app: AppSlug,
        seen: Position?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> SettingsAnswer {
        let earlier = try logState().app(app)?.settings ?? form.settings
        let view = try await perform(
            ChangeAppSettings(
                of: app,
                to: form.settings,
                seen: seen,
                reason: form.reason,
                by: request.caller.principal
            ),
            request,
            seenBy: { SettingsAnswer($0, of: app, isCommitted: $1) }
        ).view
        let documents = try existingApp(app, try logState()).documents
        return view.read(documents, by: form.settings.readers(after: earlier))
    }

    /// The settings that an app had after a position at which there was it.
    func settings(
        of app: App,
        at position: Position
    ) async throws(UseCaseError) -> AppSettings {
        guard position < app.settingsSince else { return app.settings }
        return try await settingsEvent(of: app.slug, at: position)?.settings ?? app.settings
    }

    private func settingsEvent(
        of app: AppSlug,
        at position: Position
    ) async throws(UseCaseError) -> RecordedEvent? {
        try await read { try await readModels.settingsEvent(of: app, upTo: position) }
    }
}

extension UseCases {
    /// The policy that holds for an app, or for every app without one of its own, now or then; asks
    /// for a viewer.
    package func policy(
        of scope: Scope,
        at moment: DocumentMoment = .live,
        for caller: Caller
    ) async throws(UseCaseError) -> PolicyAnswer {
        let logState = try logState()
        try require(.viewer, of: caller, in: scope, logState)
        if case .app(let slug) = scope { _ = try existingApp(slug, logState) }
        guard moment == .live else { return try await policy(of: scope, at: moment, logState) }
        guard let since = logState.policyInForce(in: scope).since else {
            return PolicyAnswer.builtIn(in: scope).naming(gapsOf: scope, in: logState)
        }
        let events = try await read { try await readModels.log.events(at: [since]) }
        guard let view = events.first.flatMap({ PolicyAnswer($0, in: scope) }) else {
            throw .unexpected("the policy in force is of event \(since), which brought none")
        }
        return view.naming(gapsOf: scope, in: logState)
    }

    /// Puts a policy into force; asks for an administrator.
    package func changePolicy(
        _ form: PolicyForm,
        of scope: Scope,
        seen: Position?,
        _ request: WriteRequest
    ) async throws(UseCaseError) -> PolicyAnswer {
        let (view, logState) = try await perform(
            ChangePolicy(
                of: scope,
                to: form.policy,
                seen: seen,
                reason: form.reason,
                by: request.caller.principal
            ),
            request,
            seenBy: { PolicyAnswer($0, in: scope, isCommitted: $1) }
        )
        return view.naming(gapsOf: scope, in: logState)
    }

    private func policy(
        of scope: Scope,
        at moment: DocumentMoment,
        _ logState: LogState
    ) async throws(UseCaseError) -> PolicyAnswer {
        let position: Position
        if case .app(let slug) = scope {
            position = try await resolve(moment, of: slug, logState)
            let own = try await last(.policyChanged, of: slug, upTo: position)
            if let view = own.flatMap({ PolicyAnswer($0, in: scope) }) { return view }
        } else {
            position = try await resolve(moment, logState)
        }
        let event = try await last(.defaultPolicyChanged, upTo: position)
        return event.flatMap { PolicyAnswer($0, in: scope) } ?? .builtIn(in: scope)
    }
}

extension PolicyAnswer {
    fileprivate func naming(gapsOf scope: Scope, in logState: LogState) -> PolicyAnswer {
        var answer = self
        answer.warnings = logState.gaps(in: policy, of: scope).map { $0.sentence() }
        return answer
    }
}
