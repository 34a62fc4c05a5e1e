import PlimsollDomain

extension RuleModel {
    /// What follows from something that was accepted, with the log's last position afterwards.
    mutating func follow(_ act: Act, to last: Int64) {
        let before = position
        position = last
        switch act {
        case .propose(let by, let edits, let base, let plan):
            changes[nextChange] = Proposal(
                author: by,
                hands: [by],
                base: base,
                edits: edits,
                stood: live,
                plan: plan
            )
        case .approve(let by, let id, let sight): approve(by, id, sight)
        case .reject(_, let id, _): changes[id]?.state = .rejected
        case .wantOther(_, let id, _):
            changes[id]?.state = .changesRequested
            changes[id]?.yeses = []
        case .withdraw(_, let id, _): changes[id]?.state = .withdrawn
        case .comment: break
        case .revise(let by, let id, _, let edits, let base, let plan):
            changes[id]?.edits = edits
            changes[id]?.stood = live
            changes[id]?.base = base
            reopen(id, by, plan ?? changes[id]?.plan)
        case .schedule(let by, let id, _, let plan): reopen(id, by, plan)
        case .apply(_, let id, _): bringIntoForce(id)
        case .comeDue(let id): comeDue(id)
        case .end(let id): end(id)
        case .freeze(_, let everywhere), .thaw(_, let everywhere):
            let wasStill = isStill
            if everywhere { isAllFrozen.toggle() } else { isFrozen.toggle() }
            if wasStill, !isStill { stillUntil = now }
            if !wasStill, isStill, stillUntil != now { stillSince = now }
        case .emergency(let by, let edits): declareEmergency(by, edits, before)
        case .rollBack(let by, let target): rollBack(by, target)
        case .charter(_, let new, let everywhere):
            if everywhere { charter = new ?? .usual } else { ownCharter = new }
        case .admit(let by, let person, let grants):
            members[person, default: Member()].grants.formUnion(grants)
            members[person]?.owes.insert(by)
        case .review(_, let id): reviews[id] = nil
        }
        past.append(Moment(position: last, sheet: live, origins: origins, undone: undone))
    }

    private var undone: Set<Int64> {
        Set(changes.filter { $0.value.application?.isUndone ?? false }.keys)
    }

    private var nextChange: Int64 { (changes.keys.max() ?? 0) + 1 }

    private mutating func approve(_ by: Person, _ id: Int64, _ sight: Sight) {
        changes[id]?.yeses.append(Yes(by: by, at: now, saw: sight))
        guard let change = changes[id], standing(of: change) == .approved, !isStill else { return }
        bringIntoForce(id)
    }

    private mutating func reopen(_ id: Int64, _ by: Person, _ plan: Plan?) {
        changes[id]?.plan = plan
        changes[id]?.hands.insert(by)
        changes[id]?.state = .proposed
        changes[id]?.cause = nil
    }

    private mutating func comeDue(_ id: Int64) {
        guard let change = changes[id] else { return }
        if let cause = obstacle(to: change) {
            changes[id]?.state = .suspended
            changes[id]?.cause = cause
        } else {
            bringIntoForce(id)
        }
    }

    private mutating func bringIntoForce(_ id: Int64) {
        guard let change = changes[id] else { return }
        changes[id]?.state = .applied
        changes[id]?.application = Application(
            position: position,
            before: live,
            originsBefore: origins,
            ends: change.plan?.until != nil
        )
        write(Self.sheet(live, after: change.edits))
    }

    private mutating func end(_ id: Int64) {
        guard let change = changes[id], let application = change.application else { return }
        var sheet = live
        let after = Self.sheet(application.before, after: change.edits)
        let held = origins.filter { $0.value == application.position }
        for slot in Self.difference(application.before, after).keys where held[slot] != nil {
            sheet[slot] = application.before[slot]
        }
        keepTexts(of: change.edits, in: &sheet, before: application.before)
        changes[id]?.application?.ends = false
        var decided = origins
        for slot in Self.difference(live, sheet).keys where held[slot] != nil {
            decided[slot] = application.originsBefore[slot]
        }
        write(sheet)
        origins = decided
    }

    /// Whoever is held back reads something.
    private func keepTexts(of edits: [Edit], in sheet: inout Sheet, before: Sheet) {
        for threshold in Set(edits.map(\.threshold))
        where sheet[Slot(threshold: threshold, part: .value)] != nil {
            for part in threshold == 2 ? [Slot.Part.title, .description] : [.description] {
                let slot = Slot(threshold: threshold, part: part)
                sheet[slot] = sheet[slot] ?? live[slot] ?? before[slot]
            }
        }
    }

    private mutating func declareEmergency(_ by: Person, _ edits: [Edit], _ before: Int64) {
        let id = nextChange
        changes[id] = Proposal(author: by, hands: [by], base: before, edits: edits, stood: live)
        bringIntoForce(id)
        // It is proposed, has its operations, and is declared, in this order.
        reviews[before + 3] = OpenReview(actor: by, role: .approver)
    }

    private mutating func rollBack(_ by: Person, _ target: Int64) {
        let then = moment(at: target)
        for (id, change) in changes {
            if change.state == .proposed, change.plan?.at != nil {
                changes[id]?.state = .suspended
                changes[id]?.cause = .rollback
            }
            if let application = change.application, application.ends,
                application.position > target || then.undone.contains(id)
            {
                changes[id]?.application?.ends = false
                changes[id]?.application?.isUndone = true
            }
        }
        write(then.sheet)
        origins = then.origins
        // What a freeze alone has kept from ending is not over.
        let last = isStill ? stillSince : now + 1
        for (id, change) in changes where change.plan?.until ?? 0 >= last {
            guard let application = change.application, application.isUndone,
                origins.values.contains(application.position)
            else { continue }
            changes[id]?.application?.ends = true
            changes[id]?.application?.isUndone = false
        }
        if let role = charterInForce.rollbackReviewer {
            reviews[position] = OpenReview(actor: by, role: role)
        }
    }

    private mutating func write(_ sheet: Sheet) {
        for slot in Self.difference(live, sheet).keys {
            writes[slot] = position
            origins[slot] = position
        }
        live = sheet
    }
}
