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
