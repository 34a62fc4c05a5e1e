import PlimsollDocuments
import PlimsollDomain
import PlimsollTestSupport
import PlimsollService

/// What people have seen of changes, and what was live, in the service's own words.
struct Memory {
    var digests: [RuleModel.Sight: ChangeDigest] = [:]
    /// After each append.
    var documents: [Int64: [Platform: Document]] = [:]

    /// Of what nobody has ever seen, the digest is as good as any.
    func digest(_ sight: RuleModel.Sight) throws -> ChangeDigest {
        try digests[sight]
            ?? existing(ChangeDigest(hex: String(repeating: "0", count: 64)))
    }

    func past(_ position: Int64) throws -> PastState {
        PastState(
            position: Position(Int(position)),
            documents: try existing(documents[position])
        )
    }

    struct Forgotten: Error {}

    private func existing<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Forgotten() }
        return value
    }
}

extension Translation {
    func command(
        _ act: RuleModel.Act,
        in logState: LogState,
        _ memory: Memory
    ) throws -> any Command {
        if let command = try proposal(act, memory) { return command }
        if let command = try decision(act, memory) { return command }
        if let command = try matterOfTime(act, logState, memory) { return command }
        return try rule(act, logState, memory)
    }

    private var hash: ChangeHash { ChangeDigest.init(of:) }
    private var reason: Reason { get throws { try Reason(validating: "Because.") } }
    private var title: Title { get throws { try Title(validating: "A change") } }

    private func proposal(_ act: RuleModel.Act, _ memory: Memory) throws -> (any Command)? {
        switch act {
        case .propose(let by, let edits, let base, let plan):
            ProposeChange(
                app: harbour,
                title: try title,
                reason: nil,
                base: Position(Int(base)),
                operations: try operations(edits),
                schedule: schedule(plan),
                by: principal(by)
            )
        case .revise(let by, let id, let sight, let edits, let base, let plan):
            ReviseChange(
                change: change(id),
                seen: try memory.digest(sight),
                title: nil,
                base: Position(Int(base)),
                operations: try operations(edits),
                schedule: schedule(plan),
                reason: nil,
                by: principal(by),
                hash: hash
            )
        case .schedule(let by, let id, let sight, let plan):
            ScheduleChange(
                change: change(id),
                seen: try memory.digest(sight),
                schedule: schedule(plan),
                by: principal(by),
                hash: hash
            )
        case .comment(let by, let id):
            CommentOnChange(change: change(id), comment: try reason, by: principal(by))
        default: nil
        }
    }

    private func decision(_ act: RuleModel.Act, _ memory: Memory) throws -> (any Command)? {
        switch act {
        case .approve(let by, let id, let sight):
            ApproveChange(
                change: change(id),
                seen: try memory.digest(sight),
                comment: nil,
                by: principal(by),
                hash: hash
            )
        case .reject(let by, let id, let sight):
            TurnDownChange(
                change: change(id),
                verdict: .rejected,
                seen: try memory.digest(sight),
                reason: try reason,
                by: principal(by),
                hash: hash
            )
        case .wantOther(let by, let id, let sight):
            TurnDownChange(
                change: change(id),
                verdict: .changesRequested,
                seen: try memory.digest(sight),
                reason: try reason,
                by: principal(by),
                hash: hash
            )
        case .withdraw(let by, let id, let sight):
            WithdrawChange(
                change: change(id),
                seen: try memory.digest(sight),
                by: principal(by),
                hash: hash
            )
        case .apply(let by, let id, let sight):
            ApplyChange(
                change: change(id),
                seen: try memory.digest(sight),
                by: principal(by),
                hash: hash
            )
        default: nil
        }
    }

    private func matterOfTime(
        _ act: RuleModel.Act,
        _ logState: LogState,
        _ memory: Memory
    ) throws -> (any Command)? {
        switch act {
        case .comeDue(let id): ApplyDueChange(change: change(id), hash: hash)
        case .end(let id):
            EndChange(
                change: change(id),
                past: try memory.past(logState.endingChange(change(id))?.before.rawValue ?? 0)
            )
        default: nil
        }
    }

    private func rule(
        _ act: RuleModel.Act,
        _ logState: LogState,
        _ memory: Memory
    ) throws -> any Command {
        switch act {
        case .freeze(let by, let everywhere):
            StartFreeze(of: scope(everywhere), reason: try reason, by: principal(by))
        case .thaw(let by, let everywhere):
            EndFreeze(of: scope(everywhere), reason: nil, by: principal(by))
        case .emergency(let by, let edits):
            DeclareEmergency(
                app: harbour,
                title: try title,
                base: logState.position,
                operations: try operations(edits),
                incident: try title,
                owner: nil,
                reason: try reason,
                by: principal(by),
                hash: hash
            )
        case .rollBack(let by, let target):
            RollBack(
                app: harbour,
                platforms: nil,
                request: .event(Position(Int(target))),
                past: try memory.past(target),
                reason: try reason,
                by: principal(by)
            )
        case .charter(let by, let charter, let everywhere):
            ChangePolicy(
                of: scope(everywhere),
                to: charter.map(policy),
                seen: logState.policyInForce(in: scope(everywhere)).since ?? .start,
                reason: try reason,
                by: principal(by)
            )
        case .admit(let by, let person, let grants):
            AdmitPrincipal(
                principal(person),
                grants: self.grants(grants),
                by: principal(by)
            )
        case .review(let by, let id):
            CloseReview(
                review: Position(Int(id)),
                verdict: ReviewVerdict(.confirmed, comment: nil),
                by: principal(by)
            )
        default: throw Memory.Forgotten()
        }
    }

    private func scope(_ everywhere: Bool) -> Scope { everywhere ? .all : .app(harbour) }
}
