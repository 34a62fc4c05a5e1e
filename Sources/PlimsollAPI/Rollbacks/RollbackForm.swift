package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/rollback`.
///
/// ```json
/// {"to": {"event": 42}, "platforms": ["ios"], "reason": "3.2.0 never reached the store"}
/// ```
/// `to` has one of `event`, `time`, `beforeChange`, `revert` (what that change wrote, and nothing
/// else) and `lastGood` (the newest approved state that was live for so many seconds); without
/// `platforms`, `fields` or `thresholds` all go back. `keep` goes with `revert`: fields in which
/// later work stays. With `target`, the event that a dry run found, it is refused where it would
/// lead elsewhere by now; with `undoing`, where it takes back another number of changes of others.
package struct RollbackForm: Form, Shaped {
    package let target: RollbackTarget
    package let platforms: [Platform]?
    package let fields: [Field]?
    /// All there is of them, then and now.
    package let thresholds: [ThresholdPlace]?
    /// Of a revert: the fields in which later work stays.
    package let keep: [Field]?
    /// Where a dry run said that it leads.
    package let seen: Position?
    /// How many changes of others it takes back, where somebody counted.
    package let undoing: Int?
    package let reason: Reason

    package init(
        target: RollbackTarget,
        platforms: [Platform]? = nil,
        fields: [Field]? = nil,
        thresholds: [ThresholdPlace]? = nil,
        keep: [Field]? = nil,
        seen: Position? = nil,
        undoing: Int? = nil,
        reason: Reason
    ) {
        self.target = target
        self.platforms = platforms
        self.fields = fields
        self.thresholds = thresholds
        self.keep = keep
        self.seen = seen
        self.undoing = undoing
        self.reason = reason
    }

    package static let shape = Shape<Self>(
        "Rollback",
        Self.init(target:platforms:fields:thresholds:keep:seen:undoing:reason:),
        .required("to", \.target, .object(RollbackTarget.shape)),
        .optional("platforms", \.platforms, .array(of: .names, atLeast: 1)),
        .optional("fields", \.fields, .array(of: .field, atLeast: 1)),
        .optional("thresholds", \.thresholds, .array(of: .thresholdPlace, atLeast: 1)),
        .optional("keep", \.keep, .array(of: .field)),
        .optional("target", \.seen, .position),
        .optional("undoing", \.undoing, .countOfChanges),
        .required("reason", \.reason, .reason)
    )
    .checking { form, reader in
        if case .revert = form.target {
            for name in ["platforms", "fields", "thresholds", "target", "undoing"]
            where (reader.value(name) ?? .null) != .null {
                reader.refuse(name, "A revert takes back what its change wrote; leave this out.")
            }
        } else if form.keep != nil {
            reader.refuse("keep", "This goes with revert alone.")
        }
    }

    /// The same where a dry run led: nothing else is done.
    ///
    /// A revert leads to one place only.
    package func pinned(to dryRun: RollbackAnswer) -> RollbackForm {
        if case .revert = target { return self }
        return RollbackForm(
            target: target,
            platforms: platforms,
            fields: fields,
            thresholds: thresholds,
            seen: dryRun.target,
            undoing: dryRun.outlook.sideEffects?.undoneOfOthers.count,
            reason: reason
        )
    }
}

extension ValueShape<Int> {
    fileprivate static let countOfChanges = ValueShape(
        "a number of changes from 0 to \(countsAllowed.upperBound)",
        .integer(from: countsAllowed.lowerBound, to: countsAllowed.upperBound),
        { $0.integer.flatMap { countsAllowed.contains($0) ? Int($0) : nil } },
        { .integer(Int64($0)) }
    )
}

private let countsAllowed: ClosedRange<Int64> = 0...1_000_000

private let secondsGrammar =
    "a number of seconds from \(RollbackTarget.secondsAllowed.lowerBound)"
    + " to \(RollbackTarget.secondsAllowed.upperBound)"

extension RollbackTarget: Form, Shaped {
    package static let shape = Shape<Self>(
        nil,
        byHand: .oneOf([
            .object([.required("event", .position)]), .object([.required("time", .instant)]),
            .object([.required("beforeChange", .change)]), .object([.required("revert", .change)]),
            .object([.required("lastGood", .integer(from: 1, to: ChangePolicy.secondsMaximum))]),
        ])
    )

    package init?(_ reader: inout ObjectReader) {
        let named = ["event", "time", "beforeChange", "revert", "lastGood"].filter {
            (reader.value($0) ?? nil) != nil
        }
        guard named.count == 1, let name = named.first else {
            reader.refuse(
                JSONIssue(
                    pointer: reader.pointer,
                    detail: "Found \(named.count) of event, time, beforeChange, revert and"
                        + " lastGood; exactly one is needed."
                )
            )
            return nil
        }
        let target: RollbackTarget? =
            switch name {
            case "event": reader.member("event", .position).map(RollbackTarget.event)
            case "time": reader.member("time", .instant).map(RollbackTarget.time)
            case "beforeChange":
                reader.member("beforeChange", .change).map(RollbackTarget.beforeChange)
            case "revert": reader.member("revert", .change).map(RollbackTarget.revert)
            default:
                reader.member("lastGood", needing: secondsGrammar) { value in
                    value.integer.flatMap { seconds in
                        Self.secondsAllowed.contains(seconds) ? .lastGood(seconds: seconds) : nil
                    }
                }
            }
        guard let target else { return nil }
        self = target
    }

    package var json: JSONObject {
        switch self {
        case .event(let position): ["event": JSONValue(position)]
        case .time(let instant): ["time": JSONValue(instant)]
        case .beforeChange(let id): ["beforeChange": .string(id.description)]
        case .revert(let id): ["revert": .string(id.description)]
        case .lastGood(let seconds): ["lastGood": .integer(seconds)]
        }
    }
}
