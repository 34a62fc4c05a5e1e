/// What sort of objection it is; faces choose their status by it.
package enum ObjectionKind: Sendable {
    /// What it speaks of does not exist.
    case unknown
    /// The principal may not do it.
    case forbidden
    /// What is so by now stands in the way, or has to come first.
    case conflict
    /// The principal has as much of it as anybody may.
    case tooMuch
    /// The entity tag is not the current one.
    case stale
    /// There is something to be seen first, and no entity tag says that it was.
    case unseen
    /// It would change nothing.
    case noOperation
    /// What was asked for is not acceptable.
    case invalid
}

extension Objection {
    package var kind: ObjectionKind {
        switch self {
        case .appUnknown, .changeUnknown, .tokenUnknown, .eventUnknown,
            .snapshotUnknown, .reviewUnknown, .nobodyKnown, .platformNotKept, .releaseUnknown,
            .webhookUnknown, .keyUnknown:
            .unknown
        case .roleMissing, .recordOfApps, .ownWork, .dependsOnAuthor, .authorDepends, .notTheAuthor,
            .contributed, .notAskedToApprove, .ownReview, .reviewOfBenefactor, .proposeInstead,
            .releasesReserved, .sharesReserved:
            .forbidden
        case .changedSince, .overwritten, .undoesOthers, .changeClosed, .appExists,
            .defaultAppExists, .openChangesFull,
            .webhooksFull,
            .commentsFull, .approvalsMissing, .changesWanted, .frozen, .frozenElsewhere,
            .notDue, .timeOver, .outlives, .releaseExists, .releasesFull, .keyExists,
            .keyCompromised, .activeKeysFull, .lastActiveKey, .signerUnusable, .languageUnwritten,
            .lastAdministrator, .suspended, .renewedAlready, .nameTaken:
            .conflict
        case .freezePlan(let fault): fault.kind
        case .ownChangesFull: .tooMuch
        case .digestDiffers, .policyDiffers, .settingsDiffer, .keyDiffers, .targetDiffers,
            .countsDiffer, .defaultAppDiffers:
            .stale
        case .policyUnseen, .settingsUnseen, .keyUnseen: .unseen
        case .nothingChanges, .approvedAlready, .proposedAlready: .noOperation
        case .principalUnknown, .platformUnknown, .scopeUnknown, .baseAhead, .listEmpty,
            .listTooLong, .repeated, .fallbackNotRequired, .platformDropped, .thresholdUnknown,
            .valueOfWrongKind, .nameUnneeded,
            .textMissing, .languagesAlike, .languageRepeated, .targetAhead, .targetBeforeApp,
            .timeAhead, .changeNeverApplied, .notWritten,
            .expiryPassed, .expiryTooFar, .invisibleCharacter, .nameReserved,
            .personUnknown, .scheduleEmpty, .schedulePassed, .keptSchedulePassed, .scheduleTooFar,
            .numberOutside,
            .documentEmptied, .neverLiveSoLong, .platformsAndFields, .wouldLower,
            .blocksNobody, .checkRefused, .placeRefused, .typeUnknown, .keyPlaceUnusable,
            .offerPlaceMissing, .offerRefused, .offersTooLarge:
            .invalid
        }
    }

    /// A stable name for programs: the case's own.
    package var code: String {
        switch self {
        case .appUnknown: "appUnknown"
        case .changeUnknown: "changeUnknown"
        case .principalUnknown: "principalUnknown"
        case .nobodyKnown: "nobodyKnown"
        case .tokenUnknown: "tokenUnknown"
        case .eventUnknown: "eventUnknown"
        case .snapshotUnknown: "snapshotUnknown"
        case .platformUnknown: "platformUnknown"
        case .scopeUnknown: "scopeUnknown"
        case .roleMissing: "roleMissing"
        case .recordOfApps: "recordOfApps"
        case .ownWork: "ownWork"
        case .dependsOnAuthor: "dependsOnAuthor"
        case .authorDepends: "authorDepends"
        case .notTheAuthor: "notTheAuthor"
        case .baseAhead: "baseAhead"
        case .changedSince: "changedSince"
        case .overwritten: "overwritten"
        case .undoesOthers: "undoesOthers"
        case .digestDiffers: "digestDiffers"
        case .policyDiffers: "policyDiffers"
        case .targetDiffers: "targetDiffers"
        case .policyUnseen: "policyUnseen"
        case .settingsDiffer: "settingsDiffer"
        case .settingsUnseen: "settingsUnseen"
        case .changeClosed: "changeClosed"
        case .appExists: "appExists"
        case .defaultAppExists: "defaultAppExists"
        case .defaultAppDiffers: "defaultAppDiffers"
        case .openChangesFull: "openChangesFull"
        case .ownChangesFull: "ownChangesFull"
        case .proposedAlready: "proposedAlready"
        case .commentsFull: "commentsFull"
        case .listEmpty: "listEmpty"
        case .listTooLong: "listTooLong"
        case .repeated: "repeated"
        case .fallbackNotRequired: "fallbackNotRequired"
        case .platformDropped: "platformDropped"
        case .languageUnwritten: "languageUnwritten"
        case .thresholdUnknown: "thresholdUnknown"
        case .valueOfWrongKind: "valueOfWrongKind"
        case .nameUnneeded: "nameUnneeded"
        case .nothingChanges: "nothingChanges"
        case .textMissing: "textMissing"
        case .languagesAlike: "languagesAlike"
        case .languageRepeated: "languageRepeated"
        case .targetAhead: "targetAhead"
        case .targetBeforeApp: "targetBeforeApp"
        case .timeAhead: "timeAhead"
        case .changeNeverApplied: "changeNeverApplied"
        case .notWritten: "notWritten"
        case .expiryPassed: "expiryPassed"
        case .personUnknown: "personUnknown"
        case .reviewUnknown: "reviewUnknown"
        case .contributed: "contributed"
        case .notAskedToApprove: "notAskedToApprove"
        case .ownReview: "ownReview"
        case .reviewOfBenefactor: "reviewOfBenefactor"
        case .approvedAlready: "approvedAlready"
        case .approvalsMissing: "approvalsMissing"
        case .changesWanted: "changesWanted"
        case .frozen: "frozen"
        case .frozenElsewhere: "frozenElsewhere"
        case .freezePlan(.passed): "freezePassed"
        case .freezePlan(.endsFirst): "freezeEndsFirst"
        case .freezePlan(.tooFar): "freezeTooFar"
        case .freezePlan(.overlaps): "freezesOverlap"
        case .freezePlan(.tooMany): "freezePlansFull"
        case .freezePlan(.unknown): "freezePlanUnknown"
        case .freezePlan(.started): "freezePlanStarted"
        case .notDue: "notDue"
        case .timeOver: "timeOver"
        case .outlives: "outlives"
        case .scheduleEmpty: "scheduleEmpty"
        case .schedulePassed: "schedulePassed"
        case .keptSchedulePassed: "keptSchedulePassed"
        case .scheduleTooFar: "scheduleTooFar"
        case .numberOutside: "numberOutside"
        case .documentEmptied: "documentEmptied"
        case .neverLiveSoLong: "neverLiveSoLong"
        case .platformsAndFields: "platformsAndFields"
        case .proposeInstead: "proposeInstead"
        case .wouldLower: "wouldLower"
        case .blocksNobody: "blocksNobody"
        case .releasesReserved: "releasesReserved"
        case .sharesReserved: "sharesReserved"
        case .countsDiffer: "countsDiffer"
        case .offerPlaceMissing: "offerPlaceMissing"
        case .offerRefused: "offerRefused"
        case .offersTooLarge: "offersTooLarge"
        case .checkRefused: "checkRefused"
        case .platformNotKept: "platformNotKept"
        case .releaseUnknown: "releaseUnknown"
        case .releaseExists: "releaseExists"
        case .releasesFull: "releasesFull"
        case .webhookUnknown: "webhookUnknown"
        case .webhooksFull: "webhooksFull"
        case .placeRefused: "placeRefused"
        case .typeUnknown: "typeUnknown"
        case .keyUnknown: "keyUnknown"
        case .keyDiffers: "keyDiffers"
        case .keyUnseen: "keyUnseen"
        case .keyExists: "keyExists"
        case .keyCompromised: "keyCompromised"
        case .activeKeysFull: "activeKeysFull"
        case .lastActiveKey: "lastActiveKey"
        case .signerUnusable: "signerUnusable"
        case .lastAdministrator: "lastAdministrator"
        case .suspended: "suspended"
        case .renewedAlready: "renewedAlready"
        case .expiryTooFar: "expiryTooFar"
        case .invisibleCharacter: "invisibleCharacter"
        case .nameReserved: "nameReserved"
        case .nameTaken: "nameTaken"
        case .keyPlaceUnusable: "keyPlaceUnusable"
        }
    }

    /// Where in the request it stands, if it stands at one place.
    package var pointer: Pointer? {
        switch self {
        case .platformUnknown(_, _, let pointer), .scopeUnknown(_, let pointer),
            .listEmpty(let pointer), .listTooLong(_, let pointer), .repeated(_, let pointer),
            .thresholdUnknown(_, _, let pointer), .valueOfWrongKind(_, let pointer),
            .personUnknown(_, let pointer), .schedulePassed(_, _, let pointer),
            .numberOutside(_, let pointer), .placeRefused(_, let pointer),
            .typeUnknown(_, let pointer), .keyPlaceUnusable(_, let pointer),
            .offerPlaceMissing(_, _, let pointer), .offerRefused(_, let pointer),
            .offersTooLarge(_, let pointer), .languageUnwritten(_, let pointer),
            .languageRepeated(_, let pointer), .notWritten(_, _, let pointer),
            .invisibleCharacter(_, let pointer):
            pointer
        case .baseAhead: "/base"
        case .changedSince: "/base"
        case .appExists: "/slug"
        case .defaultAppExists: "/default"
        case .fallbackNotRequired: "/fallbackLanguage"
        case .platformDropped: "/platforms"
        case .nameUnneeded: "/name"
        case .textMissing, .languagesAlike, .checkRefused: "/operations"
        case .targetDiffers: "/target"
        case .undoesOthers: "/undoing"
        case .countsDiffer: "/counted"
        case .defaultAppDiffers: "/from"
        case .overwritten: "/to"
        case .targetAhead, .targetBeforeApp, .timeAhead, .changeNeverApplied: "/to"
        case .principalUnknown: "/principal"
        case .expiryPassed, .expiryTooFar: "/expiresAt"
        case .nameReserved, .nameTaken: "/name"
        case .documentEmptied, .neverLiveSoLong: "/to"
        case .platformsAndFields: "/platforms"
        case .wouldLower, .blocksNobody: "/below"
        case .scheduleEmpty, .keptSchedulePassed, .scheduleTooFar, .outlives: "/schedule"
        case .freezePlan(let fault): fault.pointer
        case .appUnknown, .changeUnknown, .tokenUnknown, .eventUnknown, .snapshotUnknown,
            .nothingChanges, .roleMissing, .recordOfApps, .ownWork, .dependsOnAuthor,
            .authorDepends,
            .notTheAuthor, .digestDiffers, .policyDiffers, .policyUnseen, .settingsDiffer,
            .settingsUnseen, .changeClosed,
            .reviewUnknown, .contributed, .notAskedToApprove,
            .ownReview, .reviewOfBenefactor, .approvedAlready, .proposedAlready, .approvalsMissing,
            .changesWanted,
            .frozen, .frozenElsewhere, .notDue, .timeOver, .openChangesFull, .ownChangesFull,
            .commentsFull,
            .nobodyKnown, .proposeInstead, .platformNotKept,
            .releaseUnknown, .releaseExists, .releasesFull, .releasesReserved, .sharesReserved,
            .webhookUnknown,
            .webhooksFull,
            .keyUnknown, .keyDiffers, .keyUnseen, .keyExists, .keyCompromised, .activeKeysFull,
            .lastActiveKey, .signerUnusable, .lastAdministrator, .suspended, .renewedAlready:
            nil
        }
    }
}
