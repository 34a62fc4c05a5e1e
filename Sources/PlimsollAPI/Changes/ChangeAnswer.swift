package import PlimsollDomain
package import PlimsollJSON

/// A change, as every resource of changes answers it: the members of its summary and these.
package struct ChangeAnswer: Answer {
    package let summary: ChangeSummaryAnswer
    package let reason: Reason?
    package let operations: [Operation]
    /// Each field before and after: against what is live while the change is open, as it was
    /// decided on afterwards.
    package let effect: [FieldChange]
    /// What an approval has to name; `nil` once the change was withdrawn.
    package let digest: ChangeDigest?
    package let outcome: ChangeOutcome
    package let course: ChangeCourse
    /// What looks like a mistake in it, while it is open.
    package let checks: [CheckAnswer]
    /// What it blocks of the devices that were counted, while it is open.
    package let blocked: [BlockedShare]
    /// The counts of devices that it is judged by, while it is open.
    package let counted: [CountAnswer]
    /// What others wrote of it after its base, while it is open.
    package let conflicts: [FieldConflict]
    /// The changes that wait for their time and that it puts in conflict: while it is open, if it
    /// were applied now; afterwards only in the receipt of what applied it.
    package let overtaken: [ChangeID]
    package let origin: ChangeOrigin
    /// What there is to know of what clients of Prince of Versions would be told, while it is open.
    package let notes: [PrinceOfVersionsAnswer.Note]

    package init(
        summary: ChangeSummaryAnswer,
        reason: Reason?,
        operations: [Operation],
        effect: [FieldChange],
        digest: ChangeDigest?,
        outcome: ChangeOutcome,
        course: ChangeCourse = ChangeCourse(),
        checks: [CheckAnswer] = [],
        blocked: [BlockedShare] = [],
        counted: [CountAnswer] = [],
        conflicts: [FieldConflict] = [],
        overtaken: [ChangeID] = [],
        origin: ChangeOrigin = ChangeOrigin(),
        notes: [PrinceOfVersionsAnswer.Note] = []
    ) {
        self.summary = summary
        self.reason = reason
        self.operations = operations
        self.effect = effect
        self.digest = digest
        self.outcome = outcome
        self.course = course
        self.checks = checks
        self.blocked = blocked
        self.counted = counted
        self.conflicts = conflicts
        self.overtaken = overtaken
        self.origin = origin
        self.notes = notes
    }

    package init?(_ reader: inout ObjectReader) {
        let summary = ChangeSummaryAnswer(&reader)
        let reason = reader.optionalReason("reason")
        let operations = reader.objects("operations", .ignored, Operation.init)
        let effect = reader.objects("effect", .ignored, FieldChange.init)
        let digest = reader.optionalString(
            "digest",
            needing: "64 hexadecimal digits",
            ChangeDigest.init(hex:)
        )
        let outcome = ChangeOutcome(&reader)
        let course = ChangeCourse(&reader)
        let checks = reader.objects("checks", .ignored, CheckAnswer.init)
        let blocked = reader.objects("blocked", .ignored, BlockedShare.init)
        let counted = reader.objects("counted", .ignored, CountAnswer.init)
        let conflicts = reader.objects("conflicts", .ignored, FieldConflict.init)
        let overtaken = reader.changes("overtaken")
        let origin = ChangeOrigin(&reader)
        let notes = reader.objects("notes", .ignored, PrinceOfVersionsAnswer.Note.read)
        guard let summary, let operations, let effect, let outcome, let course, let checks,
            let blocked, let counted, let conflicts, let overtaken, let origin, let notes
        else { return nil }
        self.init(
            summary: summary,
            reason: reason,
            operations: operations,
            effect: effect,
            digest: digest,
            outcome: outcome,
            course: course,
            checks: checks,
            blocked: blocked,
            counted: counted,
            conflicts: conflicts,
            overtaken: overtaken,
            origin: origin,
            notes: notes
        )
    }

    /// The counts that it is judged by, as an approval says that they were seen.
    package var counts: [Platform: Position] {
        Dictionary(counted.map { ($0.platform, $0.position) }, uniquingKeysWith: max)
    }

    package var json: JSONObject {
        var json = summary.json
        json["reason"] = JSONValue(reason?.text)
        json["operations"] = JSONValue(operations)
        json["effect"] = JSONValue(effect)
        json["digest"] = JSONValue(digest?.hex)
        outcome.write(to: &json)
        course.write(to: &json)
        json["checks"] = JSONValue(checks)
        json["blocked"] = JSONValue(blocked)
        json["counted"] = JSONValue(counted)
        json["conflicts"] = JSONValue(conflicts)
        json["overtaken"] = .changes(overtaken)
        origin.write(to: &json)
        json["notes"] = .array(notes.map(\.json))
        return json
    }
}

/// What a change was made of, and which others were made of the same.
package struct ChangeOrigin: Equatable, Sendable {
    package let source: Title?
    /// The change that its author made of it later.
    package let supersededBy: ChangeID?
    /// Those that it took the place of; only in the receipt of its proposal.
    package let supersedes: [ChangeID]

    package init(
        source: Title? = nil,
        supersededBy: ChangeID? = nil,
        supersedes: [ChangeID] = []
    ) {
        (self.source, self.supersededBy, self.supersedes) = (source, supersededBy, supersedes)
    }

    init?(_ reader: inout ObjectReader) {
        source = reader.optionalTitle("source")
        supersededBy = reader.optionalString(
            "supersededBy",
            needing: ChangeID.grammar,
            ChangeID.init
        )
        guard let supersedes = reader.changes("supersedes") else { return nil }
        self.supersedes = supersedes
    }

    func write(to json: inout JSONObject) {
        json["source"] = JSONValue(source?.text)
        json["supersededBy"] = JSONValue(supersededBy?.description)
        json["supersedes"] = .changes(supersedes)
    }
}

extension ChangeTerm: Answer {
    package init?(_ reader: inout ObjectReader) {
        let state = reader.name("state", as: State.self)
        let applied = reader.position("applied")
        let ended = reader.optionalPosition("ended")
        let endedAt = reader.optionalInstant("endedAt")
        guard let state, let applied else { return nil }
        self.init(state: state, applied: applied, ended: ended, endedAt: endedAt)
    }

    package var json: JSONObject {
        [
            "state": .string(state.rawValue), "applied": JSONValue(applied),
            "ended": JSONValue(ended), "endedAt": JSONValue(endedAt),
        ]
    }
}

/// `{"position": 61, "actor": "…", "at": "…", "reason": "3.2.0 never reached the store"}`
extension Undoing: Answer {
    package init?(_ reader: inout ObjectReader) {
        let position = reader.position("position")
        let actor = reader.principal("actor")
        let at = reader.instant("at")
        let reason = reader.optionalReason("reason")
        guard let position, let actor, let at else { return nil }
        self.init(position: position, actor: actor, at: at, reason: reason)
    }

    package var json: JSONObject {
        [
            "position": JSONValue(position), "actor": .string(actor.text), "at": JSONValue(at),
            "reason": JSONValue(reason?.text),
        ]
    }
}

extension SuspensionCause: Answer {
    package init?(_ reader: inout ObjectReader) {
        guard let cause = reader.name("cause", as: SuspensionCause.self) else { return nil }
        self = cause
    }

    /// What happened, in words, and what to do next.
    package var json: JSONObject {
        [
            "cause": .string(rawValue), "detail": .string(sentence),
            "remedy": .string(remedy),
        ]
    }
}
