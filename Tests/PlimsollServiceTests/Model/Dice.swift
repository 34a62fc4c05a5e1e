import PlimsollDomain
import PlimsollTestSupport

/// Invents what happens next: mostly things that make sense, sometimes things that do not.
struct Dice {
    var generator: SeededGenerator
    let people: Int

    /// What was visible of changes earlier, for people who act on what they saw then.
    private var seen: [Int64: [RuleModel.Sight]] = [:]

    init(seed: UInt64, people: Int) {
        generator = SeededGenerator(seed: seed)
        self.people = people
    }

    mutating func act(in model: RuleModel) -> RuleModel.Act {
        for (id, change) in model.changes where change.state.isOpen {
            let sight = model.sight(of: change)
            if seen[id]?.last != sight { seen[id, default: []].append(sight) }
        }
        if let act = tidying(model) { return act }
        let kind = number(100)
        var act = self.act(of: kind, in: model)
        // Of all that random people could do hardly anything is permitted.
        for _ in 0..<number(12) where !model.permits(act) { act = self.act(of: kind, in: model) }
        return act
    }

    private mutating func act(of kind: Int, in model: RuleModel) -> RuleModel.Act {
        let by = person()
        switch kind {
        case 0..<20: return .propose(by, edits(), base: base(model), plan(model, 3))
        case 20..<49: return decided(model) { .approve(by, $0, $1) }
        case 49..<53: return decided(model) { .reject(by, $0, $1) }
        case 53..<55: return decided(model) { .wantOther(by, $0, $1) }
        case 55..<57: return decided(model) { .withdraw(by, $0, $1) }
        case 57..<59: return .comment(by, change(model))
        case 59..<65:
            let (edits, base, plan) = (edits(), base(model), plan(model, 2))
            return decided(model) { .revise(by, $0, $1, edits, base: base, plan) }
        case 65..<70:
            let plan = number(4) == 0 ? nil : plan(model, 4)
            return decided(model) { .schedule(by, $0, $1, plan) }
        case 70..<77: return decided(model) { .apply(by, $0, $1) }
        case 77..<80: return .freeze(by, everywhere: number(2) == 0)
        case 80..<86: return .thaw(by, everywhere: number(2) == 0)
        case 86..<88: return .emergency(by, edits())
        case 88..<90: return .rollBack(by, to: earlier(model))
        case 90..<94: return .charter(by, charter(), everywhere: number(3) == 0)
        case 94..<97: return .admit(by, person(), grants())
        default:
            let review = model.reviews.keys.sorted().randomElement(using: &generator)
            return .review(by, review ?? model.position)
        }
    }

    /// Where many changes lie about, authors withdraw old ones.
    private mutating func tidying(_ model: RuleModel) -> RuleModel.Act? {
        let open = model.changes.filter { $0.value.state.isOpen }
        guard open.count > 20, number(2) == 0, let oldest = open.min(by: { $0.key < $1.key }) else {
            return nil
        }
        return .withdraw(oldest.value.author, oldest.key, model.sight(of: oldest.value))
    }

    /// How much time passes, in milliseconds: now and then a lot.
    mutating func pause() -> RuleModel.Time {
        number(30) == 0 ? Int64(number(1_800_000)) : Int64(1 + number(4000))
    }

    private mutating func number(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &generator)
    }

    private mutating func person() -> RuleModel.Person { number(people) }

    /// One of the youngest changes, whatever became of it.
    private mutating func change(_ model: RuleModel) -> Int64 {
        let open = model.changes.filter { $0.value.state.isOpen }.keys.sorted()
        if number(10) > 0, let id = open.suffix(6).randomElement(using: &generator) { return id }
        return Int64(1 + number(model.changes.count + 1))
    }

    private mutating func decided(
        _ model: RuleModel,
        _ act: (Int64, RuleModel.Sight) -> RuleModel.Act
    ) -> RuleModel.Act {
        let id = change(model)
        let all = seen[id] ?? []
        let sight = number(8) == 0 ? all.randomElement(using: &generator) : all.last
        return sight.map { act(id, $0) } ?? .comment(person(), id)
    }

    private mutating func edits() -> [RuleModel.Edit] {
        let thresholds = [0, 1, 2].shuffled(using: &generator).prefix(1 + number(2))
        return thresholds.map { threshold in
            switch number(6) {
            case 0: .clear(threshold)
            case 1, 2: .say(threshold, "Words \(number(4))")
            default: .set(threshold, 1 + number(5))
            }
        }
    }

    private mutating func base(_ model: RuleModel) -> Int64 {
        switch number(12) {
        case 0: model.position + 1
        case 1, 2: earlier(model)
        default: model.position
        }
    }

    private mutating func earlier(_ model: RuleModel) -> Int64 {
        model.past.suffix(40).randomElement(using: &generator)?.position ?? model.position
    }

    /// A plan in so many cases of five.
    private mutating func plan(_ model: RuleModel, _ often: Int) -> RuleModel.Plan? {
        guard number(5) < often else { return nil }
        let at = model.now + Int64(number(120_000)) - 4000
        let until = at + Int64(number(3_600_000)) - 8000
        switch number(6) {
        case 0, 1, 2: return RuleModel.Plan(at: nil, until: until)
        case 3: return RuleModel.Plan(at: at, until: until)
        default: return RuleModel.Plan(at: at, until: number(30) == 0 ? 400 * 86_400_000 : nil)
        }
    }

    private mutating func charter() -> RuleModel.Charter? {
        guard number(4) > 0 else { return nil }
        var charter = RuleModel.Charter.usual
        for kind in ChangeKind.allCases {
            let needs = (0..<[0, 1, 1, 1, 2][number(5)]).map { _ in need() }
            let validFor: RuleModel.Time? = number(3) == 0 ? 60_000 : nil
            charter.rules[kind] = RuleModel.Rule(needs: needs, validFor: validFor)
        }
        charter.grace = Int64(number(3)) * 60_000
        charter.rollbackReviewer = number(2) == 0 ? .auditor : nil
        return charter
    }

    private mutating func need() -> RuleModel.Need {
        let role = [Role.approver, .approver, .approver, .responder, .auditor][number(5)]
        let count = 1 + number(2)
        let isOfSome = number(4) == 0
        let chosen = isOfSome ? Array((0..<people).shuffled(using: &generator).prefix(4)) : []
        return RuleModel.Need(count: count, role: role, people: chosen)
    }

    private mutating func grants() -> Set<RuleModel.Grant> {
        let role = Role.allCases[number(Role.allCases.count)]
        return [RuleModel.Grant(role: role, isEverywhere: number(3) == 0)]
    }
}
