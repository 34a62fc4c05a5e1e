extension Objection {
    /// What is wrong: the subject, what was found, and what is needed.
    package var detail: String {
        switch self {
        case .appUnknown(let slug), .scopeUnknown(let slug, _): "There is no app \(slug)."
        case .changeUnknown(let id): "There is no change \(id)."
        case .principalUnknown(let id), .nobodyKnown(let id): "There is no principal \(id)."
        case .tokenUnknown(let id): "There is no valid token \(id)."
        case .sessionUnknown(let id): "There is no session \(id) that you may end."
        case .eventUnknown(let position, let head):
            "There is no event \(position); the log goes from 1 to \(head)."
        case .snapshotUnknown(let sequence, let slug):
            "There is no snapshot \(sequence) of the app \(slug)."
        case .platformUnknown(let slug, let platform, _):
            "The app \(slug) is not kept on \(platform.rawValue)."
        case .roleMissing(let role, .app(let slug)):
            "This needs the role \(role.rawValue) for the app \(slug)."
        case .roleMissing(let role, .all): "This needs the role \(role.rawValue) for all apps."
        case .recordOfApps(let apps):
            "The whole record needs the role auditor for all apps. You may read that of"
                + " \(apps.map(\.text).joined(separator: ", "))."
        case .ownWork(let id): "You are the author of change \(id); somebody else has to decide."
        case .dependsOnAuthor(let id):
            "Somebody who had a hand in change \(id), as its author or by counting devices meanwhile,"
                + " created you, or gave you a role or a token, so you cannot decide on it."
        case .authorDepends(let id):
            "You let the author of change \(id) in, or gave them a role or a token, so you cannot decide"
                + " on it."
        case .notTheAuthor(let id): "Only its author can withdraw change \(id)."
        case .baseAhead(let base, let head):
            "The change is based on position \(base), but the log ends at \(head)."
        case .changedSince(let field, let write, let base):
            "\(field) was changed at position \(write.position) by \(write.actor)"
                + (write.reason.map { " (\($0.text))" } ?? "")
                + ", after the position \(base) this change is based on."
        case .overwritten(let field, let write, let id):
            "\(field) is not as change \(id) left it"
                + (write.map { ": it was written at position \($0.position) by \($0.actor)" } ?? "")
                + (write?.reason.map { " (\($0.text))." } ?? ".")
        case .undoesOthers(let changes, let counted):
            "This takes back \(changes.count) changes of others, not \(counted)"
                + (changes.isEmpty
                    ? "." : ": \(changes.map(\.description).joined(separator: ", ")).")
        case .digestDiffers(let id, let seen, let current):
            "Change \(id) now has the digest \(current); what you saw had \(seen)."
        case .targetDiffers(let seen, let now):
            "This leads to event \(now) by now; what you saw led to event \(seen)."
        case .policyDiffers(let scope, let seen, let current):
            "The policy in force \(scope.place) is that of event \(current); what you saw was that of"
                + " event \(seen)."
        case .policyUnseen(let scope, let current):
            "There is a policy \(scope.place) already, that of event \(current), and you do not say"
                + " that you saw it."
        case .settingsDiffer(let slug, let seen, let current):
            "The settings of the app \(slug) are those of event \(current); what you saw were those of"
                + " event \(seen)."
        case .settingsUnseen(let slug, let current):
            "The app \(slug) has the settings of event \(current), and you do not say that you saw"
                + " them."
        case .changeClosed(let id, let state): "Change \(id) is already \(state.rawValue)."
        case .appExists(let slug): "There is an app \(slug) already."
        case .defaultAppExists(let slug): "The app \(slug) is the default app already."
        case .defaultAppDiffers(let slug):
            "The default app is \(slug?.text ?? "none"), and the request names another one."
        case .openChangesFull(let slug, let maximum):
            "The app \(slug) has \(maximum) changes that wait to be decided, and may have no more."
        case .ownChangesFull(let slug, let maximum):
            "\(maximum) changes of yours for the app \(slug) are open, which is the most."
        case .commentsFull(let id, let maximum):
            "Change \(id) has \(maximum) comments, and may have no more."
        case .listEmpty: "The list is empty; it needs at least one entry."
        case .listTooLong(let maximum, _): "The list is too long; at most \(maximum) are allowed."
        case .repeated(let what, _): "\(what) stands here for the second time."
        case .fallbackNotRequired(let language):
            "The fallback language \(language) is not among the languages of the app."
        case .platformDropped(let platform):
            "The app is kept on \(platform.rawValue), and no platform is taken away again."
        case .languageUnwritten(let field, _):
            "\(field) has no text, and the language would be required."
        case .thresholdUnknown(let platform, let name, _):
            "A document for \(platform.rawValue) has no threshold \(name.rawValue)."
        case .valueOfWrongKind(let kind, _): "The value needs to be \(kind.grammar)."
        case .nameUnneeded(let platform):
            "A version on \(platform.rawValue) is what people read; only version codes have a name."
        case .nothingChanges: "Everything is as this would make it already."
        case .textMissing(let field): "\(field) has no text, and the app requires that language."
        case .languagesAlike(let platform, let twins):
            "The document for \(platform.rawValue) would have texts in \(twins), which phones take for"
                + " one language: \(LanguageTwins.harm)."
        case .languageRepeated(let twins, _):
            "\(twins) are one language to phones, written in two ways."
        case .targetAhead(let target, let head):
            "There is no event \(target); the log ends at \(head)."
        case .targetBeforeApp(let slug): "The app \(slug) did not exist yet at that point."
        case .timeAhead(let time, let now): "\(time) has not come yet; it is \(now) now."
        case .changeNeverApplied(let id): "Change \(id) was never applied."
        case .notWritten(let field, let id, _): "Change \(id) did not write \(field)."
        case .expiryPassed(let end, let now): "The token would end on \(end), and it is \(now) now."
        case .personUnknown(let id, _): "There is no principal \(id)."
        case .reviewUnknown(let position): "There is no open review \(position)."
        case .contributed(let id):
            "You had a hand in change \(id), so you cannot decide on it."
        case .notAskedToApprove(let id, let kind, let requirement):
            "Change \(id) falls under the rule \(kind.rawValue), which needs \(requirement.words()), and"
                + " you are not one of them."
        case .ownReview(let position, _): "Review \(position) is of what you did yourself."
        case .reviewOfBenefactor(let position, _):
            "Review \(position) is of somebody who created you, or gave you a role or a token."
        case .proposedAlready(let id): "Your change \(id) from the same source says this already."
        case .approvedAlready(let id): "You have approved change \(id) as it is already."
        case .approvalsMissing(let id, let missing):
            "Change \(id) falls under the rule \(missing.kind.rawValue), which needs"
                + " \(missing.requirement.words()), and has \(missing.have)."
        case .changesWanted(let id): "A reviewer asked for something else in change \(id)."
        case .frozen(let freeze):
            "\(freeze.scope == .all ? "Everything is" : "The app is") frozen since \(freeze.since),"
                + " by \(freeze.by)\(freeze.end): only rollbacks and emergencies apply."
        case .frozenElsewhere(let freeze):
            "The app has no freeze of its own: everything is frozen since \(freeze.since), by"
                + " \(freeze.by)\(freeze.end)."
        case .freezePassed(let from, let now):
            "The freeze would begin at \(from), which is not after \(now)."
        case .freezeEndsFirst(let window):
            "The freeze would end at \(window.until), which is not after its beginning at"
                + " \(window.from)."
        case .freezeTooFar(let instant, let latest):
            "\(instant) is too far ahead; \(latest) is the latest."
        case .freezesOverlap(let plan):
            "A freeze is planned already from \(plan.window.from) until \(plan.window.until), by the"
                + " event \(plan.id)."
        case .freezePlansFull(let maximum):
            "\(maximum) freezes are planned already, which is the most."
        case .freezePlanUnknown(let id): "The event \(id) plans no freeze here that lies ahead."
        case .freezePlanStarted(let plan):
            "The freeze that the event \(plan.id) planned is in force since \(plan.window.from)."
        case .notDue(let id, let at): "Change \(id) is to be applied on \(at), not before."
        case .timeOver(let id, let until):
            "Change \(id) was to end on \(until), which has passed."
        case .outlives(let running, let until, _):
            "Change \(running) holds some of its fields until \(until), and it is to end no sooner:"
                + " its end would bring back for good what change \(running) had put there."
        case .fieldEnds(let field, let running, let until):
            "\(field) is as this needs it only until \(until), when change \(running) takes it back: it would"
                + " not stay."
        case .minimumEnds(let running, let until):
            "Change \(running) has put this minimum there, and takes it back on \(until): what it blocks"
                + " would run again."
        case .scheduleEmpty: "The schedule has neither a beginning nor an end."
        case .schedulePassed(let instant, let now, _): "\(instant) is not after \(now)."
        case .keptSchedulePassed(let id, let instant):
            "The revision keeps the schedule of change \(id), and its time \(instant) has passed."
        case .scheduleTooFar(let instant, let latest):
            "\(instant) is too far ahead; \(latest) is the latest."
        case .numberOutside(let range, _):
            "The number has to lie from \(range.lowerBound) to \(range.upperBound)."
        case .documentEmptied(let platform):
            "There was nothing yet in the document for \(platform.rawValue) at that point."
        case .neverLiveSoLong(let slug, let seconds):
            "No approved state of the app \(slug) was live for \(seconds) seconds."
        case .platformsAndFields: "Fields say their platforms themselves."
        case .proposeInstead(let slug):
            "To act at once needs the role responder for the app \(slug)."
        case .wouldLower(let field, let before, let after):
            "\(field) is \(before) already; \(after) would lower it and let versions run that do not"
                + " run now."
        case .blocksNobody(let version): "No version is below \(version)."
        case .platformNotKept(let slug, let platform):
            "The app \(slug) is not kept on \(platform.rawValue)."
        case .releaseUnknown(let slug, let platform, let version):
            "No release \(version) of the app \(slug) on \(platform.rawValue) is known."
        case .releaseExists(let known, let given):
            "The release \(known.version) on \(known.platform.rawValue) is registered already, and its"
                + " \(given.differences(from: known.facts).joined(separator: "; its "))."
        case .releasesFull(let slug, let maximum):
            "The app \(slug) has \(maximum) releases, and may have no more."
        case .checkRefused(let finding, _):
            "The check \(finding.check.rawValue) refuses it: \(finding.sentence)"
        case .webhookUnknown(let id): "There is no webhook \(id)."
        case .webhooksFull(.all, let maximum): "There are \(maximum) webhooks, and may be no more."
        case .webhooksFull(.app(let slug), let maximum):
            "There are \(maximum) webhooks of the app \(slug), and may be no more."
        case .placeRefused(let cause, _): "Events are not sent there: \(cause)."
        case .typeUnknown(let type, _): "There are no events of the type \(type.text)."
        case .keyUnknown(let id): "There is no key \(id)."
        case .entryKeyUnknown(let id): "Entries of the log were never authenticated with key \(id)."
        case .personKeyUnknown(let key, let id): "Principal \(id) does not sign with \(key)."
        case .personKeyKnown(let key, let id):
            "The key \(key) is or was one of principal \(id)'s; none is added a second time."
        case .personKeysFull(let id):
            "Principal \(id) signs with \(PersonKey.countMaximum) keys already."
        case .personKeyUnusable: "The bytes of the key are none of its kind."
        case .signatureNeeded(let id):
            "The policy counts approvals of change \(id) only where whoever gives one signs it."
        case .signatureRefused(let fault): fault.sentence
        case .entryKeyInUse(let id):
            "Entries of the log are authenticated with key \(id), or were less than a minute ago."
        case .keyDiffers(let id, let seen, let current):
            "Key \(id) is where event \(current) has brought it; what you saw was event \(seen)."
        case .keyUnseen(let id, let current):
            "Key \(id) is where event \(current) has brought it, and you do not say that you saw"
                + " it."
        case .keyExists(let id): "There is this key already, as \(id)."
        case .keyCompromised(let id): "Key \(id) is compromised, and will be for good."
        case .activeKeysFull(let slug, let maximum):
            "\(maximum) keys sign for the app \(slug), and there may be no more."
        case .lastActiveKey(let id, let slug, _):
            "Key \(id) is the only one that signs for the app \(slug); without it nothing could be"
                + " published."
        case .signerUnusable(let id, let reason):
            "Key \(id) cannot sign here: \(reason)."
        case .keyPlaceUnusable(let reason, _): "There is no key to be had: \(reason)."
        case .releasesReserved(let slug, let rule):
            "Releases of the app \(slug) fall under the rule releases, by which they are registered,"
                + " amended and withdrawn by \(rule.permitted())."
        case .sharesReserved(let slug, let rule):
            "Counts of devices of the app \(slug) fall under the rule shares, by which they are replaced and"
                + " removed by \(rule.permitted())."
        case .countsDiffer(let id, let platform, let seen, let current):
            "Devices on \(platform.rawValue) were counted anew by event \(current) since you looked at change"
                + " \(id), which was judged by "
                + (seen == .start ? "no count." : "the count of event \(seen).")
        case .lastAdministrator:
            "Nobody else who could come in is an administrator for all apps: everybody would be locked"
                + " out."
        case .suspended(let id): "Principal \(id) is suspended."
        case .renewedAlready(let id): "What was made of the token \(id) was renewed itself."
        case .expiryTooFar(let latest):
            "The new token may end on \(latest) at the latest: it lives no longer than the old one was to"
                + " live."
        case .invisibleCharacter(let fault, _): fault.sentence
        case .nameReserved(let word):
            "The name reads like \(word), which means the service itself."
        case .nameLikeID:
            "The name reads like the id of a principal, or like the beginning of one, which stands"
                + " for somebody without a name."
        case .nameTaken(let name): "The name \(name) reads like that of another principal."
        case .offerPlaceMissing(let platform, let missing, _): missing.sentence(on: platform)
        case .offerRefused(let fault, _): fault.finding
        case .offersTooLarge(let platform, _):
            "The offers of \(platform.rawValue) take more than \(Offer.weightMaximum) bytes."
        case .marketplaceUnknown(let slug): "The app \(slug) is no marketplace."
        case .itemTaken(let item, let slug, _): "\(item) is the AppleItemID of \(slug) already."
        case .domainTaken(let domain, let slug, _):
            "The domain \(domain) belongs to the marketplace \(slug)."
        case .packageOutdated(let known, let given):
            "Revision \(known.revision) of the package of version \(known.version) is known"
                + (given == known.revision
                    ? " with other facts." : ", and this is revision \(given).")
        case .packagesFull(let slug, let maximum):
            "The app \(slug) has \(maximum) packages, and may have no more."
        case .notificationsFull(let maximum):
            "\(maximum) notifications about apps that are not listed wait, and no more may."
        case .withdrawalsFull(let slug, let maximum):
            "\(maximum) packages of the app \(slug) were withdrawn that nobody has seen, and no more are"
                + " kept."
        case .marketplaceDiffers(let slug, let seen, let current):
            (current.map { "The marketplace \(slug) is that of event \($0)" }
                ?? "The app \(slug) is no marketplace")
                + "; what you saw was that of event \(seen)."
        case .marketplaceUnseen(let slug, let current):
            "The app \(slug) is the marketplace of event \(current) already, and you do not say that you"
                + " saw it."
        case .marketplaceInUse(let slug, let apps):
            "\(slug) lists \(apps.map(\.text).joined(separator: ", "))."
        case .marketplaceRefused(let fault, _): fault.sentence
        case .packageRefused(let fault, _): fault.sentence
        }
    }
}
