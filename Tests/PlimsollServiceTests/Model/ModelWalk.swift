import FoundationEssentials
import PlimsollDocuments
import PlimsollDomain
import PlimsollStore
import PlimsollTestSupport
import PlimsollService
import Testing

/// Where commands are decided and recorded.
protocol Ground {
    var logState: LogState { get }

    /// The events of the command, or `nil` where it is refused.
    mutating func perform(_ command: any Command) async throws -> [RecordedEvent]?
    mutating func advance(by milliseconds: Int64)
    /// Goes on with nothing but what stands in the log.
    mutating func restart() async throws
}

/// One walk of the model and the service side by side; where they differ the test fails.
struct ModelWalk<Place: Ground> {
    private(set) var ground: Place
    private(set) var model = RuleModel()
    private let translation: Translation
    private var dice: Dice
    private var memory = Memory()
    private(set) var tally: [String: Int] = [:]
    private let seed: UInt64

    private static var people: Int { 14 }

    init(seed: UInt64, start: Instant, on ground: Place) async throws {
        self.ground = ground
        self.seed = seed
        dice = Dice(seed: seed, people: Self.people)
        translation = Translation(people: Self.people, start: start)
        try await settle()
    }

    /// Two administrators who owe each other nothing let the first people in.
    private mutating func settle() async throws {
        let key = KeyRecord(id: KeyID(UUID()), app: harbour, publicKey: [1])
        let settings = try settings([.ios])
        let registration = RegisterApp(
            slug: harbour,
            settings: settings,
            key: key,
            isDefault: nil,
            by: .system
        )
        _ = try #require(try await ground.perform(registration))
        let roles: [[Role]] = [
            [.admin], [.admin, .proposer], [.proposer], [.proposer], [.proposer, .approver],
            [.approver], [.approver], [.approver], [.approver, .responder], [.responder],
            [.auditor, .approver], [.viewer],
        ]
        for (person, roles) in roles.enumerated() {
            let grants = Set(roles.map { RuleModel.Grant(role: $0, isEverywhere: person < 9) })
            let command = AdmitPrincipal(
                translation.principal(person),
                grants: translation.grants(grants),
                by: .system
            )
            _ = try #require(try await ground.perform(command))
            model.members[person] = RuleModel.Member(grants: grants)
        }
        model.position = ground.logState.position.rawValue
        model.past = [RuleModel.Moment(position: model.position)]
        memory.documents[model.position] = ground.logState.app(harbour)?.documents
    }

    mutating func run(steps: Int, restartEvery rest: Int) async throws {
        for step in 1...steps {
            let pause = dice.pause()
            ground.advance(by: pause)
            model.now += pause
            try await keepAppointments(before: step)
            try await take(dice.act(in: model), step)
            if step.isMultiple(of: rest) { try await restart() }
        }
    }

    private mutating func restart() async throws {
        let before = ground.logState
        try await ground.restart()
        #expect(ground.logState == before, "seed \(seed)")
    }

    private mutating func keepAppointments(before step: Int) async throws {
        while true {
            let now = translation.instant(model.now)
            let due = ground.logState.appointments(dueBy: now).due
            let expected = model.changes.keys.filter {
                model.isDue($0) || model.isOver($0) && !model.isStill
            }
            try #require(
                Set(due.compactMap(\.change?.rawValue)) == Set(expected),
                "seed \(seed): due are \(due), expected \(expected)"
            )
            guard let first = due.first, let id = first.change?.rawValue else { return }
            try await take(first.act == .apply ? .comeDue(id) : .end(id), step)
        }
    }

    private mutating func take(_ act: RuleModel.Act, _ step: Int) async throws {
        let isExpected = model.permits(act)
        noteSights()
        let command = try translation.command(act, in: ground.logState, memory)
        let events = try await ground.perform(command)
        try #require(
            (events != nil) == isExpected,
            """
            seed \(seed), step \(step): \(label(of: act)) was \
            \(events == nil ? "refused" : "accepted"): \(refusal(of: command)) \(act)
            """
        )
        tally["\(label(of: act)) \(events == nil ? "refused" : "accepted")", default: 0] += 1
        if events != nil { model.follow(act, to: ground.logState.position.rawValue) }
        memory.documents[model.position] = ground.logState.app(harbour)?.documents
        try compare(after: act, step)
    }

    private func refusal(of command: any Command) -> String {
        do throws(Refusal) {
            _ = try command.decide(in: ground.logState, at: translation.instant(model.now))
            return ""
        } catch {
            return error.objections.map(\.detail).joined(separator: " ")
        }
    }

    private func label(of act: RuleModel.Act) -> String {
        String("\(act)".prefix { $0 != "(" })
    }

    /// Remembers by which digest the service calls what is visible of the open changes now.
    private mutating func noteSights() {
        guard let app = ground.logState.app(harbour) else { return }
        for (id, proposal) in model.changes where proposal.state.isOpen {
            let sight = model.sight(of: proposal)
            guard memory.digests[sight] == nil, let open = ground.logState.openChange(change(id))
            else { continue }
            memory.digests[sight] = ChangeDigest(of: open.content(against: app))
        }
    }

    private func compare(after act: RuleModel.Act, _ step: Int) throws {
        let logState = ground.logState
        let reviews = Set(logState.openReviews.map(\.position.rawValue))
        let place: Comment = """
            seed \(seed), step \(step), after \(act); again with PLIMSOLL_SEED=\(seed) scripts/test \
            --room PlimsollService --filter ModelTests
            """
        let app = try #require(logState.app(harbour))
        let difference = RuleModel.difference(translation.sheet(app), model.live)
        try #require(difference.isEmpty, place)
        try #require((app.freezes.unplanned != nil) == model.isFrozen, place)
        try #require((logState.freezes(of: .all).unplanned != nil) == model.isAllFrozen, place)
        try #require(reviews == Set(model.reviews.keys), place)
        for (id, proposal) in model.changes {
            guard proposal.state.isOpen else {
                try #require(logState.endOfChange(change(id)) == proposal.state, place)
                continue
            }
            let open = try #require(logState.openChange(change(id)), place)
            try #require(open.state == proposal.state, place)
            try #require(open.suspension == proposal.cause, place)
        }
        try compareStandings(logState, place)
    }

    /// What people are told of the youngest changes.
    private func compareStandings(_ logState: LogState, _ place: Comment) throws {
        let open = model.changes.filter { $0.value.state.isOpen }.sorted { $0.key > $1.key }
        for (id, proposal) in open.prefix(4) {
            let told = logState.state(
                ofOpen: try #require(logState.openChange(change(id))),
                ChangeDigest.init(of:),
                at: translation.instant(model.now)
            )
            try #require(told == model.standing(of: proposal), place)
        }
    }
}
