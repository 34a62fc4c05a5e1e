// The commands about policies, freezes and reviews that an append may have come from.
extension RecordedAppend {
    func commandOfApp(_ app: AppSlug, _ event: AppEvent, in logState: LogState) -> (any Command)? {
        switch event {
        case .policyChanged(let policy):
            change(of: .app(app), to: policy, in: logState)
        case .appSettingsChanged(let settings):
            change(of: app, to: settings, in: logState)
        case .freeze(let event): command(of: event, .app(app))
        case .rollbackReviewed(let review, let verdict):
            CloseReview(review: review, verdict: verdict, by: actor)
        case .releaseRegistered(let release):
            RegisterRelease(release, of: app, reason: first.origin.reason, by: actor)
        case .releaseAmended(let release):
            amendment(of: app, to: release)
        case .releaseWithdrawn(let platform, let version):
            WithdrawRelease(
                version,
                on: platform,
                of: app,
                reason: first.origin.reason,
                by: actor
            )
        case .versionSharesReplaced(let platform, let shares):
            count(of: app, on: platform, shares)
        case .marketplace(let event): command(of: event, app, in: logState)
        case .appRegistered, .thresholdSet, .valueCleared, .thresholdCleared, .textSet,
            .textRemoved, .offersReplaced, .legacyOfferReplaced, .packagesOffered, .rolledBack,
            .renewalOrdered, .rollbackReviewOrdered:
            nil
        }
    }

    private func command(
        of event: MarketplaceEvent,
        _ app: AppSlug,
        in logState: LogState
    ) -> (any Command)? {
        let (reason, since) = (
            first.origin.reason, logState.app(app)?.distribution.marketplaceSince
        )
        return switch event {
        case .set(let marketplace):
            SetMarketplace(of: app, to: marketplace, seen: since, reason: reason, by: actor)
        case .removed: SetMarketplace(of: app, to: nil, seen: since, reason: reason, by: actor)
        case .listed(let marketplace, let listing):
            ListApp(app, in: marketplace, as: listing, reason: reason, by: actor)
        case .unlisted(let marketplace):
            ListApp(app, in: marketplace, as: nil, reason: reason, by: actor)
        case .packageAnnounced(let announcement):
            AnnouncePackage(announcement, of: app, reason: reason, by: actor)
        case .packageIngested(let package, let version):
            IngestPackage(
                package,
                of: app,
                announcedAs: version,
                reason: reason,
                by: actor
            )
        case .packagesWithdrawn(let withdrawal):
            WithdrawPackages(withdrawal, of: app, reason: reason, by: actor)
        case .withdrawalReviewed(let review, let verdict):
            CloseReview(review: review, verdict: verdict, by: actor)
        case .withdrawalReviewOrdered: nil
        }
    }

    /// Which settings were seen is not recorded: they were changed, so they were those of the time.
    private func change(
        of app: AppSlug,
        to settings: AppSettings,
        in logState: LogState
    ) -> ChangeAppSettings {
        ChangeAppSettings(
            of: app,
            to: settings,
            seen: logState.app(app)?.settingsSince,
            reason: first.origin.reason,
            by: actor
        )
    }

    private func count(
        of app: AppSlug,
        on platform: Platform,
        _ shares: VersionShares
    ) -> any Command {
        let reason = first.origin.reason
        return shares.rows.isEmpty
            ? RemoveVersionShares(of: app, on: platform, reason: reason, by: actor)
            : ReplaceVersionShares(
                of: app,
                on: platform,
                with: shares,
                reason: reason,
                by: actor
            )
    }

    /// Which facts were amended is not recorded, but all that was known afterwards.
    private func amendment(of app: AppSlug, to release: Release) -> AmendRelease {
        AmendRelease(
            release.version,
            on: release.platform,
            of: app,
            edits: release.facts.edits,
            reason: first.origin.reason,
            by: actor
        )
    }

    func commandOfService(_ event: ServiceEvent, in logState: LogState) -> (any Command)? {
        switch event {
        case .defaultPolicyChanged(let policy):
            change(of: .all, to: policy, in: logState)
        case .freeze(let event): command(of: event, .all)
        case .notificationKept(let notification): TakeNotification(notification)
        case .notificationsDropped(let marketplace, let app):
            DropNotifications(of: app, in: marketplace, reason: first.origin.reason, by: actor)
        case .accountForgotten: ForgetAccount(by: actor)
        case .entryKey(.added(let key)):
            AddEntryKey(key, reason: first.origin.reason, by: actor)
        case .entryKey(.retired(let key)):
            RetireEntryKey(key, reason: first.origin.reason, by: actor)
        case .defaultAppChosen(let app):
            // Which one was seen is not recorded: it was replaced, so it stood there at the time.
            ChooseDefaultApp(
                app,
                seen: logState.defaultApp,
                reason: first.origin.reason,
                by: actor
            )
        }
    }

    private func command(of event: FreezeEvent, _ scope: Scope) -> (any Command)? {
        let reason = first.origin.reason
        switch event {
        case .started: return reason.map { StartFreeze(of: scope, reason: $0, by: actor) }
        case .ended: return EndFreeze(of: scope, reason: reason, by: actor)
        case .planned(let window):
            return reason.map { PlanFreeze(of: scope, window, reason: $0, by: actor) }
        case .planCancelled(let id):
            return CancelFreezePlan(id, of: scope, reason: reason, by: actor)
        case .planEnded where actor != .system:
            return EndFreeze(of: scope, reason: reason, by: actor)
        case .planStarted(let id), .planEnded(let id):
            return TurnFreezePlan(id, of: scope, reason: reason)
        }
    }

    /// Which policy was seen is not recorded: it was changed, so it was the one at the time.
    private func change(of scope: Scope, to policy: Policy?, in logState: LogState) -> ChangePolicy
    {
        ChangePolicy(
            of: scope,
            to: policy,
            seen: logState.policyInForce(in: scope).since ?? .start,
            reason: first.origin.reason,
            by: actor
        )
    }
}

// The commands about signing keys that an append may have come from.
extension RecordedAppend {
    /// Where a key was seen to stand is not recorded: it was brought on, so it was there at the
    /// time.
    func commandOfKeys(_ event: KeyEvent, in logState: LogState) -> any Command {
        switch event {
        case .keyAdded(let record): AddKey(record, reason: first.origin.reason, by: actor)
        case .keyActivated(let id, _): turn(id, .activate, in: logState)
        case .keyRetired(let id, _): turn(id, .retire, in: logState)
        case .keyCompromised(let id, _): turn(id, .compromise, in: logState)
        }
    }

    private func turn(_ id: KeyID, _ turn: TurnKey.Turn, in logState: LogState) -> TurnKey {
        TurnKey(
            id,
            turn,
            seen: logState.keyring.keys[id]?.since,
            reason: first.origin.reason,
            by: actor
        )
    }
}

// The commands about webhooks that an append may have come from.
extension RecordedAppend {
    func commandOfWebhook(_ event: WebhookEvent) -> any Command {
        let reason = first.origin.reason
        return switch event {
        case .webhookRegistered(let id, let settings, let key):
            RegisterWebhook(id, settings, key: key, by: actor)
        case .webhookSecretRotated(let id, let key, _):
            RotateWebhookSecret(of: id, key: key, by: actor)
        case .webhookDisabled(let id, let cause):
            DisableWebhook(id, cause: cause, reason: reason, by: actor)
        case .webhookEnabled(let id): EnableWebhook(id, reason: reason, by: actor)
        case .webhookReplayOrdered(let id, let since, let until):
            ReplayToWebhook(id, since: since, until: until, by: actor)
        case .webhookRemoved(let id): RemoveWebhook(id, reason: reason, by: actor)
        }
    }
}
