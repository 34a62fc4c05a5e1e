/// A fact.
///
/// The names of the cases *are* the storage format: past tense, never renamed; when a shape grows
/// its shape version rises, and old shapes are read for ever.
package enum Event: Equatable, Sendable {
    case app(AppEvent)
    case change(ChangeEvent)
    case access(AccessEvent)
    case key(KeyEvent)
    case service(ServiceEvent)
    case export(ExportEvent)
    case webhook(WebhookEvent)
}

extension Event {
    /// Whether the event may stand in the stream; a log in which it does not has been tampered with.
    package func belongs(in stream: StreamName) -> Bool {
        switch (stream, self) {
        case (.app, .app), (.change, .change), (.access, .access), (.keys, .key),
            (.service, .service), (.export, .export), (.webhooks, .webhook):
            true
        case (.app, _), (.change, _), (.access, _), (.keys, _), (.service, _), (.export, _),
            (.webhooks, _):
            false
        }
    }
}

/// What happens to an app and its documents, on the stream `app/{slug}`.
package enum AppEvent: Equatable, Sendable {
    case appRegistered(AppSettings)
    /// Says all settings from then on.
    case appSettingsChanged(AppSettings)
    case thresholdSet(Platform, ThresholdName, VersionValue)
    /// Leaves the texts of the threshold.
    case valueCleared(Platform, ThresholdName)
    /// Takes the texts of the threshold along.
    case thresholdCleared(Platform, ThresholdName)
    case textSet(Platform, ThresholdName, TextPart, LanguageTag, Text)
    case textRemoved(Platform, ThresholdName, TextPart, LanguageTag)
    /// Says all offers of the platform from then on.
    case offersReplaced(Platform, [Offer])
    /// `nil`: it is derived again.
    case legacyOfferReplaced(Platform, LegacyOffer?)
    /// Says where to; the field events that make the difference follow in the same append.
    case rolledBack(RollbackRecord)
    /// What there is is to be published anew: the last signature grows old, or a store gets a release
    /// whose time was known.
    case renewalOrdered
    /// `nil` returns to the default of all apps.
    case policyChanged(Policy?)
    /// Nothing but rollbacks and emergencies applies to the app until it ends.
    case freezeStarted
    case freezeEnded
    case freezePlan(FreezePlanEvent)
    /// Follows `rolledBack` in the same append where the policy wants it looked at again.
    case rollbackReviewOrdered(ReviewOrder)
    /// Names the position of `rollbackReviewOrdered`.
    case rollbackReviewed(Position, ReviewVerdict)
    case releaseRegistered(Release)
    /// Says all that is known of the release from then on.
    case releaseAmended(Release)
    case releaseWithdrawn(Platform, VersionValue)
    case versionSharesReplaced(Platform, VersionShares)
}

/// What happens to a change, on the stream `change/{id}`.
package enum ChangeEvent: Equatable, Sendable {
    case changeProposed(app: AppSlug, title: Title, base: Position)
    /// Operations of the change, in parts that follow the proposal or a revision in the same
    /// append.
    case operationsAdded([Operation])
    /// Takes back all operations; the new ones follow.
    case changeRevised(title: Title, base: Position)
    /// `nil` takes the schedule away.
    case changeScheduled(Schedule?)
    case changeCommented(Reason)
    /// What is wanted stands in the reason.
    case changesRequested(digest: ChangeDigest)
    /// Says by which counts of devices the change was judged, where there were any.
    case changeApproved(
        digest: ChangeDigest,
        comment: Reason?,
        counted: [Platform: Position] = [:]
    )
    /// Why is the reason.
    case checkOverridden(CheckName, digest: ChangeDigest)
    case changeRejected(digest: ChangeDigest)
    case changeWithdrawn
    /// Where it comes from, such as a file of a repository; stands in the append that proposed it.
    case changeSourced(Title)
    /// Its author proposed another change from the same source, in the same append.
    case changeSuperseded(by: ChangeID)
    /// The field events stand before it, in the same append.
    case changeApplied(app: AppSlug, digest: ChangeDigest)
    /// Another change wrote fields of it while it waited for its time.
    case changeOvertaken(by: ChangeID)
    /// It came due and was not applied.
    case changeSuspended(SuspensionCause)
    /// Its time is over; the field events that take it back stand before it, in the same append.
    case changeEnded(app: AppSlug)
    /// It was applied at once and by one person, in the same append as it was proposed.
    case emergencyApplied(Emergency)
    /// Names the position of `emergencyApplied`.
    case emergencyReviewed(Position, ReviewVerdict)
}

/// What happens to principals and their tokens, on the stream `access`.
package enum AccessEvent: Equatable, Sendable {
    case principalAdded(PrincipalID)
    case roleGranted(PrincipalID, RoleGrant)
    case roleRevoked(PrincipalID, RoleGrant)
    /// It may do nothing, and its tokens are refused, until it is resumed.
    case principalSuspended(PrincipalID)
    case principalResumed(PrincipalID)
    case tokenIssued(TokenRecord)
    /// Its owner made it of another one of theirs, which ends by itself at the given time.
    case tokenRenewed(TokenRecord, of: TokenID, until: Instant)
    case tokenRevoked(TokenID)
    /// The name, which stands outside the log, is gone; the id and all that it did stay.
    case nameErased(PrincipalID)
}

/// What happens to signing keys, on the stream `keys`.
package enum KeyEvent: Equatable, Sendable {
    case keyAdded(KeyRecord)
    case keyActivated(KeyID, app: AppSlug)
    /// It signs nothing more.
    case keyRetired(KeyID, app: AppSlug)
    /// Somebody else may have its private half.
    case keyCompromised(KeyID, app: AppSlug)
}

/// What happens to the service as a whole, on the stream `service`.
package enum ServiceEvent: Equatable, Sendable {
    case defaultAppChosen(AppSlug)
    /// The policy of every app that has none of its own.
    case defaultPolicyChanged(Policy)
    /// Nothing but rollbacks and emergencies applies to any app until it ends.
    case serviceFreezeStarted
    case serviceFreezeEnded
    /// The same of every app.
    case freezePlan(FreezePlanEvent)
}

/// What happened outside the log, told back to it, on the stream `export/{app}`.
package enum ExportEvent: Equatable, Sendable {
    case snapshotPublished(PublicationRecord)
    case publicationFailed(sequence: SnapshotSequence, cause: String)
}

extension RecordedEvent {
    /// The app whose documents have to be published because of this event, if there is one.
    ///
    /// Whether other settings do is told by those before them: ``SettingsEffect``. What is said of
    /// releases during a freeze waits for its end: ``ReleasesTold``.
    package var ordersPublication: AppSlug? {
        switch (stream, event) {
        case (_, .change(.changeApplied(let app, _))), (_, .change(.changeEnded(let app))): app
        case (_, .key(.keyActivated(_, let app))), (_, .key(.keyRetired(_, let app))),
            (_, .key(.keyCompromised(_, let app))):
            app
        case (.app(let app), .app(.rolledBack)), (.app(let app), .app(.renewalOrdered)): app
        // Offers are derived from them.
        case (.app(let app), .app(.releaseRegistered)), (.app(let app), .app(.releaseAmended)),
            (.app(let app), .app(.releaseWithdrawn)):
            app
        default: nil
        }
    }
}

extension RecordedEvent {
    /// The settings that it brings an app, if it does.
    package var settings: AppSettings? {
        switch event {
        case .app(.appRegistered(let settings)), .app(.appSettingsChanged(let settings)): settings
        case .app, .change, .access, .key, .service, .export, .webhook: nil
        }
    }
}
