extension Objection {
    /// What clears it.
    package var remedy: String {
        switch self {
        case .appUnknown, .scopeUnknown: "List the apps to see what there is."
        case .changeUnknown: "List the changes to see what there is."
        case .tokenUnknown: "List the tokens to see what there is."
        case .sessionUnknown: "List the sessions to see what there is."
        case .principalUnknown, .nobodyKnown: "List the principals to see whom there is."
        case .eventUnknown: "Look into the history to see what there is."
        case .snapshotUnknown: "Ask GET /v1/snapshots?app=… which there are."
        case .platformUnknown: "Use one of the platforms that the app has."
        case .roleMissing(let role, _):
            "Ask an administrator for a token with the role \(role.rawValue), or ask somebody"
                + " who has it."
        case .recordOfApps(let apps):
            "Name the app: app=\(apps.first?.text ?? "SLUG") (--app \(apps.first?.text ?? "SLUG"))."
        case .authorDepends: "Ask somebody who did not let the author in."
        case .ownWork, .dependsOnAuthor: "Ask somebody who owes the author nothing."
        case .notTheAuthor: "Reject the change instead, if you are an approver."
        case .baseAhead: "Read the document and send the position it has."
        case .changedSince:
            "Read the document again; then propose on what is live, or revise the change and resolve"
                + " the field: mine for what the change says, theirs for what is live."
        case .overwritten(let field, _, let id):
            "Keep it as it is with keep (--keep \(field)), or take it back all the same with a rollback of"
                + " it alone (plimsoll rollback --before-change \(id) --only \(field))."
        case .undoesOthers(let changes, _):
            "Revert only the change that did harm, or say that all go back: undoing \(changes.count)"
                + " (--undoing \(changes.count))."
        case .digestDiffers: "Read the change again and send the digest it has now."
        case .targetDiffers: "Look at a dry run again, and name the event that it leads to."
        case .policyDiffers, .policyUnseen:
            "Read the policy, and name the event of the one that you have seen."
        case .settingsDiffer, .settingsUnseen:
            "Read the settings, and name the event of those that you have seen."
        case .changeClosed: "Propose a new change."
        case .appExists: "Choose another slug."
        case .defaultAppExists: "Leave out the member default."
        case .defaultAppDiffers: "List the apps, and name in the member from the one to replace."
        case .openChangesFull: "Have some of them approved, rejected or withdrawn."
        case .ownChangesFull: "Withdraw some, or have them approved or rejected."
        case .commentsFull: "Decide on the change, or propose a new one."
        case .listEmpty: "Add an entry."
        case .listTooLong(_, "/operations"): "Split it into several changes."
        case .listTooLong(_, "/to"): "Go back with everything: rollback to before the change."
        case .listTooLong(_, "/rows"):
            "Leave the rarest rows out; sent in parts, each would replace the one before."
        case .listTooLong: "Shorten it."
        case .repeated: "Leave one of them out."
        case .fallbackNotRequired: "Add it to the languages, or choose one of them."
        case .platformDropped:
            "Name it too; to let everybody in there, clear its thresholds with a change."
        case .languageUnwritten:
            "Propose the text first; once the change has been applied, require the language."
        case .thresholdUnknown: "Use a threshold that the platform has."
        case .valueOfWrongKind: "Write the value as the platform does."
        case .nameUnneeded: "Leave the name out."
        case .nothingChanges: "There is nothing to do."
        case .textMissing: "Add an operation setText for it."
        case .languagesAlike(_, let twins):
            "Keep \(twins.first) or \(twins.second), and take every text away that is in the other."
        case .languageRepeated: "Name one of them only."
        case .targetAhead: "Choose an event from the history."
        case .targetBeforeApp: "Choose a later point of the app's history."
        case .timeAhead: "Name a time that has passed; what is live needs none."
        case .changeNeverApplied: "Choose an applied change, an event or a time."
        case .notWritten: "Leave it out."
        case .expiryPassed: "Choose a later time, or leave it out."
        case .personUnknown: "List the principals to see who there is."
        case .reviewUnknown: "List the reviews to see what there is."
        case .contributed: "Ask somebody who had no hand in it."
        case .notAskedToApprove(_, _, let requirement): "Ask for \(requirement.words())."
        case .ownReview(_, let reviewers), .reviewOfBenefactor(_, let reviewers):
            reviewers.isEmpty
                ? "Nobody may close it yet: it needs somebody who was not let in by whoever acted."
                : "Ask one of \(reviewers.map(\.text).joined(separator: ", "))."
        case .proposedAlready: "Have that one approved."
        case .approvedAlready: "Wait for the others, or look at what the change still needs."
        case .approvalsMissing(_, let missing): "Ask for \(missing.rest)."
        case .changesWanted: "Revise the change; then it can be approved again."
        case .frozen: "Wait for the end of the freeze, end it, or act as in an emergency."
        case .frozenElsewhere:
            "Ask a responder or an administrator for all apps to end the freeze of everything."
        case .notDue: "Wait, or take its schedule away and have it approved again."
        case .timeOver: "Give it another time, or take its schedule away."
        case .outlives(let running, _, _):
            "Wait until change \(running) has ended, or let this one end sooner, or leave its end out."
        case .fieldEnds(_, let running, _):
            "Leave that edit out, or wait until change \(running) has ended, or take that one back, with"
                + " plimsoll revert, and do this again at once."
        case .minimumEnds(let running, _):
            "Take change \(running) back, with plimsoll revert, and block again at once: then it stays."
        case .scheduleEmpty: "Give at, until or both, or leave the schedule out."
        case .schedulePassed, .scheduleTooFar: "Choose another time."
        case .freezePassed:
            "Choose a later time; what is to begin now is a freeze that nobody plans."
        case .freezeEndsFirst: "Choose an end behind the beginning."
        case .freezeTooFar: "Choose another time."
        case .freezesOverlap: "Choose another time, or cancel the freeze that is planned."
        case .freezePlansFull: "Cancel one of them."
        case .freezePlanUnknown: "Look at what is planned, with GET or plimsoll freeze show."
        case .freezePlanStarted: "End the freeze, with DELETE or plimsoll freeze off."
        case .keptSchedulePassed:
            "Revise it with a schedule that lies ahead, or take its schedule away first."
        case .numberOutside: "Choose a number in between."
        case .documentEmptied:
            "Choose a later point, or leave that platform out. Where it is to hold nobody back, clear"
                + " its thresholds and its offers in an emergency; where only a value is wrong, roll"
                + " back that field."
        case .neverLiveSoLong:
            "Choose a shorter time, an event, or a change; of an emergency name the change."
        case .platformsAndFields: "Leave out the platforms."
        case .proposeInstead:
            "Propose the same edits, which you may; an approver then applies them."
        case .wouldLower: "To lower a minimum, propose it or roll back."
        case .checkRefused(_, let role):
            role.map {
                "Mend it, or ask somebody in the role \($0.rawValue) to override the check with a"
                    + " reason."
            } ?? "Mend it; the policy lets nobody override this check."
        case .blocksNobody: "Name the oldest version that still works."
        case .platformNotKept: "Use one of the platforms that the app has."
        case .releaseUnknown: "List the releases to see what there is, or register it."
        case .releaseExists: "Leave it as it is, or amend it."
        case .releasesFull: "Withdraw some that nobody runs any more."
        case .webhookUnknown: "List the webhooks to see what there is."
        case .webhooksFull: "Remove one that is not needed any more."
        case .placeRefused:
            "Name a place that anybody on the Internet can reach, or have the operator allow it."
        case .typeUnknown: "Look into the history, or the reference, to see which there are."
        case .keyUnknown: "List the keys to see what there is."
        case .entryKeyUnknown: "List the entry keys to see what there is."
        case .personKeyUnknown: "List the keys to see what there is."
        case .personKeyKnown: "Make a new key: ssh-keygen -t ed25519."
        case .personKeysFull: "Revoke a key that nobody signs with any more."
        case .personKeyUnusable: "Give the line that ssh-keygen wrote into the .pub file."
        case .signatureNeeded: "Approve it again with --sign-with and the file of a key of yours."
        case .signatureRefused(let fault): fault.remedy
        case .entryKeyInUse: "Add another entry key first, and wait a minute."
        case .keyDiffers, .keyUnseen: "Read the key, and name the event that you have seen."
        case .keyExists: "Activate that one, or add another."
        case .keyCompromised: "Add another key and activate it."
        case .activeKeysFull: "Retire one of them first."
        case .lastActiveKey(_, _, let standby):
            standby.first.map { "First activate the key \($0), which waits; then do this again." }
                ?? "First add another key and activate it; then do this again."
        case .signerUnusable:
            "Mend that first; until it can sign, nothing could be published."
        case .keyPlaceUnusable: "Mend that, or have the service make a key of its own."
        case .countsDiffer: "Look at the change again: what it blocks may be something else by now."
        case .releasesReserved(_, let rule), .sharesReserved(_, let rule):
            "Ask one of \(rule.permitted()), or have an administrator change the policy."
        case .lastAdministrator:
            "Give somebody else the role admin for all apps and a token first."
        case .suspended: "Resume them first (plimsoll principal resume)."
        case .renewedAlready: "Use the newest token, or ask an administrator for another."
        case .expiryTooFar: "Choose an earlier time, or leave it out."
        case .invisibleCharacter: "Leave the character out."
        case .nameReserved: "Choose another name."
        case .nameLikeID, .nameTaken:
            "Choose a name that nobody takes for theirs; to give a known principal another token, name its"
                + " id instead."
        case .offerPlaceMissing: "Read the document to see which offers there are."
        case .offerRefused(let fault, _): fault.remedy
        case .offersTooLarge: "Shorten their metadata, or leave offers out."
        case .marketplaceUnknown: "Say first what the marketplace is."
        case .itemTaken: "Look the AppleItemID up in App Store Connect."
        case .domainTaken: "Name a domain of its own, or take it from the other one first."
        case .packageOutdated: "Leave it as it is, or send the revision that Apple has made anew."
        case .notificationsFull: "List the apps that the notifications are about."
        case .packagesFull: "Withdraw packages that are handed out no more."
        case .withdrawalsFull: "Name packages that are known."
        case .marketplaceDiffers, .marketplaceUnseen:
            "Read the marketplace, and name the event of the one that you have seen."
        case .marketplaceInUse: "Take the apps out of it first."
        case .marketplaceRefused: "Mend it, and send the whole again."
        case .packageRefused: "List the packages to see what there is."
        }
    }
}

extension Objection {
    /// The command to run next, by the code of an objection.
    package static let nextCommands: [String: NextCommand] = [
        "appUnknown": .command("plimsoll apps"),
        "scopeUnknown": .command("plimsoll apps"),
        "changeUnknown": .command("plimsoll changes"),
        "principalUnknown": .command("plimsoll principal list"),
        "tokenUnknown": .command("plimsoll token list"),
        "sessionUnknown": .command("plimsoll session list"),
        "nobodyKnown": .command("plimsoll principal list"),
        "roleMissing": .command("plimsoll whoami"),
        "notAskedToApprove": .ofChange(otherwise: "plimsoll changes"),
        "approvalsMissing": .ofChange(otherwise: "plimsoll changes"),
        "policyDiffers": .ofApp("plimsoll policy show"),
        "policyUnseen": .ofApp("plimsoll policy show"),
        "settingsDiffer": .ofApp("plimsoll apps settings"),
        "settingsUnseen": .ofApp("plimsoll apps settings"),
        "marketplaceDiffers": .ofApp("plimsoll marketplace show"),
        "marketplaceUnseen": .ofApp("plimsoll marketplace show"),
        "marketplaceUnknown": .command("plimsoll marketplace set --help"),
        "packageRefused": .command("plimsoll marketplace package list"),
        "languageUnwritten": .command("plimsoll propose --help"),
        "personUnknown": .command("plimsoll principal list"),
        "keyUnknown": .command("plimsoll keys"),
        "entryKeyUnknown": .command("plimsoll entry-keys"),
        "entryKeyInUse": .command("plimsoll entry-keys add --help"),
        "personKeyUnknown": .command("plimsoll identity list"),
        "personKeyKnown": .command("plimsoll identity list"),
        "personKeysFull": .command("plimsoll identity list"),
        "signatureNeeded": .command("plimsoll change approve --help"),
        "signatureRefused": .command("plimsoll identity list"),
        "keyDiffers": .command("plimsoll keys"),
        "keyUnseen": .command("plimsoll keys"),
        "lastActiveKey": .command("plimsoll keys add --help"),
        "keyCompromised": .command("plimsoll keys add --help"),
        "reviewUnknown": .command("plimsoll reviews"),
        "releaseUnknown": .command("plimsoll release list"),
        "releaseExists": .command("plimsoll release amend"),
        "changedSince": .ofChange(otherwise: "plimsoll get"),
        "baseAhead": .command("plimsoll get"),
        "digestDiffers": .ofChange(otherwise: "plimsoll changes"),
        "changeClosed": .command("plimsoll changes"),
        "eventUnknown": .command("plimsoll history"),
        "targetAhead": .command("plimsoll history"),
        "targetDiffers": .command("the same command again, which shows where it leads by now"),
        "undoesOthers": .command("the same command with --dry-run, which shows them"),
        "targetBeforeApp": .command("plimsoll history"),
        "changeNeverApplied": .command("plimsoll changes --state applied"),
    ]
}

/// A command that helps somebody further whom an objection met.
package enum NextCommand: Equatable, Sendable {
    case command(String)
    /// Shows the change that the request was about, if it was about one.
    case ofChange(otherwise: String)
    /// The same, with the app that the request was about behind it.
    case ofApp(String)
}
