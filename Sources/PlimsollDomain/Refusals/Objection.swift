/// One thing that stands in a command's way.
package enum Objection: Equatable, Sendable {
    // What the command speaks of does not exist.
    case appUnknown(AppSlug)
    case changeUnknown(ChangeID)
    case principalUnknown(PrincipalID)
    /// The same where the address names them.
    case nobodyKnown(PrincipalID)
    case tokenUnknown(TokenID)
    case sessionUnknown(SessionID)
    case eventUnknown(Position, head: Position)
    case snapshotUnknown(SnapshotSequence, AppSlug)
    case platformUnknown(AppSlug, Platform, at: Pointer)
    case scopeUnknown(AppSlug, at: Pointer)
    case personUnknown(PrincipalID, at: Pointer)
    case reviewUnknown(Position)
    case platformNotKept(AppSlug, Platform)
    case releaseUnknown(AppSlug, Platform, VersionValue)
    case webhookUnknown(WebhookID)
    case keyUnknown(KeyID)
    case entryKeyUnknown(EntryKeyID)
    case personKeyUnknown(PersonKey, of: PrincipalID)
    case freezePlanUnknown(Position)
    case marketplaceUnknown(AppSlug)

    // The principal may not do it.
    case roleMissing(Role, Scope)
    /// They may read the record of these apps, and asked for more.
    case recordOfApps([AppSlug])
    case ownWork(ChangeID)
    case dependsOnAuthor(ChangeID)
    case authorDepends(ChangeID)
    case notTheAuthor(ChangeID)
    case contributed(ChangeID)
    case notAskedToApprove(ChangeID, ChangeKind, ApprovalRequirement)
    case ownReview(Position, reviewers: [PrincipalID])
    case reviewOfBenefactor(Position, reviewers: [PrincipalID])
    /// Only a responder acts alone, but the principal may propose it.
    case proposeInstead(AppSlug)

    // The state has moved on.
    case baseAhead(base: Position, head: Position)
    case changedSince(Field, FieldWrite, base: Position)
    case digestDiffers(ChangeID, seen: ChangeDigest, current: ChangeDigest)
    case targetDiffers(seen: Position, now: Position)
    /// A rollback takes back another number of other people's changes than was counted.
    case undoesOthers([ChangeID], counted: Int)
    /// Others wrote a field after the change that is to be taken back.
    case overwritten(Field, FieldWrite?, ChangeID)
    case policyDiffers(Scope, seen: Position, current: Position)
    case policyUnseen(Scope, current: Position)
    case settingsDiffer(AppSlug, seen: Position, current: Position)
    case settingsUnseen(AppSlug, current: Position)
    /// `nil` where the app is none by now.
    case marketplaceDiffers(AppSlug, seen: Position, current: Position?)
    case marketplaceUnseen(AppSlug, current: Position)
    /// Apps are listed in it.
    case marketplaceInUse(AppSlug, [AppSlug])
    case changeClosed(ChangeID, ChangeState)
    case appExists(AppSlug)
    case defaultAppExists(AppSlug)
    /// Another app stands at the addresses without a name than was seen there; `nil`: none does.
    case defaultAppDiffers(AppSlug?)
    case openChangesFull(AppSlug, maximum: Int)
    case ownChangesFull(AppSlug, maximum: Int)
    /// An open change of the same author from the same source says the same.
    case proposedAlready(ChangeID)
    case commentsFull(ChangeID, maximum: Int)
    /// Those of an app, or all there are.
    case webhooksFull(Scope, maximum: Int)
    case approvedAlready(ChangeID)
    case approvalsMissing(ChangeID, MissingApproval)
    case changesWanted(ChangeID)
    case frozen(Freeze)
    /// The app has no freeze of its own to end; everything is frozen.
    case frozenElsewhere(Freeze)
    case freezesOverlap(FreezePlan)
    case freezePlansFull(maximum: Int)
    /// It is in force, and can only be ended.
    case freezePlanStarted(FreezePlan)
    case notDue(ChangeID, Instant)
    case timeOver(ChangeID, Instant)
    /// Another change, whose fields it would write, goes back before it does.
    case outlives(ChangeID, Instant, at: Pointer?)
    /// It would write what another change had put there and takes back, which decides nothing.
    case fieldEnds(Field, ChangeID, Instant)
    /// What a block asks for stands there until a change ends.
    case minimumEnds(ChangeID, Instant)
    case releaseExists(Release, given: ReleaseFacts)
    case releasesFull(AppSlug, maximum: Int)
    /// The policy lets only these say which releases there are.
    case releasesReserved(AppSlug, FactRule)
    /// The policy lets only these say how many devices there are.
    case sharesReserved(AppSlug, FactRule)
    /// Devices were counted anew since somebody looked.
    case countsDiffer(ChangeID, Platform, seen: Position, current: Position)
    case keyDiffers(KeyID, seen: Position, current: Position)
    case keyUnseen(KeyID, current: Position)
    case keyExists(KeyID)
    case keyCompromised(KeyID)
    case activeKeysFull(AppSlug, maximum: Int)
    /// Names the keys that could take its place.
    case lastActiveKey(KeyID, AppSlug, standby: [KeyID])
    /// No other was added, or the instances may not all use it yet.
    case entryKeyInUse(EntryKeyID)
    /// It is or was somebody's, who may be the same.
    case personKeyKnown(PersonKey, of: PrincipalID)
    case personKeysFull(PrincipalID)
    case signerUnusable(KeyID, reason: String)
    /// Nobody else could administer the service.
    case lastAdministrator
    /// They do nothing, and get nothing, until they are resumed.
    case suspended(PrincipalID)
    /// What was made of the token has a successor of its own.
    case renewedAlready(TokenID)
    /// Another marketplace, or another app of it, has the AppleItemID.
    case itemTaken(AppleItemID, AppSlug, at: Pointer)
    case domainTaken(DomainName, AppSlug, at: Pointer)
    /// Apple has made the package anew since.
    case packageOutdated(Package, given: Int64)
    case packagesFull(AppSlug, maximum: Int)
    case notificationsFull(maximum: Int)
    /// Of those that nobody has seen.
    case withdrawalsFull(AppSlug, maximum: Int)

    // What is asked for makes no sense, or no good document.
    case listEmpty(at: Pointer)
    case listTooLong(maximum: Int, at: Pointer)
    case repeated(String, at: Pointer)
    case fallbackNotRequired(LanguageTag)
    /// An app is kept on a platform for good.
    case platformDropped(Platform)
    /// What a document lacks in a language that is to be required.
    case languageUnwritten(Field, at: Pointer)
    case thresholdUnknown(Platform, ThresholdName, at: Pointer)
    case valueOfWrongKind(VersionKind, at: Pointer)
    /// The versions of the platform are what people read.
    case nameUnneeded(Platform)
    case nothingChanges
    case textMissing(Field)
    /// Phones take two languages of the document for one.
    case languagesAlike(Platform, LanguageTwins)
    /// The same among the languages that an app names.
    case languageRepeated(LanguageTwins, at: Pointer)
    case targetAhead(Position, head: Position)
    case targetBeforeApp(AppSlug)
    case timeAhead(Instant, now: Instant)
    case changeNeverApplied(ChangeID)
    /// The change that is taken back did not write it.
    case notWritten(Field, ChangeID, at: Pointer)
    case expiryPassed(Instant, now: Instant)
    case expiryTooFar(latest: Instant)
    /// What phones draw nothing for, where the language does not need it.
    case invisibleCharacter(TextFault, at: Pointer)
    /// The name reads like a word that means the service itself.
    case nameReserved(String)
    /// The name reads like the id of somebody, or the beginning of one.
    case nameLikeID
    /// The name reads like that of somebody else.
    case nameTaken(String)
    case scheduleEmpty
    case schedulePassed(Instant, now: Instant, at: Pointer)
    /// The schedule that a revision keeps is over.
    case keptSchedulePassed(ChangeID, Instant)
    case scheduleTooFar(Instant, latest: Instant)
    case freezePassed(Instant, now: Instant)
    case freezeEndsFirst(FreezeWindow)
    case freezeTooFar(Instant, latest: Instant)
    case numberOutside(ClosedRange<Int64>, at: Pointer)
    case documentEmptied(Platform)
    case neverLiveSoLong(AppSlug, Int64)
    case platformsAndFields
    case wouldLower(Field, VersionValue, VersionValue)
    case blocksNobody(VersionValue)
    case checkRefused(CheckFinding, overridableBy: Role?)
    case offerPlaceMissing(Platform, OfferPlaceMissing, at: Pointer)
    case offerRefused(OfferFault, at: Pointer)
    case offersTooLarge(Platform, at: Pointer)
    /// Why events cannot be sent there.
    case placeRefused(String, at: Pointer)
    case typeUnknown(EventName, at: Pointer)
    case keyPlaceUnusable(reason: String, at: Pointer)
    case marketplaceRefused(MarketplaceFault, at: Pointer)
    case packageRefused(PackageFault, at: Pointer)
    /// The bytes are no key of its kind.
    case personKeyUnusable
    /// The policy counts only signed approvals of those that they may give.
    case signatureNeeded(ChangeID)
    case signatureRefused(SignatureFault)
}

extension Objection {
    /// What programs are told: the kind, a stable name, and where in the request it stands.
    ///
    /// Faces choose their status by the kind; `docs/reference/problems.md` has the same table.
    private var facts: (kind: ObjectionKind, code: String, pointer: Pointer?) {
        switch self {
        case .appUnknown: (.unknown, "appUnknown", nil)
        case .changeUnknown: (.unknown, "changeUnknown", nil)
        case .principalUnknown: (.invalid, "principalUnknown", "/principal")
        case .nobodyKnown: (.unknown, "nobodyKnown", nil)
        case .tokenUnknown: (.unknown, "tokenUnknown", nil)
        case .sessionUnknown: (.unknown, "sessionUnknown", nil)
        case .eventUnknown: (.unknown, "eventUnknown", nil)
        case .snapshotUnknown: (.unknown, "snapshotUnknown", nil)
        case .platformUnknown(_, _, let pointer): (.invalid, "platformUnknown", pointer)
        case .scopeUnknown(_, let pointer): (.invalid, "scopeUnknown", pointer)
        case .personUnknown(_, let pointer): (.invalid, "personUnknown", pointer)
        case .reviewUnknown: (.unknown, "reviewUnknown", nil)
        case .platformNotKept: (.unknown, "platformNotKept", nil)
        case .releaseUnknown: (.unknown, "releaseUnknown", nil)
        case .webhookUnknown: (.unknown, "webhookUnknown", nil)
        case .keyUnknown: (.unknown, "keyUnknown", nil)
        case .entryKeyUnknown: (.unknown, "entryKeyUnknown", nil)
        case .personKeyUnknown: (.invalid, "personKeyUnknown", "/key")
        case .freezePlanUnknown: (.unknown, "freezePlanUnknown", nil)
        case .marketplaceUnknown: (.unknown, "marketplaceUnknown", nil)
        case .roleMissing: (.forbidden, "roleMissing", nil)
        case .recordOfApps: (.forbidden, "recordOfApps", nil)
        case .ownWork: (.forbidden, "ownWork", nil)
        case .dependsOnAuthor: (.forbidden, "dependsOnAuthor", nil)
        case .authorDepends: (.forbidden, "authorDepends", nil)
        case .notTheAuthor: (.forbidden, "notTheAuthor", nil)
        case .contributed: (.forbidden, "contributed", nil)
        case .notAskedToApprove: (.forbidden, "notAskedToApprove", nil)
        case .ownReview: (.forbidden, "ownReview", nil)
        case .reviewOfBenefactor: (.forbidden, "reviewOfBenefactor", nil)
        case .proposeInstead: (.forbidden, "proposeInstead", nil)
        case .baseAhead: (.invalid, "baseAhead", "/base")
        case .changedSince: (.conflict, "changedSince", "/base")
        case .digestDiffers: (.stale, "digestDiffers", nil)
        case .targetDiffers: (.stale, "targetDiffers", "/target")
        case .undoesOthers: (.conflict, "undoesOthers", "/undoing")
        case .overwritten: (.conflict, "overwritten", "/to")
        case .policyDiffers: (.stale, "policyDiffers", nil)
        case .policyUnseen: (.unseen, "policyUnseen", nil)
        case .settingsDiffer: (.stale, "settingsDiffer", nil)
        case .settingsUnseen: (.unseen, "settingsUnseen", nil)
        case .marketplaceDiffers: (.stale, "marketplaceDiffers", nil)
        case .marketplaceUnseen: (.unseen, "marketplaceUnseen", nil)
        case .marketplaceInUse: (.conflict, "marketplaceInUse", nil)
        case .changeClosed: (.conflict, "changeClosed", nil)
        case .appExists: (.conflict, "appExists", "/slug")
        case .defaultAppExists: (.conflict, "defaultAppExists", "/default")
        case .defaultAppDiffers: (.stale, "defaultAppDiffers", "/from")
        case .openChangesFull: (.conflict, "openChangesFull", nil)
        case .ownChangesFull: (.tooMuch, "ownChangesFull", nil)
        case .proposedAlready: (.noOperation, "proposedAlready", nil)
        case .commentsFull: (.conflict, "commentsFull", nil)
        case .webhooksFull: (.conflict, "webhooksFull", nil)
        case .approvedAlready: (.noOperation, "approvedAlready", nil)
        case .approvalsMissing: (.conflict, "approvalsMissing", nil)
        case .changesWanted: (.conflict, "changesWanted", nil)
        case .frozen: (.conflict, "frozen", nil)
        case .frozenElsewhere: (.conflict, "frozenElsewhere", nil)
        case .freezesOverlap: (.conflict, "freezesOverlap", "/from")
        case .freezePlansFull: (.conflict, "freezePlansFull", nil)
        case .freezePlanStarted: (.conflict, "freezePlanStarted", nil)
        case .notDue: (.conflict, "notDue", nil)
        case .timeOver: (.conflict, "timeOver", nil)
        case .fieldEnds: (.conflict, "fieldEnds", "/operations")
        case .minimumEnds: (.conflict, "minimumEnds", "/below")
        case .releaseExists: (.conflict, "releaseExists", nil)
        case .releasesFull: (.conflict, "releasesFull", nil)
        case .releasesReserved: (.forbidden, "releasesReserved", nil)
        case .sharesReserved: (.forbidden, "sharesReserved", nil)
        case .countsDiffer: (.stale, "countsDiffer", "/counted")
        case .keyDiffers: (.stale, "keyDiffers", nil)
        case .keyUnseen: (.unseen, "keyUnseen", nil)
        case .keyExists: (.conflict, "keyExists", nil)
        case .keyCompromised: (.conflict, "keyCompromised", nil)
        case .activeKeysFull: (.conflict, "activeKeysFull", nil)
        case .lastActiveKey: (.conflict, "lastActiveKey", nil)
        case .entryKeyInUse: (.conflict, "entryKeyInUse", nil)
        case .personKeyKnown: (.conflict, "personKeyKnown", "/key")
        case .personKeysFull: (.conflict, "personKeysFull", nil)
        case .signerUnusable: (.conflict, "signerUnusable", nil)
        case .lastAdministrator: (.conflict, "lastAdministrator", nil)
        case .suspended: (.conflict, "suspended", nil)
        case .renewedAlready: (.conflict, "renewedAlready", nil)
        case .itemTaken(_, _, let pointer): (.conflict, "itemTaken", pointer)
        case .domainTaken(_, _, let pointer): (.conflict, "domainTaken", pointer)
        case .packageOutdated: (.conflict, "packageOutdated", "/revision")
        case .packagesFull: (.conflict, "packagesFull", nil)
        case .notificationsFull: (.conflict, "notificationsFull", nil)
        case .withdrawalsFull: (.conflict, "withdrawalsFull", nil)
        case .listEmpty(let pointer): (.invalid, "listEmpty", pointer)
        case .listTooLong(_, let pointer): (.invalid, "listTooLong", pointer)
        case .repeated(_, let pointer): (.invalid, "repeated", pointer)
        case .fallbackNotRequired: (.invalid, "fallbackNotRequired", "/fallbackLanguage")
        case .platformDropped: (.invalid, "platformDropped", "/platforms")
        case .languageUnwritten(_, let pointer): (.conflict, "languageUnwritten", pointer)
        case .thresholdUnknown(_, _, let pointer): (.invalid, "thresholdUnknown", pointer)
        case .valueOfWrongKind(_, let pointer): (.invalid, "valueOfWrongKind", pointer)
        case .nameUnneeded: (.invalid, "nameUnneeded", "/name")
        case .nothingChanges: (.noOperation, "nothingChanges", nil)
        case .textMissing: (.invalid, "textMissing", "/operations")
        case .languagesAlike: (.invalid, "languagesAlike", "/operations")
        case .languageRepeated(_, let pointer): (.invalid, "languageRepeated", pointer)
        case .targetAhead: (.invalid, "targetAhead", "/to")
        case .targetBeforeApp: (.invalid, "targetBeforeApp", "/to")
        case .timeAhead: (.invalid, "timeAhead", "/to")
        case .changeNeverApplied: (.invalid, "changeNeverApplied", "/to")
        case .notWritten(_, _, let pointer): (.invalid, "notWritten", pointer)
        case .expiryPassed: (.invalid, "expiryPassed", "/expiresAt")
        case .expiryTooFar: (.invalid, "expiryTooFar", "/expiresAt")
        case .invisibleCharacter(_, let pointer): (.invalid, "invisibleCharacter", pointer)
        case .nameReserved: (.invalid, "nameReserved", "/name")
        case .nameLikeID: (.invalid, "nameLikeID", "/name")
        case .nameTaken: (.conflict, "nameTaken", "/name")
        case .scheduleEmpty: (.invalid, "scheduleEmpty", "/schedule")
        case .outlives(_, _, let pointer): (.conflict, "outlives", pointer)
        case .schedulePassed(_, _, let pointer): (.invalid, "schedulePassed", pointer)
        case .keptSchedulePassed: (.invalid, "keptSchedulePassed", "/schedule")
        case .scheduleTooFar: (.invalid, "scheduleTooFar", "/schedule")
        case .freezePassed: (.invalid, "freezePassed", "/from")
        case .freezeEndsFirst: (.invalid, "freezeEndsFirst", "/until")
        case .freezeTooFar: (.invalid, "freezeTooFar", "/from")
        case .numberOutside(_, let pointer): (.invalid, "numberOutside", pointer)
        case .documentEmptied: (.invalid, "documentEmptied", "/to")
        case .neverLiveSoLong: (.invalid, "neverLiveSoLong", "/to")
        case .platformsAndFields: (.invalid, "platformsAndFields", "/platforms")
        case .wouldLower: (.invalid, "wouldLower", "/below")
        case .blocksNobody: (.invalid, "blocksNobody", "/below")
        case .checkRefused: (.invalid, "checkRefused", "/operations")
        case .offerPlaceMissing(_, _, let pointer): (.invalid, "offerPlaceMissing", pointer)
        case .offerRefused(_, let pointer): (.invalid, "offerRefused", pointer)
        case .offersTooLarge(_, let pointer): (.invalid, "offersTooLarge", pointer)
        case .placeRefused(_, let pointer): (.invalid, "placeRefused", pointer)
        case .typeUnknown(_, let pointer): (.invalid, "typeUnknown", pointer)
        case .keyPlaceUnusable(_, let pointer): (.invalid, "keyPlaceUnusable", pointer)
        case .marketplaceRefused(_, let pointer): (.invalid, "marketplaceRefused", pointer)
        case .packageRefused(_, let pointer): (.invalid, "packageRefused", pointer)
        case .personKeyUnusable: (.invalid, "personKeyUnusable", "/key")
        case .signatureNeeded: (.invalid, "signatureNeeded", "/signature")
        case .signatureRefused(let fault): (.invalid, "signatureRefused", fault.pointer)
        }
    }

    package var kind: ObjectionKind { facts.kind }

    /// A stable name for programs: the case's own.
    package var code: String { facts.code }

    /// Where in the request it stands, if it stands at one place.
    package var pointer: Pointer? { facts.pointer }
}
