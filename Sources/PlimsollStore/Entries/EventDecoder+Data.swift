import PlimsollDomain
import PlimsollPostgres

// The data of the events that are many, straight from the bytes: members in the order of their
// names, as ``EventCodec`` writes them, and nothing between them. `nil` is no refusal: it leaves
// the data to the tree.
extension EventDecoder {
    mutating func event(
        _ type: EventType,
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> Event? {
        switch type {
        case .thresholdSet, .thresholdCleared, .textSet, .textRemoved:
            guard let operation = operation(entry, &cursor, .alone) else { return nil }
            let event = Event.app(AppEvent(operation))
            return event.type == type ? event : nil
        case .renewalOrdered:
            return cursor.skip("{}", entry) ? .app(.renewalOrdered) : nil
        case .changeProposed, .operationsAdded, .changeApproved, .changeRejected, .changeWithdrawn,
            .changeApplied:
            return changeEvent(type, entry, &cursor).map(Event.change)
        case .snapshotPublished:
            return publication(entry, &cursor).map { .export(.snapshotPublished($0)) }
        case .publicationFailed:
            return failure(entry, &cursor).map(Event.export)
        case .appRegistered, .appSettingsChanged, .valueCleared, .offersReplaced,
            .legacyOfferReplaced, .rolledBack, .principalAdded, .roleGranted, .roleRevoked,
            .principalSuspended, .principalResumed,
            .tokenIssued, .tokenRenewed, .tokenRevoked, .nameErased, .keyAdded, .keyActivated,
            .keyRetired, .keyCompromised, .defaultAppChosen, .policyChanged,
            .freezeStarted, .freezeEnded, .freezePlanned, .freezePlanCancelled,
            .plannedFreezeStarted, .plannedFreezeEnded, .rollbackReviewOrdered, .rollbackReviewed,
            .changeRevised, .changeScheduled, .changeCommented, .changesRequested,
            .checkOverridden,
            .changeSourced, .changeSuperseded, .changeOvertaken, .changeSuspended, .changeEnded,
            .emergencyApplied, .emergencyReviewed,
            .defaultPolicyChanged, .serviceFreezeStarted, .serviceFreezeEnded,
            .serviceFreezePlanned,
            .serviceFreezePlanCancelled, .servicePlannedFreezeStarted, .servicePlannedFreezeEnded,
            .releaseRegistered,
            .releaseAmended, .releaseWithdrawn, .versionSharesReplaced, .webhookRegistered,
            .webhookSecretRotated, .webhookDisabled, .webhookEnabled, .webhookReplayOrdered,
            .webhookRemoved:
            return nil
        }
    }

    private mutating func changeEvent(
        _ type: EventType,
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ChangeEvent? {
        switch type {
        case .changeProposed: return proposal(entry, &cursor)
        case .operationsAdded: return operations(entry, &cursor).map(ChangeEvent.operationsAdded)
        case .changeApproved:
            guard cursor.skip(#"{"digest":""#, entry), let digest = digest(entry, &cursor),
                cursor.skip(#""}"#, entry)
            else { return nil }
            return .changeApproved(digest: digest, comment: nil)
        case .changeRejected:
            guard cursor.skip(#"{"digest":""#, entry), let digest = digest(entry, &cursor),
                cursor.skip(#""}"#, entry)
            else { return nil }
            return .changeRejected(digest: digest)
        case .changeApplied:
            guard cursor.skip(#"{"app":""#, entry), let app = app(entry, &cursor),
                cursor.skip(#"","digest":""#, entry), let digest = digest(entry, &cursor),
                cursor.skip(#""}"#, entry)
            else { return nil }
            return .changeApplied(app: app, digest: digest)
        case .changeWithdrawn: return cursor.skip("{}", entry) ? .changeWithdrawn : nil
        default: return nil
        }
    }

    private mutating func proposal(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ChangeEvent? {
        guard cursor.skip(#"{"app":""#, entry), let app = app(entry, &cursor),
            cursor.skip(#"","base":"#, entry), let number = try? cursor.count(entry),
            let base = Position(rawValue: number), cursor.skip(#","title":""#, entry),
            let text = cursor.content(entry), cursor.skip(#""}"#, entry),
            let title = try? Title(validating: text)
        else { return nil }
        return .changeProposed(app: app, title: title, base: base)
    }

    private mutating func publication(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> PublicationRecord? {
        guard cursor.skip(#"{"keys":["#, entry) else { return nil }
        var keys: [KeyID] = []
        while !cursor.skip("]", entry) {
            guard keys.isEmpty || cursor.skip(",", entry), cursor.skip("\"", entry),
                let key = key(entry, &cursor), cursor.skip("\"", entry)
            else { return nil }
            keys.append(key)
        }
        guard cursor.skip(#","manifestDigest":""#, entry), let digest = cursor.content(entry),
            cursor.skip(#"","position":"#, entry), let number = try? cursor.count(entry),
            let position = Position(rawValue: number), let sequence = sequence(entry, &cursor)
        else { return nil }
        return PublicationRecord(
            sequence: sequence,
            position: position,
            manifestDigest: digest,
            keys: keys
        )
    }

    private func failure(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> ExportEvent? {
        guard cursor.skip(#"{"cause":""#, entry), let cause = cursor.content(entry),
            cursor.skip("\"", entry), let sequence = sequence(entry, &cursor)
        else { return nil }
        return .publicationFailed(sequence: sequence, cause: cause)
    }

    private func sequence(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> SnapshotSequence? {
        guard cursor.skip(#","sequence":"#, entry), let number = try? cursor.count(entry),
            cursor.skip("}", entry)
        else { return nil }
        return SnapshotSequence(rawValue: number)
    }

    private mutating func app(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> AppSlug? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.apps.value(of: name) { AppSlug(String(copying: name)) }
    }

    private mutating func key(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> KeyID? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.keys.value(of: name) { KeyID(String(copying: name)) }
    }

    private mutating func digest(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ChangeDigest? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.digests.value(of: name) { ChangeDigest(hex: String(copying: name)) }
    }
}
