/// Why a command was refused: everything that stands in its way, at once.
package struct Refusal: Error, Equatable, Sendable {
    /// Never empty.
    package let objections: [Objection]

    package init(_ objections: [Objection]) {
        precondition(!objections.isEmpty, "a refusal says why")
        self.objections = objections
    }

    package init(_ objection: Objection) {
        self.init([objection])
    }
}

/// One thing that stands in a command's way.
package enum Objection: Equatable, Sendable {
    // What the command speaks of does not exist.
    case appUnknown(AppSlug)
    case changeUnknown(ChangeID)
    case principalUnknown(PrincipalID)
    /// The same where the address names them.
    case nobodyKnown(PrincipalID)
    case tokenUnknown(TokenID)
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

    // The world has moved on.
    case baseAhead(base: Position, head: Position)
    case changedSince(Field, FieldWrite, base: Position)
    case digestDiffers(ChangeID, seen: ChangeDigest, current: ChangeDigest)
    case targetDiffers(rehearsed: Position, now: Position)
    /// A rollback takes back another number of other people's changes than was counted.
    case undoesOthers([ChangeID], counted: Int)
    /// Others wrote a field after the change that is to be taken back.
    case overwritten(Field, FieldWrite?, ChangeID)
    case policyDiffers(Scope, seen: Position, current: Position)
    case policyUnseen(Scope, current: Position)
    case settingsDiffer(AppSlug, seen: Position, current: Position)
    case settingsUnseen(AppSlug, current: Position)
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
    case freezePlan(FreezePlanFault)
    case notDue(ChangeID, Instant)
    case timeOver(ChangeID, Instant)
    /// Another change, whose fields it would write, goes back before it does.
    case outlives(ChangeID, Instant)
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
    case signerUnusable(KeyID, reason: String)
    /// Nobody else could administer the service.
    case lastAdministrator
    /// They do nothing, and get nothing, until they are resumed.
    case suspended(PrincipalID)
    /// What was made of the token has a successor of its own.
    case renewedAlready(TokenID)

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
    /// The name reads like that of somebody else.
    case nameTaken(String)
    case scheduleEmpty
    case schedulePassed(Instant, now: Instant, at: Pointer)
    /// The schedule that a revision keeps is over.
    case keptSchedulePassed(ChangeID, Instant)
    case scheduleTooFar(Instant, latest: Instant)
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
}

/// Where in a request something stands (RFC 6901): `/operations/3/value`.
package struct Pointer: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package func appending(_ index: Int) -> Pointer { Pointer("\(text)/\(index)") }

    package func appending(_ member: String) -> Pointer { Pointer("\(text)/\(member)") }
}
