import FoundationEssentials
import PlimsollDomain
import PlimsollJSON

extension Event {
    /// Reads what ``data`` gives, in the shape of today.
    init(_ type: EventType, data: JSONObject) throws(EntryError) {
        var reader = DataReader(type, data)
        self = try reader.event()
        try reader.finish()
    }
}

extension DataReader {
    fileprivate mutating func event() throws(EntryError) -> Event {
        switch type {
        case .appRegistered, .appSettingsChanged, .thresholdSet, .valueCleared, .thresholdCleared,
            .textSet, .textRemoved, .offersReplaced, .legacyOfferReplaced, .rolledBack,
            .renewalOrdered, .policyChanged, .freezeStarted, .freezeEnded, .freezePlanned,
            .freezePlanCancelled, .plannedFreezeStarted, .plannedFreezeEnded,
            .rollbackReviewOrdered,
            .rollbackReviewed, .releaseRegistered, .releaseAmended, .releaseWithdrawn,
            .versionSharesReplaced:
            .app(try appEvent())
        case .changeProposed, .operationsAdded, .changeApproved, .changeRejected, .changeWithdrawn,
            .changeApplied, .changeRevised, .changeScheduled, .changeCommented, .changesRequested,
            .checkOverridden, .changeSourced, .changeSuperseded, .changeOvertaken, .changeSuspended,
            .changeEnded, .emergencyApplied,
            .emergencyReviewed:
            .change(try changeEvent())
        case .principalAdded, .roleGranted, .roleRevoked, .principalSuspended, .principalResumed,
            .tokenIssued, .tokenRenewed, .tokenRevoked, .nameErased:
            .access(try accessEvent())
        case .keyAdded: .key(.keyAdded(try keyRecord()))
        case .keyActivated:
            .key(.keyActivated(try text("id", KeyID.init), app: try app()))
        case .keyRetired: .key(.keyRetired(try text("id", KeyID.init), app: try app()))
        case .keyCompromised:
            .key(.keyCompromised(try text("id", KeyID.init), app: try app()))
        case .defaultAppChosen: .service(.defaultAppChosen(try app()))
        case .defaultPolicyChanged: .service(.defaultPolicyChanged(try wholePolicy()))
        case .serviceFreezeStarted: .service(.serviceFreezeStarted)
        case .serviceFreezeEnded: .service(.serviceFreezeEnded)
        case .serviceFreezePlanned, .serviceFreezePlanCancelled, .servicePlannedFreezeStarted,
            .servicePlannedFreezeEnded:
            .service(.freezePlan(try freezePlan()))
        case .webhookRegistered, .webhookSecretRotated, .webhookDisabled, .webhookEnabled,
            .webhookReplayOrdered, .webhookRemoved:
            .webhook(try webhookEvent())
        case .snapshotPublished: .export(.snapshotPublished(try publication()))
        case .publicationFailed:
            .export(
                .publicationFailed(
                    sequence: try number("sequence", SnapshotSequence.init(rawValue:)),
                    cause: try text("cause") { $0 }
                )
            )
        }
    }

    private mutating func appEvent() throws(EntryError) -> AppEvent {
        switch type {
        case .appRegistered: .appRegistered(try settings())
        case .appSettingsChanged: .appSettingsChanged(try settings())
        case .thresholdSet: AppEvent(try operation(named: .setValue))
        case .valueCleared: AppEvent(try operation(named: .clearValue))
        case .thresholdCleared: AppEvent(try operation(named: .clearThreshold))
        case .textSet: AppEvent(try operation(named: .setText))
        case .textRemoved: AppEvent(try operation(named: .removeText))
        case .offersReplaced: try offersReplaced()
        case .legacyOfferReplaced: AppEvent(try legacyOperation(isSetting: nil))
        case .rolledBack: .rolledBack(try rollback())
        case .renewalOrdered: .renewalOrdered
        case .policyChanged: .policyChanged(try policy())
        case .releaseRegistered: .releaseRegistered(try release())
        case .releaseAmended: .releaseAmended(try release())
        case .releaseWithdrawn: try withdrawal()
        case .versionSharesReplaced: try versionShares()
        case .freezeStarted: .freezeStarted
        case .freezeEnded: .freezeEnded
        case .freezePlanned, .freezePlanCancelled, .plannedFreezeStarted, .plannedFreezeEnded:
            .freezePlan(try freezePlan())
        case .rollbackReviewOrdered: .rollbackReviewOrdered(try reviewOrder())
        case .rollbackReviewed:
            .rollbackReviewed(
                try number("review", Position.init(rawValue:)),
                try verdict()
            )
        default: preconditionFailure("the events of an app were told apart before")
        }
    }

    private mutating func offersReplaced() throws(EntryError) -> AppEvent {
        .offersReplaced(try text("platform", Platform.init(rawValue:)), try offers())
    }

    private mutating func withdrawal() throws(EntryError) -> AppEvent {
        let (platform, version) = try releaseName()
        return .releaseWithdrawn(platform, version)
    }

    private mutating func changeEvent() throws(EntryError) -> ChangeEvent {
        switch type {
        case .changeProposed:
            .changeProposed(
                app: try app(),
                title: try text("title") { try? Title(validating: $0) },
                base: try number("base", Position.init(rawValue:))
            )
        case .operationsAdded: .operationsAdded(try operations())
        case .changeApproved:
            .changeApproved(
                digest: try digest(),
                comment: try reason("comment"),
                counted: try counts()
            )
        case .changeRejected: .changeRejected(digest: try digest())
        case .changeApplied: .changeApplied(app: try app(), digest: try digest())
        case .changeWithdrawn: .changeWithdrawn
        default: try changeEventUnderPolicy()
        }
    }

    private mutating func changeEventUnderPolicy() throws(EntryError) -> ChangeEvent {
        switch type {
        case .changeRevised:
            .changeRevised(
                title: try text("title") { try? Title(validating: $0) },
                base: try number("base", Position.init(rawValue:))
            )
        case .changeScheduled: .changeScheduled(try schedule())
        case .changeCommented:
            .changeCommented(try text("comment") { try? Reason(validating: $0) })
        case .changesRequested: .changesRequested(digest: try digest())
        case .checkOverridden:
            .checkOverridden(
                try text("check", CheckName.init(rawValue:)),
                digest: try digest()
            )
        case .changeSourced:
            .changeSourced(try text("source") { try? Title(validating: $0) })
        case .changeSuperseded:
            .changeSuperseded(by: try number("by", ChangeID.init(rawValue:)))
        case .changeOvertaken:
            .changeOvertaken(by: try number("by", ChangeID.init(rawValue:)))
        case .changeSuspended:
            .changeSuspended(try text("cause", SuspensionCause.init(rawValue:)))
        case .changeEnded: .changeEnded(app: try app())
        case .emergencyApplied:
            .emergencyApplied(
                Emergency(
                    incident: try text("incident") { try? Title(validating: $0) },
                    review: try reviewOrder()
                )
            )
        case .emergencyReviewed:
            .emergencyReviewed(
                try number("review", Position.init(rawValue:)),
                try verdict()
            )
        default: preconditionFailure("the events of a change were told apart before")
        }
    }

    /// Positions by platforms; none where the member is missing.
    private mutating func counts() throws(EntryError) -> [Platform: Position] {
        let positions = try optional("counted", \.object) ?? [:]
        var counts: [Platform: Position] = [:]
        for name in positions.keys {
            guard let platform = Platform(rawValue: name),
                let position = positions[name]?.integer.flatMap(Position.init(rawValue:))
            else { throw .badMember(type, "counted") }
            counts[platform] = position
        }
        return counts
    }

    private mutating func wholePolicy() throws(EntryError) -> Policy {
        guard let policy = try policy() else { throw .badMember(type, "policy") }
        return policy
    }

    private mutating func accessEvent() throws(EntryError) -> AccessEvent {
        switch type {
        case .principalAdded: .principalAdded(try principal())
        case .roleGranted: .roleGranted(try principal(), try grant())
        case .roleRevoked: .roleRevoked(try principal(), try grant())
        case .principalSuspended: .principalSuspended(try principal())
        case .principalResumed: .principalResumed(try principal())
        case .tokenIssued: .tokenIssued(try token())
        case .tokenRenewed:
            .tokenRenewed(
                try token(),
                of: try text("renews", TokenID.init),
                until: try text("until", Instant.init(rfc3339:))
            )
        case .tokenRevoked: .tokenRevoked(try text("id", TokenID.init))
        case .nameErased: .nameErased(try principal())
        default: preconditionFailure("the events of principals were told apart before")
        }
    }

    private mutating func grant() throws(EntryError) -> RoleGrant {
        RoleGrant(
            try text("role", Role.init(rawValue:)),
            in: try optional("app") { $0.string.flatMap(AppSlug.init) }.map(Scope.app) ?? .all
        )
    }

    private mutating func token() throws(EntryError) -> TokenRecord {
        TokenRecord(
            id: try text("id", TokenID.init),
            principal: try principal(),
            secret: try text("secretDigest", SecretDigest.init(hex:)),
            expiresAt: try optional("expiresAt") { $0.string.flatMap(Instant.init(rfc3339:)) }
        )
    }

    private mutating func settings() throws(EntryError) -> AppSettings {
        AppSettings(
            name: try text("name") { try? Title(validating: $0) },
            platforms: try list("platforms") { $0.string.flatMap(Platform.init(rawValue:)) },
            languages: try list("languages") { $0.string.flatMap(LanguageTag.init) },
            fallbackLanguage: try text("fallbackLanguage", LanguageTag.init),
            profile: try text("profile", DocumentProfile.init(rawValue:)),
            princeClients: try princeClients(),
            shippedLanguages: try optional("shippedLanguages") {
                $0.list { $0.string.flatMap(LanguageTag.init) }
            },
            clients: try optional("clients") {
                $0.list { $0.string.flatMap(ClientGeneration.init) }
            }
        )
    }

    /// The first shape of a registration did not say them.
    private mutating func princeClients() throws(EntryError) -> PrinceOfVersionsClients {
        guard type == .appRegistered else {
            return try text("princeOfVersions", PrinceOfVersionsClients.init(rawValue:))
        }
        return try optional("princeOfVersions") {
            $0.string.flatMap(PrinceOfVersionsClients.init(rawValue:))
        } ?? .modern
    }

    private mutating func rollback() throws(EntryError) -> RollbackRecord {
        RollbackRecord(
            target: try number("target", Position.init(rawValue:)),
            request: try member("request", RollbackTarget.init(json:)),
            platforms: try list("platforms") { $0.string.flatMap(Platform.init(rawValue:)) },
            fields: try optional("fields") { json in
                guard let paths = json.array else { return nil }
                let fields = paths.compactMap { $0.string.flatMap(Field.init(path:)) }
                return fields.count == paths.count ? fields : nil
            }
        )
    }

    private mutating func operations() throws(EntryError) -> [Operation] {
        let objects = try list("operations") { $0.object }
        var operations: [Operation] = []
        operations.reserveCapacity(objects.count)
        for object in objects {
            var reader = DataReader(type, object)
            operations.append(try reader.listedOperation())
            try reader.finish()
        }
        return operations
    }

    private mutating func keyRecord() throws(EntryError) -> KeyRecord {
        KeyRecord(
            id: try text("id", KeyID.init),
            app: try app(),
            publicKey: try text("publicKey") { Data(base64Encoded: $0).map(Array.init) }
        )
    }

    private mutating func publication() throws(EntryError) -> PublicationRecord {
        PublicationRecord(
            sequence: try number("sequence", SnapshotSequence.init(rawValue:)),
            position: try number("position", Position.init(rawValue:)),
            manifestDigest: try text("manifestDigest") { $0 },
            keys: try list("keys") { $0.string.flatMap(KeyID.init) }
        )
    }
}

extension RollbackTarget {
    fileprivate init?(json: JSONValue) {
        guard let object = json.object, object.count == 1 else { return nil }
        if let position = object["event"]?.integer.flatMap(Position.init(rawValue:)) {
            self = .event(position)
        } else if let instant = object["time"]?.string.flatMap(Instant.init(rfc3339:)) {
            self = .time(instant)
        } else if let id = object["beforeChange"]?.integer.flatMap(ChangeID.init(rawValue:)) {
            self = .beforeChange(id)
        } else if let id = object["revert"]?.integer.flatMap(ChangeID.init(rawValue:)) {
            self = .revert(id)
        } else if let seconds = object["lastGood"]?.integer, seconds > 0 {
            self = .lastGood(seconds: seconds)
        } else {
            return nil
        }
    }
}

extension JSONValue {
    /// A list, if every entry is what it should be.
    fileprivate func list<Entry>(_ make: (JSONValue) -> Entry?) -> [Entry]? {
        array.flatMap { values in
            let entries = values.compactMap(make)
            return entries.count == values.count ? entries : nil
        }
    }
}
