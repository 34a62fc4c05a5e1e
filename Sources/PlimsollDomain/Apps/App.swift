import HashTreeCollections

/// One app as its events have left it.
package struct App: Codable, Equatable, Sendable {
    package let slug: AppSlug
    package private(set) var settings: AppSettings
    /// The position of the event that brought its settings.
    package private(set) var settingsSince: Position
    package private(set) var documents: [Platform: Document]
    /// The app's own policy, if it has one.
    package private(set) var policy: PolicyInForce?
    /// What freezes it alone, now and later.
    package private(set) var freezes = Freezes()
    /// The versions that are known to exist, and those of them that phones are told of.
    package private(set) var releasesTold: ReleasesTold
    /// The last count of devices on each platform that has one.
    package private(set) var shares: [Platform: VersionShares] = [:]
    /// Who counted them last, or took a count away, and where that stands in the log.
    package private(set) var counts: [Platform: FieldWrite] = [:]
    /// Its place in alternative marketplaces.
    package private(set) var distribution = Distribution()
    private var writes: TreeDictionary<Field, FieldWrite> = [:]
    /// The changes that are in force for a time.
    private(set) var endings = Endings()
    /// The last rollback: what the same append writes is brought back.
    private var rollback: Rollback?
    /// The last append that withdrew packages, or made one known under an id that was withdrawn: what it
    /// writes is no decision of what is offered.
    private var withdrawal: CommandID?
    /// The changes that were applied, with the rollbacks that undid them; of those that ended since
    /// only what rollbacks had undone for a while.
    private var applied: TreeDictionary<ChangeID, AppliedChange> = [:]

    init(
        slug: AppSlug,
        settings: AppSettings,
        since position: Position,
        during everything: Freezes = Freezes()
    ) {
        self.slug = slug
        self.settings = settings
        settingsSince = position
        releasesTold = ReleasesTold(during: everything)
        documents = Dictionary(
            uniqueKeysWithValues: settings.platforms.map { ($0, Document(platform: $0)) }
        )
    }

    /// The versions that are known to exist.
    package var releases: ReleaseCatalog { releasesTold.known }

    package func has(_ platform: Platform) -> Bool { documents[platform] != nil }

    /// The document of one of the app's platforms.
    package func document(_ platform: Platform) -> Document {
        documents[platform] ?? Document(platform: platform)
    }

    /// The last counts of devices on the platforms that operations are about.
    package func counts(judging operations: [Operation]) -> [Platform: Position] {
        guard !counts.isEmpty else { return [:] }
        let platforms = Set(operations.map(\.platform))
        return counts.filter { platforms.contains($0.key) }.mapValues(\.position)
    }

    /// Who wrote the field last, and where that stands in the log.
    package func lastWrite(of field: Field) -> FieldWrite? {
        writes[field]
    }

    /// The fields that were last written after a position.
    func fields(writtenAfter position: Position) -> Set<Field> {
        Set(writes.filter { $1.position > position }.keys)
    }

    /// The changes of which such a rollback leaves nothing, in the order of the numbers; not those
    /// that were undone already.
    ///
    /// A change of which only a part goes back, one platform or some fields, is not undone: the
    /// rest of it still ends at its time.
    func changes(undoneBy record: RollbackRecord) -> [ChangeID] {
        if case .revert(let id) = record.request {
            // What others have written over since is not the change's any more.
            return applied[id]?.isInForce == true ? [id] : []
        }
        guard record.fields == nil else { return [] }
        return applied.filter { $1.isUndone(by: record) }.map(\.key).sorted()
    }

    /// The changes that others made of which such a rollback takes something back, if only a part, but
    /// for the one that it names.
    package func changes(
        ofOthersThan principal: PrincipalID,
        undoneBy record: RollbackRecord
    ) -> [ChangeID] {
        Set(changes(undoneBy: record) + changes(partlyUndoneBy: record)).filter { id in
            applied[id]?.author != principal && record.request.change != id
        }.sorted()
    }

    /// Those that wrote last what such a rollback takes back.
    private func changes(partlyUndoneBy record: RollbackRecord) -> [ChangeID] {
        // It leaves alone what others have written over.
        if case .revert = record.request { return [] }
        let writes = writes.filter { record.covers($0) && $1.position > record.target }
        return applied.filter { _, change in
            change.isInForce && !change.wasInForce(at: record.target)
                && writes.values.contains { change.wrote(at: $0.position) }
        }.map(\.key)
    }

    /// Whether another change that is in force wrote the field last.
    func isWritten(_ field: Field, byOthersThan change: ChangeID) -> Bool {
        guard let write = writes[field] else { return false }
        return applied.contains { id, other in
            id != change && other.isInForce && other.wrote(at: write.position)
        }
    }

    /// The rollback that took an applied change back as a whole, where none brought it back; at an
    /// earlier position, or now.
    package func undoing(of change: ChangeID, at position: Position? = nil) -> Undoing? {
        applied[change]?.undoing(at: position)
    }

    /// A change came into force; what it wrote stands behind `start`.
    mutating func apply(_ change: Change, at position: Position, after start: Position) {
        applied[change.id] = AppliedChange(
            start: start,
            position: position,
            author: change.author,
            platforms: change.operations.map(\.platform)
        )
        if let ending = EndingChange(change, of: self, appliedAt: position, before: start) {
            endings.begin(ending)
        }
    }

    /// The time of a change is over; what it took back stands behind `start`.
    mutating func end(_ change: ChangeID, at position: Position, after start: Position) {
        applied[change] = applied[change]?.ended(at: position)
        let written = fields(writtenAfter: start)
        endings.end(change, writing: written, after: start, at: position)
    }

    /// What it takes back as a whole does not end any more; what it brings back does.
    mutating func rollBack(_ record: RollbackRecord, _ recorded: RecordedEvent) {
        rollback = Rollback(record: record, command: recorded.command)
        let undone = changes(undoneBy: record)
        let restored = applied.filter { $1.isRestored(by: record) }.map(\.key)
        for change in undone { applied[change]?.undo(Undoing(recorded)) }
        for change in restored { applied[change]?.restore(at: recorded.position) }
        for ending in endings.rollBack(record, undoing: undone, recorded) {
            applied[ending.id]?.restore(at: recorded.position)
        }
    }

    mutating func evolve(_ event: AppEvent, _ recorded: RecordedEvent) {
        switch event {
        case .policyChanged(let policy):
            self.policy = policy.map {
                PolicyInForce(policy: $0, since: recorded.position, isOwn: true)
            }
        case .appSettingsChanged(let settings): take(settings, since: recorded.position)
        case .freeze(let event):
            freezes.evolve(event, recorded)
            tell(recorded)
        case .appRegistered, .rolledBack, .renewalOrdered, .rollbackReviewOrdered,
            .rollbackReviewed:
            break
        case .releaseRegistered, .releaseAmended, .releaseWithdrawn: tell(recorded)
        case .versionSharesReplaced(let platform, let shares):
            self.shares[platform] = shares
            counts[platform] = FieldWrite(recorded)
        case .marketplace(let event):
            if case .packagesWithdrawn = event { withdrawal = recorded.command }
            if case .packageIngested = event { withdrawal = recorded.command }
            distribution.evolve(recorded)
        case .thresholdSet, .valueCleared, .thresholdCleared, .textSet, .textRemoved,
            .offersReplaced, .legacyOfferReplaced, .packagesOffered:
            if let operation = event.operation { apply(operation, recorded) }
        }
    }

    /// Something happened to its releases, or to a freeze that holds them back.
    mutating func tell(_ recorded: RecordedEvent) {
        releasesTold.evolve(recorded)
    }

    private mutating func take(_ settings: AppSettings, since position: Position) {
        (self.settings, settingsSince) = (settings, position)
        for platform in settings.platforms where documents[platform] == nil {
            documents[platform] = Document(platform: platform)
        }
    }

    private mutating func apply(_ operation: Operation, _ recorded: RecordedEvent) {
        let fields = fields(of: operation)
        noteDecision(on: fields, recorded)
        for field in fields { writes[field] = FieldWrite(recorded) }
        documents[operation.platform, default: Document(platform: operation.platform)]
            .apply(operation)
    }

    /// Without a field of its own it is about all that there is of the threshold.
    func fields(of operation: Operation) -> [Field] {
        operation.field.map { [$0] }
            ?? document(operation.platform).fields.filter { $0.threshold == operation.threshold }
    }

    /// What a rollback writes was decided before.
    ///
    /// What a withdrawal takes away, the change that offered it for a time goes on to hold: at its end
    /// goes back what it brought.
    private mutating func noteDecision(on fields: [Field], _ recorded: RecordedEvent) {
        if withdrawal == recorded.command { return }
        guard let rollback, rollback.command == recorded.command else {
            return endings.letGo(of: fields, at: recorded.position)
        }
        // A text of that time that a single value brings along.
        let along = fields.filter { !rollback.record.covers($0) }
        endings.restore(along, from: rollback.record.target, at: recorded.position)
    }
}

/// A rollback and the append that records it.
private struct Rollback: Codable, Equatable, Sendable {
    let record: RollbackRecord
    let command: CommandID
}

/// Who wrote a field, and when.
package struct FieldWrite: Codable, Equatable, Sendable {
    package let position: Position
    package let actor: PrincipalID
    package let recordedAt: Instant
    package let reason: Reason?

    package init(
        position: Position,
        actor: PrincipalID,
        recordedAt: Instant,
        reason: Reason? = nil
    ) {
        self.position = position
        self.actor = actor
        self.recordedAt = recordedAt
        self.reason = reason
    }

    init(_ recorded: RecordedEvent) {
        self.init(
            position: recorded.position,
            actor: recorded.origin.actor,
            recordedAt: recorded.recordedAt,
            reason: recorded.origin.reason
        )
    }
}

extension AppEvent {
    /// The edit that the event records, if it records one.
    package var operation: Operation? {
        switch self {
        case .appRegistered, .appSettingsChanged, .rolledBack, .renewalOrdered, .policyChanged,
            .freeze, .rollbackReviewOrdered, .rollbackReviewed,
            .releaseRegistered, .releaseAmended, .releaseWithdrawn, .versionSharesReplaced,
            .marketplace:
            nil
        case .thresholdSet(let platform, let name, let value):
            Operation(platform, name, .setValue(value))
        case .valueCleared(let platform, let name): Operation(platform, name, .clearValue)
        case .thresholdCleared(let platform, let name):
            Operation(platform, name, .clearThreshold)
        case .textSet(let platform, let name, let part, let language, let text):
            Operation(platform, name, .setText(part, language, text))
        case .textRemoved(let platform, let name, let part, let language):
            Operation(platform, name, .removeText(part, language))
        case .offersReplaced(let platform, let offers):
            Operation(platform, offers: .set(offers))
        case .legacyOfferReplaced(let platform, let legacy): Operation(platform, legacy: legacy)
        case .packagesOffered(let versions): Operation(.ios, .packages(.set(versions)))
        }
    }

    /// The event that records an edit.
    package init(_ operation: Operation) {
        let platform = operation.platform
        self =
            switch operation.subject {
            case .threshold(let name, .setValue(let value)): .thresholdSet(platform, name, value)
            case .threshold(let name, .clearValue): .valueCleared(platform, name)
            case .threshold(let name, .clearThreshold): .thresholdCleared(platform, name)
            case .threshold(let name, .setText(let part, let language, let text)):
                .textSet(platform, name, part, language, text)
            case .threshold(let name, .removeText(let part, let language)):
                .textRemoved(platform, name, part, language)
            case .offers(.set(let offers)): .offersReplaced(platform, offers)
            case .legacy(let legacy): .legacyOfferReplaced(platform, legacy)
            case .packages(.set(let versions)): .packagesOffered(versions)
            case .offers(.insert), .offers(.move), .offers(.replace), .offers(.remove),
                .packages(.insert), .packages(.move), .packages(.remove):
                preconditionFailure("an event says the whole list that an edit leads to")
            }
    }
}
