/// The events of one append, and the command that they must have come from.
struct RecordedAppend {
    let first: RecordedEvent
    let events: [RecordedEvent]

    var actor: PrincipalID { first.origin.actor }

    /// When it was decided.
    ///
    /// A token was once held against the time of its request, which is not recorded; one that was
    /// dead by then gives no rights.
    var decidedAt: Instant {
        events.contains(where: \.issuesToken)
            ? Instant(millisecondsSince1970: .min) : first.recordedAt
    }

    /// Refuses events whose actor cannot have been known like that.
    func checkOrigin(in world: World) throws(UnfoundedEvent) {
        switch first.origin.authentication {
        case .service:
            // The service vouches for people of its own, such as those of the sample; what they
            // may do is decided like anybody's.
            break
        case .token(let id):
            guard world.access.livingToken(id, at: first.recordedAt)?.principal == actor else {
                throw UnfoundedEvent(first, .notAuthentic)
            }
        }
        for event in events
        where event.origin != first.origin || event.recordedAt != first.recordedAt {
            throw UnfoundedEvent(event, .anotherOrigin)
        }
    }

    /// What was asked for, as far as the events tell; `nil` where nothing leads to such events.
    func command(
        in world: World,
        _ past: PastDocuments,
        _ hash: @escaping ChangeHash
    )
        -> (any Command)?
    {
        switch (first.stream, first.event) {
        case (_, .access): admission
        case (.app(let app), .app(.appRegistered(let settings))): registration(of: app, settings)
        case (.app(let app), .app(.rolledBack(let record))):
            revert(in: app, record, past) ?? rollback(of: app, record, past)
        case (.app(let app), .app(.renewalOrdered)): OrderRenewal(app: app)
        case (.app(let app), .app(let event)):
            commandOfApp(app, event, in: world) ?? commandOfTime(in: world, past, hash)
        case (_, .change(.changeProposed(let app, let title, let base))):
            emergency(of: app, title, base, hash) ?? proposal(of: app, title, base, past, in: world)
        case (.change(let id), .change(let event)):
            decision(on: id, event, world, past, hash) ?? commandOfTime(in: world, past, hash)
        case (.service, .service(let event)): commandOfService(event, in: world)
        case (.keys, .key(let event)): commandOfKeys(event, in: world)
        case (.export(let app), .export(let event)): RecordPublication(app: app, event: event)
        case (.webhooks, .webhook(let event)): commandOfWebhook(event)
        case (.app, _), (.change, _), (.access, _), (.keys, _), (.service, _), (.export, _),
            (.webhooks, _):
            nil
        }
    }

    private var admission: (any Command)? {
        var grants: [RoleGrant] = []
        var principals: [PrincipalID] = []
        var issued: TokenRecord?
        for case .access(let event) in events.lazy.map(\.event) {
            switch event {
            case .principalAdded(let id): principals.append(id)
            case .roleGranted(let id, let grant):
                principals.append(id)
                grants.append(grant)
            case .tokenIssued(let token): issued = token
            case .tokenRevoked, .nameErased, .roleRevoked, .principalSuspended,
                .principalResumed, .tokenRenewed:
                break
            }
        }
        if let issued { return IssueToken(token: issued, grants: grants, by: actor) }
        if let principal = principals.first {
            return AdmitPrincipal(principal, grants: grants, by: actor)
        }
        for case .access(.tokenRenewed(let token, let old, _)) in events.lazy.map(\.event) {
            return RenewToken(old, as: token, by: actor)
        }
        return first.event.access.flatMap(commandOfAccess)
    }

    private func commandOfAccess(_ event: AccessEvent) -> (any Command)? {
        let reason = first.origin.reason
        return switch event {
        case .tokenRevoked(let token): RevokeToken(token: token, by: actor)
        case .nameErased(let principal): EraseName(of: principal, by: actor)
        case .roleRevoked(let principal, let grant):
            RevokeRole(grant, of: principal, reason: reason, by: actor)
        case .principalSuspended(let principal):
            reason.map { SuspendPrincipal(principal, reason: $0, by: actor) }
        case .principalResumed(let principal):
            ResumePrincipal(principal, reason: reason, by: actor)
        case .principalAdded, .roleGranted, .tokenIssued, .tokenRenewed: nil
        }
    }

    private func registration(of app: AppSlug, _ settings: AppSettings) -> (any Command)? {
        var key: KeyRecord?
        var isDefault = false
        for event in events {
            switch event.event {
            case .key(.keyAdded(let record)): key = record
            case .service(.defaultAppChosen): isDefault = true
            case .key, .app, .change, .access, .export, .service, .webhook: break
            }
        }
        return key.map {
            RegisterApp(slug: app, settings: settings, key: $0, isDefault: isDefault, by: actor)
        }
    }

    /// Which fields were to be kept is not recorded: it was all that did not go back.
    private func revert(
        in app: AppSlug,
        _ record: RollbackRecord,
        _ past: PastDocuments
    ) -> (any Command)? {
        guard case .revert(let id) = record.request,
            let before = past.state(of: app, at: record.target),
            let after = past.state(of: app, after: id)
        else { return nil }
        let written = Platform.allCases.flatMap { platform in
            before.document(platform).changes(to: after.document(platform)).map(\.field)
        }
        let keep = Set(written).subtracting(record.fields ?? [])
        return RevertChange(
            id,
            of: app,
            before: before,
            after: after,
            keep: keep.sorted(),
            reason: first.origin.reason,
            by: actor
        )
    }

    private func rollback(
        of app: AppSlug,
        _ record: RollbackRecord,
        _ past: PastDocuments
    ) -> (any Command)? {
        guard let reason = first.origin.reason, let state = past.state(of: app, at: record.target)
        else { return nil }
        return RollBack(
            app: app,
            platforms: record.fields == nil ? record.platforms : nil,
            fields: record.fields,
            request: record.request,
            past: state,
            reason: reason,
            by: actor
        )
    }
}

extension Event {
    fileprivate var access: AccessEvent? {
        if case .access(let event) = self { event } else { nil }
    }
}

extension RecordedEvent {
    fileprivate var issuesToken: Bool {
        guard case .access(.tokenIssued) = event else { return false }
        return true
    }
}
