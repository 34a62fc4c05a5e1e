import Foundation
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

/// Objections of every kind, and of each its sentences, with members that nobody takes for words.
struct ObjectionSamples {
    private let key = KeyID(UUID())
    private let other = KeyID(UUID())
    private let early = Instant(millisecondsSince1970: 1_700_000_000_000)
    private let late = Instant(millisecondsSince1970: 1_800_000_000_000)
    private let minimum = Field(.ios, .minimumApp, .value)
    private let text = Field(.ios, .minimumApp, .text(.title, tag("cy")))
    private let seen = Position(4711)
    private let current = Position(4812)
    private let digests: (ChangeDigest, ChangeDigest)
    private let personKey: PersonKey
    private let entryKey: EntryKeyID
    private let recorded: (EventType) throws -> RecordedEvent

    init(_ recorded: @escaping (EventType) throws -> RecordedEvent) throws {
        self.recorded = recorded
        digests = (
            try #require(ChangeDigest(hex: String(repeating: "a7", count: 32))),
            try #require(ChangeDigest(hex: String(repeating: "b8", count: 32)))
        )
        personKey = try testKey("K")
        entryKey = try #require(EntryKeyID(String(repeating: "c9", count: 16)))
    }

    var all: [Objection] {
        get throws {
            try unknown + forbidden + (try moved()) + (try inTheWay()) + full
                + (try unacceptable()) + (try unacceptableOffers())
                + (try unacceptableMarketplaces())
        }
    }

    private var unknown: [Objection] {
        get throws {
            [
                .appUnknown(harbour), .changeUnknown(change(77)), .principalUnknown(alice),
                .nobodyKnown(alice), .tokenUnknown(TokenID(UUID())),
                .sessionUnknown(SessionID(UUID())), .eventUnknown(current, head: seen),
                .snapshotUnknown(try #require(SnapshotSequence(rawValue: 88)), harbour),
                .platformUnknown(harbour, .ios, at: "/x"), .scopeUnknown(harbour, at: "/x"),
                .personUnknown(alice, at: "/x"), .reviewUnknown(seen),
                .platformNotKept(harbour, .jvm), .releaseUnknown(harbour, .ios, dotted("3.2.0")),
                .webhookUnknown(WebhookID(UUID())), .keyUnknown(key), .entryKeyUnknown(entryKey),
                .personKeyUnknown(personKey, of: alice), .freezePlanUnknown(seen),
                .marketplaceUnknown(harbour),
            ]
        }
    }

    private var forbidden: [Objection] {
        let requirement = ApprovalRequirement(2, of: .approver)
        let named = ApprovalRequirement(1, of: .auditor, people: [alice, bob], signedBy: .person)
        return [
            .roleMissing(.responder, .app(harbour)), .roleMissing(.admin, .all),
            .recordOfApps([harbour, slug("skiff")]), .ownWork(change(77)),
            .dependsOnAuthor(change(77)), .authorDepends(change(77)), .notTheAuthor(change(77)),
            .contributed(change(77)), .notAskedToApprove(change(77), .raiseMinimum, requirement),
            .notAskedToApprove(change(77), .raiseMinimum, named),
            .ownReview(seen, reviewers: []), .ownReview(seen, reviewers: [alice, bob]),
            .reviewOfBenefactor(seen, reviewers: [alice]), .proposeInstead(harbour),
        ]
    }

    private func moved() throws -> [Objection] {
        let why = try Reason(validating: "Because of 1 crash")
        let write = FieldWrite(position: seen, actor: alice, recordedAt: early, reason: why)
        let bare = FieldWrite(position: seen, actor: alice, recordedAt: early)
        return [
            .baseAhead(base: current, head: seen), .changedSince(minimum, write, base: current),
            .changedSince(minimum, bare, base: current),
            .digestDiffers(change(77), seen: digests.0, current: digests.1),
            .targetDiffers(seen: seen, now: current), .undoesOthers([], counted: 3),
            .undoesOthers([change(77), change(78)], counted: 3),
            .overwritten(minimum, nil, change(77)), .overwritten(minimum, bare, change(77)),
            .overwritten(minimum, write, change(77)),
            .policyDiffers(.all, seen: seen, current: current),
            .policyDiffers(.app(harbour), seen: seen, current: current),
            .policyUnseen(.all, current: current), .policyUnseen(.app(harbour), current: current),
            .settingsDiffer(harbour, seen: seen, current: current),
            .settingsUnseen(harbour, current: current),
            .marketplaceDiffers(harbour, seen: seen, current: current),
            .marketplaceDiffers(harbour, seen: seen, current: nil),
            .marketplaceUnseen(harbour, current: current),
            .keyDiffers(key, seen: seen, current: current), .keyUnseen(key, current: current),
            .countsDiffer(change(77), .ios, seen: seen, current: current),
            .countsDiffer(change(77), .ios, seen: .start, current: current),
        ] + ChangeState.allCases.map { .changeClosed(change(77), $0) }
    }

    private func inTheWay() throws -> [Objection] {
        let frozen = Freeze(try recorded(.freezeStarted))
        let plan = try #require(FreezePlan(try recorded(.freezePlanned)))
        let requirement = ApprovalRequirement(3, of: .approver)
        let signed = ApprovalRequirement(2, of: .auditor, people: [bob], signedBy: .person)
        let release = Release(platform: .ios, version: dotted("3.2.0"), facts: ReleaseFacts())
        let facts = ReleaseFacts(build: try Label(validating: "b417"), liveSince: early)
        return [
            .marketplaceInUse(harbour, [slug("skiff")]), .appExists(harbour),
            .defaultAppExists(harbour), .defaultAppDiffers(harbour), .defaultAppDiffers(nil),
            .proposedAlready(change(77)), .approvedAlready(change(77)),
            .approvalsMissing(change(77), missing(requirement, have: 1)),
            .approvalsMissing(change(77), missing(requirement, have: 2)),
            .approvalsMissing(change(77), missing(signed, have: 0)),
            .approvalsMissing(change(77), missing(signed, have: 1)), .changesWanted(change(77)),
            .frozen(frozen), .frozen(Freeze(plan)), .frozenElsewhere(frozen),
            .frozenElsewhere(Freeze(plan)), .freezesOverlap(plan), .freezePlanStarted(plan),
            .notDue(change(77), late), .timeOver(change(77), late),
            .outlives(change(77), late, at: nil),
            .fieldEnds(minimum, change(77), late, at: "/x"), .minimumEnds(change(77), late),
            .offersEnd(.offers(of: .ios), change(77), late),
            .minimumFalls(change(77), below: dotted("3.2.0"), late),
            .releaseExists(release, given: facts),
            .releasesReserved(harbour, FactRule(roles: [.proposer])),
            .releasesReserved(harbour, FactRule(roles: [.admin, .proposer], people: [bob])),
            .sharesReserved(harbour, FactRule(roles: [.responder, .proposer])),
            .sharesReserved(harbour, FactRule(roles: [.responder], people: [bob, alice])),
            .keyExists(key), .keyCompromised(key), .lastActiveKey(key, harbour, standby: []),
            .lastActiveKey(key, harbour, standby: [other]), .entryKeyInUse(entryKey),
            .personKeyKnown(personKey, of: alice),
            .signerUnusable(key, reason: "its file is gone"), .lastAdministrator,
            .suspended(alice), .renewedAlready(TokenID(UUID())),
        ]
    }

    private func missing(_ requirement: ApprovalRequirement, have: Int) -> MissingApproval {
        MissingApproval(kind: .raiseMinimum, requirement: requirement, have: have)
    }

    private var full: [Objection] {
        [
            .openChangesFull(harbour, maximum: 201), .ownChangesFull(harbour, maximum: 51),
            .commentsFull(change(77), maximum: 501), .webhooksFull(.all, maximum: 101),
            .webhooksFull(.app(harbour), maximum: 101), .freezePlansFull(maximum: 21),
            .releasesFull(harbour, maximum: 1001), .activeKeysFull(harbour, maximum: 4),
            .personKeysFull(alice), .packagesFull(harbour, maximum: 41),
            .notificationsFull(maximum: 1001), .withdrawalsFull(harbour, maximum: 99),
        ]
    }

    private func unacceptable() throws -> [Objection] {
        let twins = LanguageTwins(tag("zh-TW"), tag("zh-Hant"))
        let window = FreezeWindow(from: late, until: early, timeZone: .utc)
        let finding = CheckFinding(
            .minimumLowered,
            minimum,
            "\(minimum) falls from 3.2.0 to 3.1.0: versions run again that did not."
        )
        let faults: [TextFault] = [
            .empty, .tooLong(scalars: 5000, maximum: 4000), .controlCharacter(7),
            .bidirectionalControl(0x202E), .noncharacter(0xFFFF), .lineBreak, .invisible(0x200B),
        ]
        return [
            .listEmpty(at: "/x"), .listTooLong(maximum: 20, at: "/x"),
            .listTooLong(maximum: 20, at: "/operations"), .listTooLong(maximum: 20, at: "/to"),
            .listTooLong(maximum: 20, at: "/rows"), .repeated("ios.minimumApp", at: "/x"),
            .fallbackNotRequired(tag("cy")), .platformDropped(.jvm),
            .languageUnwritten(text, at: "/x"), .thresholdUnknown(.jvm, .minimumOS, at: "/x"),
            .valueOfWrongKind(.dotted, at: "/x"), .valueOfWrongKind(.integer, at: "/x"),
            .nameUnneeded(.ios), .nothingChanges, .textMissing(text),
            .languagesAlike(.ios, twins), .languageRepeated(twins, at: "/x"),
            .targetAhead(current, head: seen), .targetBeforeApp(harbour),
            .timeAhead(late, now: early), .changeNeverApplied(change(77)),
            .notWritten(minimum, change(77), at: "/x"), .expiryPassed(early, now: late),
            .expiryTooFar(latest: late), .nameReserved("plimsoll"), .nameLikeID,
            .nameTaken("Al Ice"), .scheduleEmpty, .schedulePassed(early, now: late, at: "/x"),
            .keptSchedulePassed(change(77), early), .scheduleTooFar(late, latest: early),
            .freezePassed(early, now: late), .freezeEndsFirst(window),
            .freezeTooFar(late, latest: early), .numberOutside(3...31, at: "/x"),
            .documentEmptied(.jvm), .neverLiveSoLong(harbour, 3600), .platformsAndFields,
            .wouldLower(minimum, dotted("3.2.0"), dotted("3.1.0")),
            .blocksNobody(dotted("0.0.1")), .checkRefused(finding, overridableBy: nil),
            .checkRefused(finding, overridableBy: .approver),
            .placeRefused("it is 10.1.2.3", at: "/x"),
            .typeUnknown(try #require(EventName("NothingHappened")), at: "/x"),
            .keyPlaceUnusable(reason: "PLIMSOLL_X is not set", at: "/x"), .personKeyUnusable,
            .signatureNeeded(change(77)), .signatureRefused(.keyNotYours(personKey)),
            .signatureRefused(.anotherTime(early, now: late)),
            .signatureRefused(.used(early, last: late)), .signatureRefused(.anotherStatement),
        ] + faults.map { .invisibleCharacter($0, at: "/x") }
    }

    private func unacceptableOffers() throws -> [Objection] {
        let version = try #require(OfferVersion(written: "7.8.0", on: .ios))
        let faults: [OfferFault] = [
            .noVersion(4), .sameRequirements(5, asked: 3), .covered(5, by: 3),
            .unreachable(5, behind: 3), .foreignVersion(4, version), .requiresNothing(4),
            .nestedMetadata(4, try #require(MetadataName("data9"))),
            .nestedRequirement(4, try #require(RequirementName("need9"))),
        ]
        return [0, 1, 7].map { count in
            .offerPlaceMissing(.ios, OfferPlaceMissing(place: 9, count: count), at: "/x")
        } + faults.map { .offerRefused($0, at: "/x") } + [.offersTooLarge(.ios, at: "/x")]
    }

    private func unacceptableMarketplaces() throws -> [Objection] {
        let item = try #require(AppleItemID("6123456789"))
        let version = try #require(AppleVersionID("812345678"))
        let domain = try #require(DomainName("market.example.com"))
        let url = try #require(EndpointURL("https://market.example.com/restore"))
        guard
            case .app(.marketplace(.packageIngested(let package, _))) =
                try recorded(.packageIngested).event
        else { throw NoPackage() }
        let faults: [MarketplaceFault] = [
            .hostElsewhere("cdn9.example.org", [domain]), .intervalTooShort(-3),
            .addressShared(url, with: "updates"), .addressTaken(url), .overrideEmpty(item),
            .tooLarge(bytes: 41_234),
        ]
        let packageFaults: [PackageFault] = [
            .platform(.jvm), .unknown(version), .withdrawn(version), .incomplete(version),
            .lacksKeys(version, revision: 17), .offeredAlready(version), .notOffered(version),
            .elsewhere([version], "cdn9.example.org", [domain]),
        ]
        return faults.map { .marketplaceRefused($0, at: "/x") }
            + packageFaults.map { .packageRefused($0, at: "/x") } + [
                .itemTaken(item, harbour, at: "/x"), .domainTaken(domain, harbour, at: "/x"),
                .packageOutdated(package, given: package.revision),
                .packageOutdated(package, given: 1234),
            ]
    }
}

private struct NoPackage: Error {}
