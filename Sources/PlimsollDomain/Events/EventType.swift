/// The name under which an event is stored.
///
/// The names are the storage format: none is ever changed or used again for something else.
package enum EventType: String, CaseIterable, Sendable {
    case appRegistered = "AppRegistered"
    case appSettingsChanged = "AppSettingsChanged"
    case thresholdSet = "ThresholdSet"
    case valueCleared = "ValueCleared"
    case thresholdCleared = "ThresholdCleared"
    case textSet = "TextSet"
    case textRemoved = "TextRemoved"
    case offersReplaced = "OffersReplaced"
    case legacyOfferReplaced = "LegacyOfferReplaced"
    case rolledBack = "RolledBack"
    case renewalOrdered = "RenewalOrdered"
    case changeProposed = "ChangeProposed"
    case operationsAdded = "OperationsAdded"
    case changeApproved = "ChangeApproved"
    case changeRejected = "ChangeRejected"
    case changeWithdrawn = "ChangeWithdrawn"
    case changeApplied = "ChangeApplied"
    case principalAdded = "PrincipalAdded"
    case roleGranted = "RoleGranted"
    case roleRevoked = "RoleRevoked"
    case personKeyAdded = "PersonKeyAdded"
    case personKeyRevoked = "PersonKeyRevoked"
    case principalSuspended = "PrincipalSuspended"
    case principalResumed = "PrincipalResumed"
    case tokenIssued = "TokenIssued"
    case tokenRenewed = "TokenRenewed"
    case tokenRevoked = "TokenRevoked"
    case nameErased = "NameErased"
    case keyAdded = "KeyAdded"
    case keyActivated = "KeyActivated"
    case keyRetired = "KeyRetired"
    case keyCompromised = "KeyCompromised"
    case defaultAppChosen = "DefaultAppChosen"
    case snapshotPublished = "SnapshotPublished"
    case publicationFailed = "PublicationFailed"
    case policyChanged = "PolicyChanged"
    case freezeStarted = "FreezeStarted"
    case freezeEnded = "FreezeEnded"
    case freezePlanned = "FreezePlanned"
    case freezePlanCancelled = "FreezePlanCancelled"
    case plannedFreezeStarted = "PlannedFreezeStarted"
    case plannedFreezeEnded = "PlannedFreezeEnded"
    case rollbackReviewOrdered = "RollbackReviewOrdered"
    case rollbackReviewed = "RollbackReviewed"
    case changeRevised = "ChangeRevised"
    case changeScheduled = "ChangeScheduled"
    case changeCommented = "ChangeCommented"
    case checkOverridden = "CheckOverridden"
    case changesRequested = "ChangesRequested"
    case changeOvertaken = "ChangeOvertaken"
    case changeSourced = "ChangeSourced"
    case changeSuperseded = "ChangeSuperseded"
    case changeSuspended = "ChangeSuspended"
    case changeEnded = "ChangeEnded"
    case emergencyApplied = "EmergencyApplied"
    case emergencyReviewed = "EmergencyReviewed"
    case defaultPolicyChanged = "DefaultPolicyChanged"
    case serviceFreezeStarted = "ServiceFreezeStarted"
    case serviceFreezeEnded = "ServiceFreezeEnded"
    case serviceFreezePlanned = "ServiceFreezePlanned"
    case serviceFreezePlanCancelled = "ServiceFreezePlanCancelled"
    case servicePlannedFreezeStarted = "ServicePlannedFreezeStarted"
    case servicePlannedFreezeEnded = "ServicePlannedFreezeEnded"
    case releaseRegistered = "ReleaseRegistered"
    case releaseAmended = "ReleaseAmended"
    case releaseWithdrawn = "ReleaseWithdrawn"
    case versionSharesReplaced = "VersionSharesReplaced"
    case packagesOffered = "PackagesOffered"
    case marketplaceSet = "MarketplaceSet"
    case marketplaceRemoved = "MarketplaceRemoved"
    case appListed = "AppListed"
    case appUnlisted = "AppUnlisted"
    case packageAnnounced = "PackageAnnounced"
    case packageIngested = "PackageIngested"
    case packagesWithdrawn = "PackagesWithdrawn"
    case notificationKept = "NotificationKept"
    case notificationsDropped = "NotificationsDropped"
    case accountForgotten = "AccountForgotten"
    case entryKeyAdded = "EntryKeyAdded"
    case entryKeyRetired = "EntryKeyRetired"
    case withdrawalReviewOrdered = "WithdrawalReviewOrdered"
    case withdrawalReviewed = "WithdrawalReviewed"
    case webhookRegistered = "WebhookRegistered"
    case webhookSecretRotated = "WebhookSecretRotated"
    case webhookDisabled = "WebhookDisabled"
    case webhookEnabled = "WebhookEnabled"
    case webhookReplayOrdered = "WebhookReplayOrdered"
    case webhookRemoved = "WebhookRemoved"

    /// The shape in which events of this type are written today; older ones are read for ever.
    package var shape: Int { declaration.shape }

    /// Those that an app's place in marketplaces is made of.
    package static let ofDistribution: [EventType] = [
        .marketplaceSet, .marketplaceRemoved, .appListed, .appUnlisted, .packageAnnounced,
        .packageIngested, .packagesWithdrawn,
    ]

    /// Every name, in the order of the alphabet.
    package static let names = allCases.map(\.rawValue).sorted()
}

extension EventType {
    /// What there is to know of it.
    ///
    /// A switch over all there are, so that nothing is written that is not read.
    package var declaration: any DeclaredEvent {
        switch self {
        case .appRegistered: AppEvents.appRegistered
        case .appSettingsChanged: AppEvents.appSettingsChanged
        case .thresholdSet: AppEvents.thresholdSet
        case .valueCleared: AppEvents.valueCleared
        case .thresholdCleared: AppEvents.thresholdCleared
        case .textSet: AppEvents.textSet
        case .textRemoved: AppEvents.textRemoved
        case .offersReplaced: AppEvents.offersReplaced
        case .legacyOfferReplaced: AppEvents.legacyOfferReplaced
        case .rolledBack: AppEvents.rolledBack
        case .renewalOrdered: AppEvents.renewalOrdered
        case .policyChanged: AppEvents.policyChanged
        case .freezeStarted: FreezeEvents.ofApp.started
        case .freezeEnded: FreezeEvents.ofApp.ended
        case .freezePlanned: FreezeEvents.ofApp.planned
        case .freezePlanCancelled: FreezeEvents.ofApp.planCancelled
        case .plannedFreezeStarted: FreezeEvents.ofApp.planStarted
        case .plannedFreezeEnded: FreezeEvents.ofApp.planEnded
        case .rollbackReviewOrdered: AppEvents.rollbackReviewOrdered
        case .rollbackReviewed: AppEvents.rollbackReviewed
        case .releaseRegistered: AppEvents.releaseRegistered
        case .releaseAmended: AppEvents.releaseAmended
        case .releaseWithdrawn: AppEvents.releaseWithdrawn
        case .versionSharesReplaced: AppEvents.versionSharesReplaced
        case .packagesOffered: AppEvents.packagesOffered
        case .marketplaceSet: MarketplaceEvents.set
        case .marketplaceRemoved: MarketplaceEvents.removed
        case .appListed: MarketplaceEvents.listed
        case .appUnlisted: MarketplaceEvents.unlisted
        case .packageAnnounced: MarketplaceEvents.announced
        case .packageIngested: MarketplaceEvents.ingested
        case .packagesWithdrawn: MarketplaceEvents.withdrawn
        case .notificationKept: ServiceEvents.notificationKept
        case .notificationsDropped: ServiceEvents.notificationsDropped
        case .accountForgotten: ServiceEvents.accountForgotten
        case .entryKeyAdded: ServiceEvents.entryKeyAdded
        case .entryKeyRetired: ServiceEvents.entryKeyRetired
        case .withdrawalReviewOrdered: MarketplaceEvents.reviewOrdered
        case .withdrawalReviewed: MarketplaceEvents.reviewed
        case .changeProposed: ChangeEvents.changeProposed
        case .operationsAdded: ChangeEvents.operationsAdded
        case .changeRevised: ChangeEvents.changeRevised
        case .changeScheduled: ChangeEvents.changeScheduled
        case .changeCommented: ChangeEvents.changeCommented
        case .changesRequested: ChangeEvents.changesRequested
        case .changeApproved: ChangeEvents.changeApproved
        case .checkOverridden: ChangeEvents.checkOverridden
        case .changeRejected: ChangeEvents.changeRejected
        case .changeWithdrawn: ChangeEvents.changeWithdrawn
        case .changeSourced: ChangeEvents.changeSourced
        case .changeSuperseded: ChangeEvents.changeSuperseded
        case .changeApplied: ChangeEvents.changeApplied
        case .changeOvertaken: ChangeEvents.changeOvertaken
        case .changeSuspended: ChangeEvents.changeSuspended
        case .changeEnded: ChangeEvents.changeEnded
        case .emergencyApplied: ChangeEvents.emergencyApplied
        case .emergencyReviewed: ChangeEvents.emergencyReviewed
        case .principalAdded: AccessEvents.principalAdded
        case .roleGranted: AccessEvents.roleGranted
        case .roleRevoked: AccessEvents.roleRevoked
        case .personKeyAdded: AccessEvents.personKeyAdded
        case .personKeyRevoked: AccessEvents.personKeyRevoked
        case .principalSuspended: AccessEvents.principalSuspended
        case .principalResumed: AccessEvents.principalResumed
        case .tokenIssued: AccessEvents.tokenIssued
        case .tokenRenewed: AccessEvents.tokenRenewed
        case .tokenRevoked: AccessEvents.tokenRevoked
        case .nameErased: AccessEvents.nameErased
        case .keyAdded: KeyEvents.keyAdded
        case .keyActivated: KeyEvents.keyActivated
        case .keyRetired: KeyEvents.keyRetired
        case .keyCompromised: KeyEvents.keyCompromised
        case .defaultAppChosen: ServiceEvents.defaultAppChosen
        case .defaultPolicyChanged: ServiceEvents.defaultPolicyChanged
        case .serviceFreezeStarted: FreezeEvents.ofEverything.started
        case .serviceFreezeEnded: FreezeEvents.ofEverything.ended
        case .serviceFreezePlanned: FreezeEvents.ofEverything.planned
        case .serviceFreezePlanCancelled: FreezeEvents.ofEverything.planCancelled
        case .servicePlannedFreezeStarted: FreezeEvents.ofEverything.planStarted
        case .servicePlannedFreezeEnded: FreezeEvents.ofEverything.planEnded
        case .snapshotPublished: ExportEvents.snapshotPublished
        case .publicationFailed: ExportEvents.publicationFailed
        case .webhookRegistered: WebhookEvents.webhookRegistered
        case .webhookSecretRotated: WebhookEvents.webhookSecretRotated
        case .webhookDisabled: WebhookEvents.webhookDisabled
        case .webhookEnabled: WebhookEvents.webhookEnabled
        case .webhookReplayOrdered: WebhookEvents.webhookReplayOrdered
        case .webhookRemoved: WebhookEvents.webhookRemoved
        }
    }
}
