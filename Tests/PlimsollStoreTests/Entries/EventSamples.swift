import FoundationEssentials
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import Testing

/// One event of every type, the ones that the golden files hold.
enum EventSamples {
    static func recorded(_ type: EventType, shape: Int? = nil) throws -> RecordedEvent {
        let (stream, event) = try sample(type, shape: shape ?? type.shape)
        return RecordedEvent(
            position: Position(7),
            id: uuid(1),
            stream: stream,
            revision: Revision(3),
            recordedAt: instant("2026-11-21T08:00:00.123Z"),
            command: CommandID(uuid(2)),
            origin: Origin(
                actor: PrincipalID(uuid(3)),
                authentication: .token(TokenID(uuid(4))),
                request: "req-1 \"quoted\"",
                correlation: uuid(5),
                causation: uuid(6),
                reason: try Reason(validating: "Because.\nTwo lines, déjà vu, \\ and 🚢.")
            ),
            event: event
        )
    }

    /// The same with nothing in the envelope that may be left out.
    static func bare(_ type: EventType) throws -> RecordedEvent {
        let (stream, event) = try sample(type)
        return RecordedEvent(
            position: Position(1),
            id: uuid(1),
            stream: stream,
            revision: Revision(1),
            recordedAt: instant("1969-12-31T23:59:59.999Z"),
            command: CommandID(uuid(2)),
            origin: Origin(actor: .system, authentication: .service, correlation: uuid(5)),
            event: event
        )
    }

    static func sample(_ type: EventType, shape: Int? = nil) throws -> (StreamName, Event) {
        switch type {
        case .rolledBack where shape ?? 4 < 4:
            (.app(harbour), .app(.rolledBack(earlierRollback(shape))))
        case .policyChanged, .defaultPolicyChanged:
            PolicySamples.change(type, shape: shape ?? type.shape)
        case .appRegistered where shape ?? 3 < 3, .appSettingsChanged where shape == 1:
            (.app(harbour), .app(try plainSettings(type, shape)))
        case .appRegistered, .appSettingsChanged, .thresholdSet, .valueCleared, .thresholdCleared,
            .textSet, .textRemoved, .rolledBack, .renewalOrdered:
            (.app(harbour), .app(try appEvent(type)))
        case .offersReplaced, .legacyOfferReplaced:
            (.app(harbour), .app(try OfferSamples.event(type, shape: shape)))
        case .changeApproved where shape ?? 3 < 3:
            (.change(change(17)), .change(try approval(shape == 1 ? [:] : [.ios: Position(41)])))
        case .operationsAdded where shape ?? 5 < 5:
            (.change(change(17)), .change(.operationsAdded(try earlierOperations(shape))))
        case .freezeStarted, .freezeEnded, .freezePlanned, .freezePlanCancelled,
            .plannedFreezeStarted, .plannedFreezeEnded, .rollbackReviewOrdered,
            .rollbackReviewed:
            (.app(harbour), .app(try PolicySamples.appEvent(type)))
        case .releaseRegistered, .releaseAmended, .releaseWithdrawn, .versionSharesReplaced:
            (.app(harbour), .app(try ReleaseSamples.event(type, shape: shape ?? type.shape)))
        case .packagesOffered, .marketplaceSet, .marketplaceRemoved, .appListed, .appUnlisted,
            .packageAnnounced, .packageIngested, .packagesWithdrawn, .withdrawalReviewOrdered,
            .withdrawalReviewed:
            (.app(harbour), .app(try marketplaceEvent(type, shape: shape ?? type.shape)))
        case .changeProposed, .operationsAdded, .changeApproved, .changeRejected, .changeWithdrawn,
            .changeApplied:
            (.change(change(17)), .change(try changeEvent(type)))
        case .changeRevised, .changeScheduled, .changeCommented, .changesRequested,
            .checkOverridden, .changeSourced, .changeSuperseded, .changeOvertaken,
            .changeSuspended, .changeEnded, .emergencyApplied, .emergencyReviewed:
            (.change(change(17)), .change(try PolicySamples.changeEvent(type)))
        case .serviceFreezeStarted, .serviceFreezeEnded, .serviceFreezePlanned,
            .serviceFreezePlanCancelled, .servicePlannedFreezeStarted, .servicePlannedFreezeEnded:
            (.service, .service(.freeze(PolicySamples.freeze(type))))
        case .principalAdded, .roleGranted, .roleRevoked, .principalSuspended, .principalResumed,
            .tokenIssued, .tokenRenewed, .tokenRevoked, .nameErased, .personKeyAdded,
            .personKeyRevoked:
            (.access, .access(try accessEvent(type, shape: shape ?? type.shape)))
        case .keyAdded: (.keys, .key(.keyAdded(key)))
        case .webhookRegistered, .webhookSecretRotated, .webhookDisabled, .webhookEnabled,
            .webhookReplayOrdered, .webhookRemoved:
            (.webhooks, .webhook(WebhookSamples.event(type, shape: shape ?? type.shape)))
        case .keyActivated: (.keys, .key(.keyActivated(KeyID(uuid(8)), app: harbour)))
        case .keyRetired: (.keys, .key(.keyRetired(KeyID(uuid(8)), app: harbour)))
        case .keyCompromised: (.keys, .key(.keyCompromised(KeyID(uuid(8)), app: harbour)))
        case .defaultAppChosen: (.service, .service(.defaultAppChosen(harbour)))
        case .notificationKept: (.service, .service(.notificationKept(try notification)))
        case .notificationsDropped:
            (.service, .service(.notificationsDropped(marketplace: item(7), app: item(8))))
        case .accountForgotten: (.service, .service(.accountForgotten))
        case .entryKeyAdded: (.service, .service(.entryKey(.added(try entryKey))))
        case .entryKeyRetired: (.service, .service(.entryKey(.retired(try entryKey))))
        case .snapshotPublished: (.export(harbour), .export(.snapshotPublished(publication())))
        case .publicationFailed: (.export(harbour), .export(failure))
        }
    }

    private static var key: KeyRecord {
        KeyRecord(id: KeyID(uuid(8)), app: harbour, publicKey: [0x30, 0x59, 0xFF])
    }

    private static var entryKey: EntryKeyID {
        get throws { try #require(EntryKeyID("0123456789abcdef0123456789abcdef")) }
    }

    private static var notification: AppleNotification {
        get throws { try #require(AppleNotification(Array(#"{"data":{"type":"Late"}}"#.utf8))) }
    }

    private static func marketplaceEvent(_ type: EventType, shape: Int) throws -> AppEvent {
        if shape < type.shape, let earlier = earlierMarketplaceEvent(type, shape: shape) {
            return .marketplace(earlier)
        }
        let offered = AppEvent.packagesOffered([
            versionID(9_007_199_254_740_993), versionID(7),
        ])
        let events = [offered] + sampleMarketplaceEvents.map(AppEvent.marketplace)
        return try #require(events.first { Event.app($0).type == type })
    }

    /// Before Apple's notifications were read; and before packages went by when they were known first.
    private static func earlierMarketplaceEvent(
        _ type: EventType,
        shape: Int
    ) -> MarketplaceEvent? {
        switch type {
        case .packageAnnounced:
            .packageAnnounced(
                PackageAnnouncement(id: packageID("p-1"), versionID: packageID("v-1"))
            )
        case .packageIngested:
            .packageIngested(samplePackage(18_446_744_073_709_551_615, id: "p-1"))
        case .packagesWithdrawn:
            .packagesWithdrawn(
                PackageWithdrawal(
                    versions: [versionID(7)],
                    ids: [packageID("p-1")],
                    isDemanded: true,
                    until: shape == 1 ? nil : Instant(rfc3339: "2026-11-20T08:00:00Z")
                )
            )
        default: nil
        }
    }

    private static var failure: ExportEvent {
        .publicationFailed(
            sequence: SnapshotSequence(orderedBy: Position(42)),
            cause: "No space left on device."
        )
    }

    private static func registered(
        for clients: PrinceOfVersionsClients,
        shippedLanguages: [LanguageTag]? = [tag("cy"), tag("en")],
        readers: [ClientGeneration]? = [.newest(on: .ios)].compactMap(\.self)
    ) throws -> AppSettings {
        AppSettings(
            name: try Title(validating: "Harbour"),
            platforms: [.ios, .android],
            languages: [tag("en-GB"), tag("cy")],
            fallbackLanguage: tag("cy"),
            princeClients: clients,
            shippedLanguages: shippedLanguages,
            clients: readers
        )
    }

    /// As settings were before they said who reads the documents.
    private static func plainSettings(_ type: EventType, _ shape: Int?) throws -> AppEvent {
        let isFirst = type == .appRegistered && shape == 1
        let settings = try registered(
            for: isFirst ? .modern : .all,
            shippedLanguages: nil,
            readers: nil
        )
        return type == .appRegistered ? .appRegistered(settings) : .appSettingsChanged(settings)
    }

    private static func appEvent(_ type: EventType) throws -> AppEvent {
        switch type {
        case .appRegistered:
            .appRegistered(try registered(for: .all))
        case .appSettingsChanged: .appSettingsChanged(try registered(for: .all))
        case .thresholdSet: .thresholdSet(.ios, .minimumApp, dotted("3.2.0"))
        case .valueCleared: .valueCleared(.android, .recommendedApp)
        case .thresholdCleared: .thresholdCleared(.android, .recommendedApp)
        case .textSet:
            .textSet(.ios, .recommendedOS, .description, tag("en-GB"), try text("Mind the “gap”."))
        case .textRemoved: .textRemoved(.ios, .minimumOS, .title, tag("zh-Hant"))
        case .rolledBack:
            .rolledBack(
                rollback(.revert(change(17)), frozenSince: instant("2026-11-21T07:00:00.000Z"))
            )
        case .renewalOrdered: .renewalOrdered
        default: preconditionFailure("\(type) has no sample here")
        }
    }

    private static func earlierRollback(_ shape: Int?) -> RollbackRecord {
        switch shape {
        case 1: firstRollback
        case 2: rollback(.lastGood(seconds: 86_400))
        default: rollback(.revert(change(17)))
        }
    }

    private static func rollback(
        _ request: RollbackTarget,
        frozenSince: Instant? = nil
    ) -> RollbackRecord {
        RollbackRecord(
            target: Position(40),
            request: request,
            platforms: [.ios],
            fields: [
                Field(.ios, .minimumApp, .value),
                Field(.ios, .minimumApp, .text(.title, tag("de"))),
            ],
            frozenSince: frozenSince
        )
    }

    private static let firstRollback = RollbackRecord(
        target: Position(40),
        request: .time(instant("2026-11-20T00:00:00.000Z")),
        platforms: [.ios]
    )

    private static func changeEvent(_ type: EventType) throws -> ChangeEvent {
        switch type {
        case .changeProposed:
            .changeProposed(
                app: harbour,
                title: try Title(validating: "Recommend 3.8.0"),
                base: Position(42)
            )
        case .operationsAdded:
            .operationsAdded(
                try operations() + OfferSamples.operations() + OfferSamples.legacyOperations
                    + packageOperations
            )
        case .changeApproved: try approval([.ios: Position(41)], signature())
        case .changeRejected: .changeRejected(digest: digest("b"))
        case .changeApplied: .changeApplied(app: harbour, digest: digest("c"))
        case .changeWithdrawn: .changeWithdrawn
        default: preconditionFailure("\(type) has no sample here")
        }
    }

    private static func approval(
        _ counted: [Platform: Position],
        _ signature: PersonSignature? = nil
    ) throws -> ChangeEvent {
        .changeApproved(
            digest: digest("a"),
            comment: try Reason(validating: "Looks right."),
            counted: counted,
            signature: signature
        )
    }

    private static func signature() throws -> PersonSignature {
        PersonSignature(
            key: try testKey("K"),
            signedAt: instant("2026-11-20T08:00:00.123Z"),
            value: "U1NIU0lHAAAAAQ+/"
        )
    }

    /// As files of an earlier shape have them.
    private static func earlierOperations(_ shape: Int?) throws -> [Operation] {
        switch shape {
        case 2: try operations() + OfferSamples.textOperations()
        case 3: try operations() + OfferSamples.operations()
        case 4: try operations() + OfferSamples.operations() + OfferSamples.legacyOperations
        default: try operations()
        }
    }

    private static let packageOperations = [
        PackageEdit.set([versionID(7), versionID(18_446_744_073_709_551_615)]),
        .insert(versionID(8), at: nil), .insert(versionID(9), at: 0), .move(versionID(7), to: 2),
        .remove(versionID(8)),
    ].map { Operation(.ios, .packages($0)) }

    private static func operations() throws -> [Operation] {
        [
            Operation(.android, .minimumApp, .setValue(code(2_147_483_647))),
            Operation(.ios, .minimumOS, .clearThreshold),
            Operation(.ios, .recommendedApp, .setText(.title, tag("de"), try text("Neu\nhier"))),
            Operation(.ios, .recommendedApp, .removeText(.description, tag("fr"))),
        ]
    }

    private static func accessEvent(_ type: EventType, shape: Int) throws -> AccessEvent {
        let (principal, grant) = (PrincipalID(uuid(7)), RoleGrant(.approver, in: .app(harbour)))
        return switch type {
        case .principalAdded: .principalAdded(principal, shape > 1 ? try nameCommitment : nil)
        case .roleGranted: .roleGranted(principal, grant)
        case .roleRevoked: .roleRevoked(principal, grant)
        case .principalSuspended: .principalSuspended(principal)
        case .principalResumed: .principalResumed(principal)
        case .tokenIssued: .tokenIssued(try token())
        case .tokenRenewed:
            .tokenRenewed(
                try token(),
                of: TokenID(uuid(9)),
                until: instant("2026-11-21T08:10:00.123Z")
            )
        case .tokenRevoked: .tokenRevoked(TokenID(uuid(4)))
        case .nameErased: .nameErased(principal)
        case .personKeyAdded: .personKeyAdded(principal, try testKey("K"))
        case .personKeyRevoked: .personKeyRevoked(principal, try testKey("K"))
        default: preconditionFailure("\(type) has no sample here")
        }
    }

    private static var nameCommitment: NameCommitment {
        get throws { try #require(NameCommitment(hex: String(repeating: "c5", count: 32))) }
    }

    private static func token() throws -> TokenRecord {
        guard let secret = SecretDigest(hex: String(repeating: "0f", count: 32)) else {
            preconditionFailure("64 digits are a digest")
        }
        return TokenRecord(
            id: TokenID(uuid(4)),
            principal: PrincipalID(uuid(7)),
            secret: secret,
            expiresAt: instant("2027-02-19T08:00:00.000Z")
        )
    }

    private static func publication() -> PublicationRecord {
        PublicationRecord(
            sequence: SnapshotSequence(orderedBy: Position(42)),
            position: Position(45),
            manifestDigest: String(repeating: "e3", count: 32),
            keys: [KeyID(uuid(8))]
        )
    }

    static func digest(_ digit: String) -> ChangeDigest {
        guard let digest = ChangeDigest(hex: String(repeating: digit, count: 64)) else {
            preconditionFailure("64 digits are a digest")
        }
        return digest
    }

    static func instant(_ text: String) -> Instant {
        guard let instant = Instant(rfc3339: text) else {
            preconditionFailure("\(text) is no time")
        }
        return instant
    }

    static func uuid(_ number: UInt64) -> UUID {
        UUID(high: 0x0193_4cf0_0000_7000, low: 0x8000_0000_0000_0000 | number)
    }
}
