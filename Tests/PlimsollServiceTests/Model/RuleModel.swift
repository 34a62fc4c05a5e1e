import PlimsollDomain

/// The rules of changes once more, as a newcomer would write them down after reading the
/// documentation, to hold the service against.
///
/// It knows one app with one platform and one language. Nothing here asks the domain anything; only
/// names of roles, kinds and states are its.
struct RuleModel {
    typealias Person = Int
    typealias Time = Int64

    /// A place in the document.
    struct Slot: Hashable, CustomStringConvertible {
        let threshold: Int
        let part: Part

        enum Part: CaseIterable { case value, title, description }

        var description: String { "\(part) of threshold \(threshold)" }
    }

    typealias Sheet = [Slot: String]

    enum Edit: Hashable {
        case set(Int, Int)
        case say(Int, String)
        case clear(Int)

        var threshold: Int {
            switch self {
            case .set(let threshold, _), .say(let threshold, _), .clear(let threshold): threshold
            }
        }

        /// In a hurry nobody minds what people read later.
        func decides(on slot: Slot, isUrgent: Bool) -> Bool {
            switch self {
            case .set: slot.threshold == threshold && (slot.part == .value || !isUrgent)
            case .say: slot == Slot(threshold: threshold, part: .description) && !isUrgent
            case .clear: slot.threshold == threshold
            }
        }
    }

    struct Plan: Hashable {
        var at: Time?
        var until: Time?
    }

    /// What somebody sees who looks at an open change.
    struct Sight: Hashable {
        let edits: [Edit]
        let plan: Plan?
        let effect: [Slot: [String?]]
    }

    struct Yes {
        let by: Person
        let at: Time
        let saw: Sight
    }

    struct Proposal {
        let author: Person
        var hands: Set<Person>
        var base: Int64
        var edits: [Edit]
        /// What was live when it said for the first time what it says.
        var stood: Sheet
        var plan: Plan?
        var state = ChangeState.proposed
        var cause: SuspensionCause?
        var yeses: [Yes] = []
        var application: Application?
    }

    struct Application {
        let position: Int64
        let before: Sheet
        /// Who had decided what was live then.
        let originsBefore: [Slot: Int64]
        /// Whether it goes back at its time.
        var ends: Bool
        /// Whether it does not because a rollback took it back.
        var isUndone = false
    }

    struct Member {
        var grants: Set<Grant> = []
        var owes: Set<Person> = []
    }

    struct Grant: Hashable {
        let role: Role
        let isEverywhere: Bool
    }

    struct Need: Equatable {
        let count: Int
        let role: Role
        let people: [Person]
    }

    struct Rule: Equatable {
        var needs: [Need]
        var validFor: Time?
    }

    struct Charter: Equatable {
        var rules: [ChangeKind: Rule]
        var grace: Time
        var rollbackReviewer: Role?

        /// Everybody whom it names.
        var people: [Person] { rules.values.flatMap(\.needs).flatMap(\.people) }

        static let usual = Charter(
            rules: Dictionary(
                uniqueKeysWithValues: ChangeKind.allCases.map {
                    ($0, Rule(needs: [Need(count: 1, role: .approver, people: [])]))
                }
            ),
            grace: 900_000,
            rollbackReviewer: nil
        )
    }

    /// How things were after an append.
    struct Moment {
        let position: Int64
        var sheet: Sheet = [:]
        /// Where what was live had been decided.
        var origins: [Slot: Int64] = [:]
        /// The changes that a rollback had taken back.
        var undone: Set<Int64> = []
    }

    struct OpenReview: Equatable {
        let actor: Person
        let role: Role
    }

    var now: Time = 0
    var position: Int64 = 0
    var members: [Person: Member] = [:]
    var live: Sheet = [:]
    var writes: [Slot: Int64] = [:]
    /// Where what is live was decided, however often it went and came back.
    var origins: [Slot: Int64] = [:]
    var past: [Moment] = []
    var changes: [Int64: Proposal] = [:]
    var ownCharter: Charter?
    var charter = Charter.usual
    var isFrozen = false
    var isAllFrozen = false
    /// Since when one of the two has held without a break, and when the last such time was over.
    var stillSince: Time = 0
    var stillUntil: Time?
    var reviews: [Int64: OpenReview] = [:]
}

// MARK: - What stands where

extension RuleModel {
    var isStill: Bool { isFrozen || isAllFrozen }
    var charterInForce: Charter { ownCharter ?? charter }

    static func sheet(_ sheet: Sheet, after edits: [Edit]) -> Sheet {
        var sheet = sheet
        for edit in edits {
            switch edit {
            case .set(let threshold, let number):
                sheet[Slot(threshold: threshold, part: .value)] = "\(number)"
                sheet[Slot(threshold: threshold, part: .title)] = "Title \(number)"
                sheet[Slot(threshold: threshold, part: .description)] = "Update to \(number)."
            case .say(let threshold, let words):
                sheet[Slot(threshold: threshold, part: .description)] = words
            case .clear(let threshold):
                for part in Slot.Part.allCases {
                    sheet[Slot(threshold: threshold, part: part)] = nil
                }
            }
        }
        return sheet
    }

    static func difference(_ before: Sheet, _ after: Sheet) -> [Slot: [String?]] {
        var difference: [Slot: [String?]] = [:]
        for slot in Set(before.keys).union(after.keys) where before[slot] != after[slot] {
            difference[slot] = [before[slot], after[slot]]
        }
        return difference
    }

    func effect(of edits: [Edit]) -> [Slot: [String?]] {
        Self.difference(live, Self.sheet(live, after: edits))
    }

    func sight(of change: Proposal) -> Sight {
        Sight(edits: change.edits, plan: change.plan, effect: effect(of: change.edits))
    }

    /// Thresholds 0 and 1 are minimums, 2 is a recommendation.
    static func kinds(of effect: [Slot: [String?]]) -> Set<ChangeKind> {
        var kinds: Set<ChangeKind> = []
        for (slot, values) in effect where slot.part == .value {
            let numbers = values.map { $0.flatMap { Int($0) } }
            if slot.threshold == 2 {
                kinds.insert(.recommendation)
            } else if let after = numbers[1], after > numbers[0] ?? -1 {
                kinds.insert(.raiseMinimum)
            } else {
                kinds.insert(.lowerMinimum)
            }
        }
        return kinds.isEmpty ? [.text] : kinds
    }

    /// Whether it would write what another change takes back while it is in force.
    func outlives(_ effect: [Slot: [String?]], _ plan: Plan?) -> Bool {
        guard let until = plan?.until else { return false }
        return changes.values.contains { other in
            guard let application = other.application, application.ends,
                let end = other.plan?.until
            else { return false }
            let isThere = plan?.at.map { $0 <= now || $0 < end } ?? true
            let held = origins.filter { $0.value == application.position }
            return isThere && end <= until && held.keys.contains { effect[$0] != nil }
        }
    }

    /// Whether it only says again what another change takes back sooner.
    func repeats(_ edits: [Edit], _ plan: Plan?, isUrgent: Bool = false) -> Bool {
        let after = Self.sheet(live, after: edits)
        let going = changes.values.filter { other in
            (other.application?.ends ?? false) && other.plan?.until ?? .max < plan?.until ?? .max
        }.compactMap(\.application?.position)
        return origins.contains { slot, position in
            going.contains(position) && live[slot] == after[slot]
                && edits.contains { $0.decides(on: slot, isUrgent: isUrgent) }
        }
    }

    func isOverwritten(_ effect: [Slot: [String?]], since base: Int64) -> Bool {
        effect.keys.contains { writes[$0] ?? 0 > base }
    }

    /// What others wrote of it, and what does not hold again what it held.
    func contested(_ change: Proposal) -> Set<Slot> {
        Set(effect(of: change.edits).keys).filter { slot in
            writes[slot] ?? 0 > change.base && live[slot] != change.stood[slot]
        }
    }
}

// MARK: - People

extension RuleModel {
    func may(_ person: Person, _ roles: Role..., everywhere: Bool = false) -> Bool {
        roles.contains { role in
            (members[person]?.grants ?? []).contains { grant in
                (grant.isEverywhere || !everywhere)
                    && (grant.role == role || role == .viewer
                        || (grant.role == .admin && role == .auditor))
            }
        }
    }

    /// Whether the one would not be here, or not be who they are, without the other.
    func owes(_ person: Person, to other: Person) -> Bool {
        var reached: Set<Person> = []
        var next = members[person]?.owes ?? []
        while !next.isEmpty {
            reached.formUnion(next)
            let further = next.flatMap { members[$0]?.owes ?? [] }
            next = Set(further).subtracting(reached)
        }
        return reached.contains(other)
    }

    func isImpartial(_ person: Person, about change: Proposal) -> Bool {
        !change.hands.contains { $0 == person || owes(person, to: $0) || owes($0, to: person) }
    }
}

// MARK: - Approvals

extension RuleModel {
    func rules(for change: Proposal) -> [Rule] {
        let kinds = Self.kinds(of: effect(of: change.edits))
        return kinds.compactMap { charterInForce.rules[$0] }
    }

    /// Whose approval counts towards a need.
    func approvers(of change: Proposal, for need: Need, _ rule: Rule) -> Set<Person> {
        let sight = sight(of: change)
        var latest: [Person: Yes] = [:]
        for yes in change.yeses where yes.saw == sight { latest[yes.by] = yes }
        let counting = latest.values.filter { yes in
            isImpartial(yes.by, about: change) && may(yes.by, need.role)
                && (need.people.isEmpty || need.people.contains(yes.by))
                && (rule.validFor.map { now < yes.at + $0 } ?? true)
        }
        return Set(counting.map(\.by))
    }

    func isApproved(_ change: Proposal) -> Bool {
        rules(for: change).allSatisfy { rule in
            rule.needs.allSatisfy { approvers(of: change, for: $0, rule).count >= $0.count }
        }
    }

    /// How people are told that an open change stands.
    func standing(of change: Proposal) -> ChangeState {
        guard change.state == .proposed, isApproved(change) else { return change.state }
        return change.plan?.at == nil ? .approved : .scheduled
    }
}
