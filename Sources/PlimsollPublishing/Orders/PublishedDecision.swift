import PlimsollDocuments
import PlimsollDomain

/// Why a platform's document is what it is.
enum PublishedDecision: Codable, Hashable {
    case change(AppliedChange)
    case rollback(AppliedRollback)
    case end(EndOfChange)
}

extension SnapshotBasis {
    /// Takes the decisions in any order.
    init(
        _ decisions: Set<PublishedDecision>,
        access: Revision,
        policy: Position,
        settings: Position
    ) {
        var changes: [AppliedChange] = []
        var rollbacks: [AppliedRollback] = []
        var ends: [EndOfChange] = []
        for decision in decisions {
            switch decision {
            case .change(let change): changes.append(change)
            case .rollback(let rollback): rollbacks.append(rollback)
            case .end(let end): ends.append(end)
            }
        }
        self.init(
            changes: changes.sorted { $0.position < $1.position },
            rollbacks: rollbacks.sorted { $0.position < $1.position },
            ends: ends.sorted { $0.position < $1.position },
            access: access,
            policy: policy,
            settings: settings
        )
    }
}

/// The approvals of changes that are not decided yet, as far as no objection came after them and
/// nobody suspended who gave them.
struct OpenApprovals: Codable, Equatable {
    private var approvals: [ChangeID: [ChangeApproval]] = [:]

    /// Takes in the next event of the log; answers what it decided, if it did.
    mutating func evolve(_ recorded: RecordedEvent) -> PublishedDecision? {
        switch (recorded.stream, recorded.event) {
        case (.change(let id), .change(let event)): return evolve(id, event, recorded)
        case (_, .access(.principalSuspended(let id))):
            approvals = approvals.mapValues { $0.filter { $0.by != id } }
            return nil
        case (_, .app(.rolledBack(let record))):
            return .rollback(
                AppliedRollback(
                    position: recorded.position,
                    target: record.target,
                    by: recorded.origin.actor
                )
            )
        case (_, .app), (_, .change), (_, .access), (_, .key), (_, .service), (_, .export),
            (_, .webhook):
            return nil
        }
    }

    private mutating func evolve(
        _ id: ChangeID,
        _ event: ChangeEvent,
        _ recorded: RecordedEvent
    ) -> PublishedDecision? {
        switch event {
        case .changeApproved(let digest, _, _, _):
            approvals[id, default: []].append(
                ChangeApproval(
                    by: recorded.origin.actor,
                    digest: digest,
                    position: recorded.position
                )
            )
        case .changeApplied(_, let digest):
            return .change(
                AppliedChange(
                    id: id,
                    digest: digest,
                    position: recorded.position,
                    approvals: approvals.removeValue(forKey: id) ?? []
                )
            )
        case .changeEnded: return .end(EndOfChange(id: id, position: recorded.position))
        case .changeRejected, .changeWithdrawn, .changeSuperseded, .changesRequested:
            approvals[id] = nil
        case .changeProposed, .operationsAdded, .changeRevised, .changeScheduled,
            .changeCommented, .checkOverridden, .changeSourced, .changeOvertaken,
            .changeSuspended, .emergencyApplied, .emergencyReviewed:
            break
        }
        return nil
    }
}

/// Which apps are frozen, a fold of the log: what is said of their releases orders nothing then.
struct FreezesInForce: Codable, Equatable, Sendable {
    /// The apps of which releases were ever known.
    private var apps: Set<AppSlug> = []
    /// What freezes an app, and under no name what freezes everything.
    private var freezes: [AppSlug?: Freezes] = [:]

    /// Takes in the next event of the log; answers the apps of which is told now what waited.
    mutating func evolve(_ recorded: RecordedEvent) -> [AppSlug] {
        let app: AppSlug? = if case .app(let app) = recorded.stream { app } else { nil }
        if let app, case .app(.releaseRegistered) = recorded.event { apps.insert(app) }
        guard let event = recorded.event.freeze else { return [] }
        freezes[app, default: Freezes()].evolve(event, recorded)
        guard event.isEnd else { return [] }
        let concerned = app.map { apps.intersection([$0]) } ?? apps
        return concerned.filter { !isFrozen($0, at: recorded.recordedAt) }.sorted()
    }

    /// Whether the event says something of releases that has to wait.
    func holds(_ recorded: RecordedEvent) -> Bool {
        guard case (.app(let app), .app(let event)) = (recorded.stream, recorded.event) else {
            return false
        }
        switch event {
        case .releaseRegistered, .releaseAmended, .releaseWithdrawn:
            return isFrozen(app, at: recorded.recordedAt)
        case .appRegistered, .appSettingsChanged, .thresholdSet, .valueCleared, .thresholdCleared,
            .textSet, .textRemoved, .offersReplaced, .legacyOfferReplaced, .rolledBack,
            .renewalOrdered, .policyChanged, .freeze, .rollbackReviewOrdered, .rollbackReviewed,
            .versionSharesReplaced, .packagesOffered, .marketplace:
            return false
        }
    }

    private func isFrozen(_ app: AppSlug, at instant: Instant) -> Bool {
        [app, nil].contains { freezes[$0]?.inForce(at: instant) != nil }
    }
}

/// Where the policies stand that are in force, a fold of the log.
struct PoliciesInForce: Codable, Equatable, Sendable {
    /// That of the apps without one of their own; the beginning for the one that is built in.
    private var usual = Position.start
    private var own: [AppSlug: Position] = [:]

    func position(for app: AppSlug) -> Position { own[app] ?? usual }

    mutating func evolve(_ recorded: RecordedEvent) {
        if case (.app(let app), .app(.policyChanged(let policy))) = (
            recorded.stream, recorded.event
        ) {
            own[app] = policy == nil ? nil : recorded.position
        } else if case .service(.defaultPolicyChanged) = recorded.event {
            usual = recorded.position
        }
    }
}

/// Which settings every app has, a fold of the log.
struct SettingsInForce: Codable, Equatable, Sendable {
    private var histories: [AppSlug: SettingsHistory] = [:]

    private struct SettingsHistory: Codable, Equatable {
        let settings: AppSettings
        let position: Position
    }

    /// Where the event stands that brought them; the beginning for an app that there is not.
    func position(for app: AppSlug) -> Position { histories[app]?.position ?? .start }

    /// Takes in the next event of the log; answers what of which app's published bytes it makes
    /// others, if it does.
    mutating func evolve(_ recorded: RecordedEvent) -> (app: AppSlug, effect: SettingsEffect)? {
        guard let settings = recorded.settings, case .app(let app) = recorded.stream else {
            return nil
        }
        let history = SettingsHistory(settings: settings, position: recorded.position)
        guard let before = histories.updateValue(history, forKey: app) else { return nil }
        let effect = SettingsEffect(from: before.settings, to: settings)
        return effect.isEmpty ? nil : (app, effect)
    }
}
