/// Who has to approve a kind of change.
package struct ApprovalRule: Codable, Equatable, Sendable {
    /// All of them have to be met; none means that nobody needs to approve.
    package let requirements: [ApprovalRequirement]
    /// How long an approval counts, in seconds; `nil` is for ever.
    package let validSeconds: Int64?

    package static let requirementsMaximum = 10

    package init(requirements: [ApprovalRequirement], validSeconds: Int64? = nil) {
        self.requirements = requirements
        self.validSeconds = validSeconds
    }

    /// Whether an approval that was given then still counts now.
    package func counts(_ approval: Approval, at now: Instant) -> Bool {
        guard let validSeconds else { return true }
        return now < approval.at.advanced(by: .seconds(validSeconds))
    }
}

/// So many approvals, of people in this role.
package struct ApprovalRequirement: Codable, Hashable, Sendable {
    package let count: Int
    package let role: Role
    /// The people of whom they have to come, if it is not anybody in the role.
    package let people: [PrincipalID]
    /// Who has to have signed each of them; `nil` takes the service's word that it was given.
    package let signedBy: Signer?

    package static let countMaximum = 20
    package static let peopleMaximum = 100

    package init(
        _ count: Int,
        of role: Role,
        people: [PrincipalID] = [],
        signedBy: Signer? = nil
    ) {
        self.count = count
        self.role = role
        self.people = people
        self.signedBy = signedBy
    }

    /// Whose signature an approval needs.
    package enum Signer: String, Codable, CaseIterable, Sendable {
        /// Of whoever approves, with a key of their own that the service never has.
        case person
    }
}

/// A requirement that is not met yet, and how far it is.
package struct MissingApproval: Hashable, Sendable {
    package let kind: ChangeKind
    package let requirement: ApprovalRequirement
    /// The approvals that count towards it.
    package let have: Int

    package init(kind: ChangeKind, requirement: ApprovalRequirement, have: Int) {
        self.kind = kind
        self.requirement = requirement
        self.have = have
    }
}

/// Somebody's approval of what they saw.
package struct Approval: Codable, Equatable, Sendable {
    package let by: PrincipalID
    package let at: Instant
    /// What they saw; if the change has another digest now, this is an approval of something else.
    package let digest: ChangeDigest
    /// The events that counted the devices which the change was judged by then.
    package let counted: [Platform: Position]
    /// The approver's own key that it was signed with, if it was.
    package let key: PersonKey?
    /// What was taken from them since; it counts no more then, whatever they are given back.
    package private(set) var lapse: Lapse?
    private(set) var lapsedBy: LapseRules = []

    package init(
        by: PrincipalID,
        at: Instant,
        digest: ChangeDigest,
        counted: [Platform: Position] = [:],
        key: PersonKey? = nil
    ) {
        self.by = by
        self.at = at
        self.digest = digest
        self.counted = counted
        self.key = key
    }

    /// The first cause stands.
    mutating func lapse(_ lapse: Lapse, by rules: LapseRules) {
        if rules.contains(.today), self.lapse == nil { self.lapse = lapse }
        lapsedBy.formUnion(rules)
    }

    /// Why the word of somebody who gave it before counts no more: who did what, when and why.
    package struct Lapse: Codable, Equatable, Sendable {
        package let cause: Cause
        package let by: PrincipalID
        package let at: Instant
        package let reason: Reason?

        /// What was taken from whoever had given it.
        package enum Cause: Codable, Equatable, Sendable {
            case suspended
            case roleRevoked(Role)
            case keyRevoked(PersonKey)
        }

        init(_ cause: Cause, _ recorded: RecordedEvent) {
            self.cause = cause
            (by, at) = (recorded.origin.actor, recorded.recordedAt)
            reason = recorded.origin.reason
        }
    }
}

extension MissingApproval {
    /// What has to come yet: `1 more approval by people in the role approver, who had no hand in it`.
    var rest: String {
        let count = requirement.count - have
        let approvals = count == 1 ? "1 more approval" : "\(count) more approvals"
        let approvers = requirement.approvers()
        return "\(approvals) \(approvers), who had no hand in it\(requirement.signature)"
    }
}

extension ApprovalRequirement {
    /// `2 approvals by people in the role approver`, people called by their names.
    package func words(naming name: (PrincipalID) -> String = \.text) -> String {
        let approvals = count == 1 ? "1 approval" : "\(count) approvals"
        return "\(approvals) \(approvers(naming: name))\(signature)"
    }

    /// Who may give them: `by people in the role approver`.
    fileprivate func approvers(naming name: (PrincipalID) -> String = \.text) -> String {
        guard people.isEmpty else {
            let names = people.map(name).joined(separator: ", ")
            return "of \(names) in the role \(role.rawValue)"
        }
        return "by people in the role \(role.rawValue)"
    }

    fileprivate var signature: String {
        signedBy == nil ? "" : ", signed with a key of their own"
    }
}

/// What sort of change it is; a policy has a rule for each.
package enum ChangeKind: String, Codable, CaseIterable, Sendable {
    /// A minimum rises, or is set where none was.
    case raiseMinimum
    /// A minimum falls, or is taken away.
    case lowerMinimum
    /// A recommended version becomes another.
    case recommendation
    /// What clients of Prince of Versions are offered becomes something else.
    case offers
    /// Nothing but texts, or the same version written otherwise.
    case text

    /// Every kind that the effect belongs to; the rules of all of them hold.
    package static func kinds(of effect: [FieldChange]) -> Set<ChangeKind> {
        let kinds = Set(effect.compactMap(kind))
        return kinds.isEmpty ? [.text] : kinds
    }

    private static func kind(of change: FieldChange) -> ChangeKind? {
        guard let threshold = change.field.threshold else { return .offers }
        guard change.field.part == .value else { return nil }
        guard threshold.isMinimum else { return .recommendation }
        guard case .version(let after)? = change.after else { return .lowerMinimum }
        guard case .version(let before)? = change.before else { return .raiseMinimum }
        if before.isOlder(than: after) { return .raiseMinimum }
        return after.isOlder(than: before) ? .lowerMinimum : nil
    }
}
