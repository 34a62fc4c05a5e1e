import PlimsollDomain

extension RuleModel {
    /// Something that somebody does, or time.
    enum Act {
        case propose(Person, [Edit], base: Int64, Plan?)
        case approve(Person, Int64, Sight)
        case reject(Person, Int64, Sight)
        case wantOther(Person, Int64, Sight)
        case withdraw(Person, Int64, Sight)
        case comment(Person, Int64)
        case revise(Person, Int64, Sight, [Edit], base: Int64, Plan?)
        case schedule(Person, Int64, Sight, Plan?)
        case apply(Person, Int64, Sight)
        case comeDue(Int64)
        case end(Int64)
        case freeze(Person, everywhere: Bool)
        case thaw(Person, everywhere: Bool)
        case emergency(Person, [Edit])
        case rollBack(Person, to: Int64)
        case charter(Person, Charter?, everywhere: Bool)
        case admit(Person, Person, Set<Grant>)
        case review(Person, Int64)
    }

    /// Whether it is to be accepted.
    func permits(_ act: Act) -> Bool {
        switch act {
        case .propose(let by, let edits, let base, let plan):
            may(by, .proposer) && isSound(edits, base: base, plan) && isAhead(plan)
        case .approve(let by, let id, let sight): permitsApproval(by, id, sight)
        case .reject(let by, let id, let sight), .wantOther(let by, let id, let sight):
            sees(id, sight) && changes[id]?.author != by
                && (may(by, .approver) || changes[id].map { asks(by, about: $0) } ?? false)
        case .withdraw(let by, let id, let sight):
            sees(id, sight) && may(by, .proposer) && changes[id]?.author == by
        case .comment(let by, let id):
            changes[id]?.state.isOpen ?? false
                && may(by, .proposer, .approver, .responder, .auditor, .admin)
        case .revise(let by, let id, let sight, let edits, let base, let plan):
            sees(id, sight) && may(by, .proposer) && !writesOver(edits, revising: id)
                && isSound(edits, base: base, plan ?? changes[id]?.plan)
                && isAhead(plan ?? changes[id]?.plan)
        case .schedule(let by, let id, let sight, let plan):
            sees(id, sight) && may(by, .proposer) && isAhead(plan)
                && changes[id]?.state != .changesRequested && !outlives(sight.effect, plan)
                && !repeats(sight.edits, plan)
                && (changes[id]?.plan != plan || changes[id]?.state == .suspended)
        case .apply(let by, let id, let sight): permitsApplication(by, id, sight)
        case .comeDue(let id): isDue(id)
        case .end(let id): isOver(id) && !isStill
        case .freeze(let by, let everywhere):
            may(by, .responder, .admin, everywhere: everywhere)
                && !(everywhere ? isAllFrozen : isFrozen)
        case .thaw(let by, let everywhere):
            may(by, .responder, .admin, everywhere: everywhere)
                && (everywhere ? isAllFrozen : isFrozen)
        case .emergency(let by, let edits):
            may(by, .responder) && !effect(of: edits).isEmpty
                && !repeats(edits, nil, isUrgent: true)
        case .rollBack(let by, let target):
            may(by, .responder) && sheet(at: target) != live
                && (!sheet(at: target).isEmpty || live.isEmpty)
        case .charter(let by, let new, let everywhere):
            may(by, .admin, everywhere: everywhere)
                && (everywhere ? charter != new ?? .usual : ownCharter != new)
                && (new?.people ?? []).allSatisfy { members[$0] != nil }
        case .admit(let by, let person, let grants): permitsAdmission(by, person, grants)
        case .review(let by, let id):
            reviews[id].map {
                may(by, $0.role) && by != $0.actor && !owes(by, to: $0.actor)
            } ?? false
        }
    }

    private func sees(_ id: Int64, _ sight: Sight) -> Bool {
        changes[id].map { $0.state.isOpen && self.sight(of: $0) == sight } ?? false
    }

    private func isSound(_ edits: [Edit], base: Int64, _ plan: Plan?) -> Bool {
        let effect = effect(of: edits)
        return !effect.isEmpty && base <= position && !isOverwritten(effect, since: base)
            && !outlives(effect, plan) && !repeats(edits, plan)
    }

    /// Whether it would write what the change wrote and others wrote since.
    private func writesOver(_ edits: [Edit], revising id: Int64) -> Bool {
        guard let change = changes[id] else { return false }
        return !contested(change).isDisjoint(with: effect(of: edits).keys)
    }

    private func isAhead(_ plan: Plan?) -> Bool {
        guard let plan else { return true }
        let times = [plan.at, plan.until].compactMap(\.self)
        guard let first = times.first, first > now else { return false }
        return times == times.sorted() && Set(times).count == times.count
            && times.allSatisfy { $0 <= now + 366 * 86_400_000 }
    }

    private func isGood(_ change: Proposal) -> Bool {
        !effect(of: change.edits).isEmpty && contested(change).isEmpty
            && (change.plan?.until ?? .max) > now
            && !outlives(effect(of: change.edits), change.plan)
            && !repeats(change.edits, change.plan)
    }

    private func permitsApproval(_ by: Person, _ id: Int64, _ sight: Sight) -> Bool {
        guard let change = changes[id], sees(id, sight), isGood(change),
            change.state != .changesRequested, isImpartial(by, about: change)
        else { return false }
        let rules = rules(for: change)
        let needs = rules.flatMap(\.needs)
        let hasSaidSo = rules.contains { rule in
            rule.needs.contains { approvers(of: change, for: $0, rule).contains(by) }
        }
        guard !needs.isEmpty else {
            return may(by, .approver) && !change.yeses.contains { $0.by == by && $0.saw == sight }
        }
        return asks(by, about: change) && !hasSaidSo
    }

    private func asks(_ person: Person, about change: Proposal) -> Bool {
        rules(for: change).flatMap(\.needs).contains {
            may(person, $0.role) && ($0.people.isEmpty || $0.people.contains(person))
        }
    }

    private func permitsApplication(_ by: Person, _ id: Int64, _ sight: Sight) -> Bool {
        guard let change = changes[id] else { return false }
        return sees(id, sight) && may(by, .proposer, .approver) && isGood(change)
            && change.state != .changesRequested && isApproved(change) && !isStill
            && (change.plan?.at ?? now) <= now
    }

    private func permitsAdmission(
        _ by: Person,
        _ person: Person,
        _ grants: Set<Grant>
    ) -> Bool {
        let known = members[person]?.grants ?? []
        let places = Set(grants.union(known).map(\.isEverywhere))
        return !grants.subtracting(known).isEmpty
            && places.allSatisfy { may(by, .admin, everywhere: $0) }
    }

    func isDue(_ id: Int64) -> Bool {
        guard let change = changes[id], change.state == .proposed else { return false }
        return change.plan?.at.map { $0 <= now } ?? false
    }

    func isOver(_ id: Int64) -> Bool {
        guard let change = changes[id], change.application?.ends ?? false else { return false }
        return change.plan?.until.map { $0 <= now } ?? false
    }

    func moment(at target: Int64) -> Moment {
        past.last { $0.position <= target } ?? Moment(position: 0)
    }

    func sheet(at target: Int64) -> Sheet { moment(at: target).sheet }

    /// What keeps a change from being applied whose time has come.
    func obstacle(to change: Proposal) -> SuspensionCause? {
        if isStill { return .freeze }
        let grace = max(charterInForce.grace, 5000)
        if (change.plan?.at ?? now) + grace < now { return .missed }
        if (change.plan?.until ?? .max) <= now { return .missed }
        if effect(of: change.edits).isEmpty || !contested(change).isEmpty { return .conflict }
        if outlives(effect(of: change.edits), change.plan) { return .conflict }
        if repeats(change.edits, change.plan) { return .conflict }
        return isApproved(change) ? nil : .approvals
    }
}
