package import PlimsollDomain
package import PlimsollJSON

/// The body of `POST /v1/apps/{app}/rollback`.
///
/// ```json
/// {"to": {"event": 42}, "platforms": ["ios"], "reason": "3.2.0 never reached the store"}
/// ```
/// `to` has one of `event`, `time`, `beforeChange` and `lastGood` (the newest approved state that
/// was live for so many seconds); without `platforms`, `fields` or `thresholds` all go back. With
/// `target`, the event that a rehearsal found, it is refused where it would lead elsewhere by now.
package struct RollbackForm: Form {
    package let target: RollbackTarget
    package let platforms: [Platform]?
    package let fields: [Field]?
    /// All there is of them, then and now.
    package let thresholds: [ThresholdPlace]?
    /// Where a rehearsal said that it leads.
    package let rehearsed: Position?
    package let reason: Reason

    package init(
        target: RollbackTarget,
        platforms: [Platform]? = nil,
        fields: [Field]? = nil,
        thresholds: [ThresholdPlace]? = nil,
        rehearsed: Position? = nil,
        reason: Reason
    ) {
        self.target = target
        self.platforms = platforms
        self.fields = fields
        self.thresholds = thresholds
        self.rehearsed = rehearsed
        self.reason = reason
    }

    package init?(_ reader: inout ObjectReader) {
        let target = reader.object("to", RollbackTarget.init)
        let platforms = reader.optionalStrings(
            "platforms",
            needing: Platform.grammar,
            Platform.init(rawValue:)
        )
        let fields = reader.optionalStrings("fields", needing: Field.grammar, Field.init(path:))
        let thresholds = reader.optionalStrings(
            "thresholds",
            needing: ThresholdPlace.grammar,
            ThresholdPlace.init(path:)
        )
        let rehearsed = reader.optionalPosition("target")
        let reason = reader.reason("reason")
        guard let target, let reason else { return nil }
        self.init(
            target: target,
            platforms: platforms,
            fields: fields,
            thresholds: thresholds,
            rehearsed: rehearsed,
            reason: reason
        )
    }

    package var json: JSONObject {
        [
            "to": .object(target.json),
            "platforms": platforms.map(JSONValue.init) ?? .null,
            "fields": fields.map { .array($0.map { .string($0.path) }) } ?? .null,
            "thresholds": thresholds.map { .array($0.map { .string($0.path) }) } ?? .null,
            "target": JSONValue(rehearsed),
            "reason": .string(reason.text),
        ]
    }

    /// The same where a rehearsal led to an event.
    package func pinned(to event: Position) -> RollbackForm {
        RollbackForm(
            target: target,
            platforms: platforms,
            fields: fields,
            thresholds: thresholds,
            rehearsed: event,
            reason: reason
        )
    }
}

private let secondsGrammar =
    "a number of seconds from \(RollbackTarget.secondsAllowed.lowerBound)"
    + " to \(RollbackTarget.secondsAllowed.upperBound)"

extension RollbackTarget: Form {
    package init?(_ reader: inout ObjectReader) {
        let named = ["event", "time", "beforeChange", "lastGood"].filter {
            (reader.value($0) ?? nil) != nil
        }
        guard named.count == 1, let name = named.first else {
            reader.refuse(
                JSONIssue(
                    pointer: reader.pointer,
                    detail: "Found \(named.count) of event, time, beforeChange and lastGood;"
                        + " exactly one is needed."
                )
            )
            return nil
        }
        let target: RollbackTarget? =
            switch name {
            case "event": reader.position("event").map(RollbackTarget.event)
            case "time": reader.instant("time").map(RollbackTarget.time)
            case "beforeChange":
                reader.change("beforeChange").map(RollbackTarget.beforeChange)
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
        case .lastGood(let seconds): ["lastGood": .integer(seconds)]
        }
    }
}
