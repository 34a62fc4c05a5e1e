import PlimsollDocuments
import PlimsollDomain

/// Why a platform's document is what it is.
enum PublishedDecision: Hashable {
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
struct OpenApprovals: Equatable {
    private var approvals: [ChangeID: [ChangeApproval]] = [:]

    /// Takes in the next event of the log; answers what it decided, if it did.
    mutating func evolve(_ recorded: RecordedEvent) -> PublishedDecision? {
        switch (recorded.stream, recorded.event) {
        case (.change(let id), .change(.changeApproved(let digest, _, _))):
            approvals[id, default: []].append(
                ChangeApproval(
                    by: recorded.origin.actor,
                    digest: digest,
                    position: recorded.position
                )
            )
        case (.change(let id), .change(.changeApplied(_, let digest))):
            return .change(
                AppliedChange(
                    id: id,
                    digest: digest,
                    position: recorded.position,
                    approvals: approvals.removeValue(forKey: id) ?? []
                )
            )
        case (.change(let id), .change(.changeEnded)):
            return .end(EndOfChange(id: id, position: recorded.position))
        case (.change(let id), .change(.changeRejected)),
            (.change(let id), .change(.changeWithdrawn)),
            (.change(let id), .change(.changeSuperseded)),
            (.change(let id), .change(.changesRequested)):
            approvals[id] = nil
        case (.access, .access(.principalSuspended(let id))):
            approvals = approvals.mapValues { $0.filter { $0.by != id } }
        case (.app, .app(.rolledBack(let record))):
            return .rollback(
                AppliedRollback(
                    position: recorded.position,
                    target: record.target,
                    by: recorded.origin.actor
                )
            )
        default: break
        }
        return nil
    }
}

/// Which apps are frozen, a fold of the log: what is said of their releases orders nothing then.
struct FreezesInForce: Equatable, Sendable {
    /// The apps of which releases were ever known.
    private var apps: Set<AppSlug> = []
    private var frozen: Set<AppSlug> = []
    private var isEverythingFrozen = false
    /// The freezes of apps, and of everything, that are planned and not over.
    private var plans: [AppSlug?: FreezePlans] = [:]

    /// Takes in the next event of the log; answers the apps of which is told now what waited.
    mutating func evolve(_ recorded: RecordedEvent) -> [AppSlug] {
        var ends = false
        switch (recorded.stream, recorded.event) {
        case (.app(let app), .app(.releaseRegistered)): apps.insert(app)
        case (.app(let app), .app(.freezeStarted)): frozen.insert(app)
        case (.app(let app), .app(.freezeEnded)):
            frozen.remove(app)
            ends = true
        case (.app(let app), .app(.freezePlan(let event))):
            plans[app, default: FreezePlans()].evolve(event, recorded)
            ends = event.isEnd
        case (_, .service(.serviceFreezeStarted)): isEverythingFrozen = true
        case (_, .service(.serviceFreezeEnded)):
            isEverythingFrozen = false
            ends = true
        case (_, .service(.freezePlan(let event))):
            plans[nil, default: FreezePlans()].evolve(event, recorded)
            ends = event.isEnd
        default: break
        }
        guard ends else { return [] }
        let concerned: Set<AppSlug> =
            if case .app(let app) = recorded.stream { apps.intersection([app]) } else { apps }
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
        default: return false
        }
    }

    private func isFrozen(_ app: AppSlug, at instant: Instant) -> Bool {
        isEverythingFrozen || frozen.contains(app)
            || [app, nil].contains { plans[$0]?.inForce(at: instant) != nil }
    }
}

extension FreezePlanEvent {
    fileprivate var isEnd: Bool {
        if case .ended = self { true } else { false }
    }
}

/// Where the policies stand that are in force, a fold of the log.
struct PoliciesInForce: Equatable, Sendable {
    /// That of the apps without one of their own; the beginning for the one that is built in.
    private var usual = Position.start
    private var own: [AppSlug: Position] = [:]

    func position(for app: AppSlug) -> Position { own[app] ?? usual }

    mutating func evolve(_ recorded: RecordedEvent) {
        switch (recorded.stream, recorded.event) {
        case (.app(let app), .app(.policyChanged(let policy))):
            own[app] = policy == nil ? nil : recorded.position
        case (.service, .service(.defaultPolicyChanged)): usual = recorded.position
        default: break
        }
    }
}

/// Which settings every app has, a fold of the log.
struct SettingsInForce: Equatable, Sendable {
    private var standings: [AppSlug: Standing] = [:]

    private struct Standing: Equatable {
        let settings: AppSettings
        let position: Position
    }

    /// Where the event stands that brought them; the beginning for an app that there is not.
    func position(for app: AppSlug) -> Position { standings[app]?.position ?? .start }

    /// Takes in the next event of the log; answers what of which app's published bytes it makes
    /// others, if it does.
    mutating func evolve(_ recorded: RecordedEvent) -> (app: AppSlug, effect: SettingsEffect)? {
        guard let settings = recorded.settings, case .app(let app) = recorded.stream else {
            return nil
        }
        let standing = Standing(settings: settings, position: recorded.position)
        guard let before = standings.updateValue(standing, forKey: app) else { return nil }
        let effect = SettingsEffect(from: before.settings, to: settings)
        return effect.isEmpty ? nil : (app, effect)
    }
}
