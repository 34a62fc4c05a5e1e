package import PlimsollDomain

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
    case webhookRegistered = "WebhookRegistered"
    case webhookSecretRotated = "WebhookSecretRotated"
    case webhookDisabled = "WebhookDisabled"
    case webhookEnabled = "WebhookEnabled"
    case webhookReplayOrdered = "WebhookReplayOrdered"
    case webhookRemoved = "WebhookRemoved"

    /// The shape in which events of this type are written today; older ones are read for ever.
    package var shape: Int {
        switch self {
        // 2: `fields`, and the request `lastGood`; 3: the request `revert`.
        case .rolledBack: 3
        // 2: `checks`; 3: `storeSeconds` and `blockedPercentMaximum`.
        // 4: rules for `offers`; 5: `releases`; 6: `shares`.
        case .policyChanged, .defaultPolicyChanged: 6
        // 2: `counted`.
        case .changeApproved: 2
        // 2: `princeOfVersions`; 3: `shippedLanguages` and `clients`.
        case .appRegistered: 3
        // 2: `shippedLanguages` and `clients`.
        case .appSettingsChanged: 2
        // 2: operations on offers; 3: values of every type in offers; 4: those on legacy offers.
        case .operationsAdded: 4
        // 2: values of every type.
        case .offersReplaced: 2
        // 2: `name`.
        case .releaseRegistered, .releaseAmended: 2
        // 2: `format`, `grouped` and `names`.
        case .webhookRegistered: 2
        default: 1
        }
    }
}

extension Event {
    package var type: EventType {
        switch self {
        case .app(let event): event.type
        case .change(let event): event.type
        case .access(let event): event.type
        case .key(let event): event.type
        case .service(let event): event.type
        case .export(.snapshotPublished): .snapshotPublished
        case .export(.publicationFailed): .publicationFailed
        case .webhook(let event): event.type
        }
    }
}

extension AppEvent {
    var type: EventType {
        switch self {
        case .appRegistered: .appRegistered
        case .appSettingsChanged: .appSettingsChanged
        case .thresholdSet: .thresholdSet
        case .valueCleared: .valueCleared
        case .thresholdCleared: .thresholdCleared
        case .textSet: .textSet
        case .textRemoved: .textRemoved
        case .offersReplaced: .offersReplaced
        case .legacyOfferReplaced: .legacyOfferReplaced
        case .rolledBack: .rolledBack
        case .renewalOrdered: .renewalOrdered
        case .policyChanged: .policyChanged
        case .freezeStarted: .freezeStarted
        case .freezeEnded: .freezeEnded
        case .freezePlan(.planned): .freezePlanned
        case .freezePlan(.cancelled): .freezePlanCancelled
        case .freezePlan(.started): .plannedFreezeStarted
        case .freezePlan(.ended): .plannedFreezeEnded
        case .rollbackReviewOrdered: .rollbackReviewOrdered
        case .rollbackReviewed: .rollbackReviewed
        case .releaseRegistered: .releaseRegistered
        case .releaseAmended: .releaseAmended
        case .releaseWithdrawn: .releaseWithdrawn
        case .versionSharesReplaced: .versionSharesReplaced
        }
    }
}

extension ChangeEvent {
    var type: EventType {
        switch self {
        case .changeProposed: .changeProposed
        case .operationsAdded: .operationsAdded
        case .changeApproved: .changeApproved
        case .changeRejected: .changeRejected
        case .changeWithdrawn: .changeWithdrawn
        case .changeApplied: .changeApplied
        case .changeRevised: .changeRevised
        case .changeScheduled: .changeScheduled
        case .changeCommented: .changeCommented
        case .checkOverridden: .checkOverridden
        case .changesRequested: .changesRequested
        case .changeOvertaken: .changeOvertaken
        case .changeSourced: .changeSourced
        case .changeSuperseded: .changeSuperseded
        case .changeSuspended: .changeSuspended
        case .changeEnded: .changeEnded
        case .emergencyApplied: .emergencyApplied
        case .emergencyReviewed: .emergencyReviewed
        }
    }
}

extension AccessEvent {
    var type: EventType {
        switch self {
        case .principalAdded: .principalAdded
        case .roleGranted: .roleGranted
        case .roleRevoked: .roleRevoked
        case .principalSuspended: .principalSuspended
        case .principalResumed: .principalResumed
        case .tokenIssued: .tokenIssued
        case .tokenRenewed: .tokenRenewed
        case .tokenRevoked: .tokenRevoked
        case .nameErased: .nameErased
        }
    }
}

extension KeyEvent {
    var type: EventType {
        switch self {
        case .keyAdded: .keyAdded
        case .keyActivated: .keyActivated
        case .keyRetired: .keyRetired
        case .keyCompromised: .keyCompromised
        }
    }
}

extension ServiceEvent {
    var type: EventType {
        switch self {
        case .defaultAppChosen: .defaultAppChosen
        case .defaultPolicyChanged: .defaultPolicyChanged
        case .serviceFreezeStarted: .serviceFreezeStarted
        case .serviceFreezeEnded: .serviceFreezeEnded
        case .freezePlan(.planned): .serviceFreezePlanned
        case .freezePlan(.cancelled): .serviceFreezePlanCancelled
        case .freezePlan(.started): .servicePlannedFreezeStarted
        case .freezePlan(.ended): .servicePlannedFreezeEnded
        }
    }
}

extension WebhookEvent {
    var type: EventType {
        switch self {
        case .webhookRegistered: .webhookRegistered
        case .webhookSecretRotated: .webhookSecretRotated
        case .webhookDisabled: .webhookDisabled
        case .webhookEnabled: .webhookEnabled
        case .webhookReplayOrdered: .webhookReplayOrdered
        case .webhookRemoved: .webhookRemoved
        }
    }
}
