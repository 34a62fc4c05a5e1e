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

/// What else a rollback does, and who gets to see it when.
package struct RollbackOutlook: Equatable, Sendable {
    /// `nil` for the repetition of a rollback.
    package let sideEffects: SideEffects?
    /// Texts that whoever it holds back would read.
    package let textsMissing: [Field]
    package let devices: [DeviceOutlook]
    package let reach: Reach
    /// The review that the policy wants of it.
    package let review: ReviewOrder?
    /// What it blocks of the devices that were counted.
    package let blocked: [BlockedShare]
    /// What looks like a mistake in what it brings back; it keeps nobody from it.
    package let checks: [CheckFinding]
    /// What there is to know of what clients of Prince of Versions are told from then on.
    package let notes: [PrinceOfVersionsAnswer.Note]
    /// When the state was live that it leads to, and who stands behind it; only in a dry run.
    package let origin: RollbackOrigin?

    /// What becomes of changes, by their numbers.
    package struct SideEffects: Equatable, Sendable {
        /// They come into force only when they are scheduled again.
        package let suspended: [ChangeID]
        /// They were applied after the target and are taken back as a whole.
        package let undone: [ChangeID]
        /// Those of which it takes back anything that others made, but for the one that it names.
        package let undoneOfOthers: [ChangeID]
        /// They were to end at a time of their own, and do not any more.
        package let endsCalledOff: [ChangeID]
        /// An earlier rollback called their end off; what comes back of them ends at its time.
        package let endsResumed: [ChangeID]
        /// They are open, and based on what is no longer live.
        package let stale: [ChangeID]
        /// Those of them that wait for their time all the same: they will not come into force.
        package let overtaken: [ChangeID]
        /// What is kept as they wrote it goes back at their end, to what stood there before them: that may
        /// be what is reverted.
        package let keptUntilEnd: [ChangeID]

        package init(
            suspended: [ChangeID],
            undone: [ChangeID],
            undoneOfOthers: [ChangeID],
            endsCalledOff: [ChangeID],
            endsResumed: [ChangeID],
            stale: [ChangeID],
            overtaken: [ChangeID] = [],
            keptUntilEnd: [ChangeID] = []
        ) {
            self.suspended = suspended
            self.undone = undone
            self.undoneOfOthers = undoneOfOthers
            self.endsCalledOff = endsCalledOff
            self.endsResumed = endsResumed
            self.stale = stale
            self.overtaken = overtaken
            self.keptUntilEnd = keptUntilEnd
        }

        package static let shape = Shape<Self>(
            "RollbackSideEffects",
            Self.init(
                suspended:
                undone:
                undoneOfOthers:
                endsCalledOff:
                endsResumed:
                stale:
                overtaken:
                keptUntilEnd:
            ),
            .required("suspended", \.suspended, .array(of: .change)),
            .required("undone", \.undone, .array(of: .change)),
            .required("undoneOfOthers", \.undoneOfOthers, .array(of: .change)),
            .required("endsCalledOff", \.endsCalledOff, .array(of: .change)),
            .required("endsResumed", \.endsResumed, .array(of: .change)),
            .required("stale", \.stale, .array(of: .change)),
            .required("overtaken", \.overtaken, .array(of: .change)),
            .required("keptUntilEnd", \.keptUntilEnd, .array(of: .change), before: [])
        )
    }

    package init(
        sideEffects: SideEffects?,
        textsMissing: [Field] = [],
        devices: [DeviceOutlook],
        reach: Reach,
        review: ReviewOrder?,
        blocked: [BlockedShare] = [],
        checks: [CheckFinding] = [],
        notes: [PrinceOfVersionsAnswer.Note] = [],
        origin: RollbackOrigin? = nil
    ) {
        self.sideEffects = sideEffects
        self.textsMissing = textsMissing
        self.devices = devices
        self.reach = reach
        self.review = review
        self.blocked = blocked
        self.checks = checks
        self.notes = notes
        self.origin = origin
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(sideEffects:textsMissing:devices:reach:review:blocked:checks:notes:origin:),
        .nullable("sideEffects", \.sideEffects, .object(SideEffects.shape)),
        .required("textsMissing", \.textsMissing, .array(of: .field)),
        .required("devices", \.devices, .objects(DeviceOutlook.shape)),
        .required("reach", \.reach, .object(Reach.shape)),
        .required("policy", \.review, .object(policy)),
        .required("blocked", \.blocked, .objects(BlockedShare.shape)),
        .required("checks", \.checks, .objects(CheckFinding.shape)),
        .required("notes", \.notes, .objects(PrinceOfVersionsAnswer.Note.shape)),
        .nullable("origin", \.origin, .object(RollbackOrigin.shape))
    )

    /// The review that the policy wants; it has no say in who may roll back.
    private static let policy = Shape<ReviewOrder?>(
        members: [
            .required("role", .role), .required("review", .nullable(ReviewOrder.shape.schema)),
        ],
        read: { reader in
            .some(reader.optionalMember("review", .object(ReviewOrder.shape)))
        },
        write: { review, json in
            json["role"] = .string(Role.responder.rawValue)
            json["review"] = review.map { .object($0.json) } ?? .null
        }
    )
}

/// How long it takes until everybody has what was published.
package struct Reach: Equatable, Sendable {
    /// How long caches between the edge and a phone may keep a document.
    package let cacheSeconds: Int64
    /// How long a phone waits until it looks again.
    package let pollSeconds: Int64

    /// As the edge says it, and as shipped apps look.
    package static let usual = Reach(cacheSeconds: 90, pollSeconds: 7200)

    package init(cacheSeconds: Int64, pollSeconds: Int64) {
        self.cacheSeconds = cacheSeconds
        self.pollSeconds = pollSeconds
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(cacheSeconds:pollSeconds:),
        .required("cacheSeconds", \.cacheSeconds, .integer(from: 0)),
        .required("pollSeconds", \.pollSeconds, .integer(from: 0))
    )
}

/// The state that a rollback leads to: since when it was there, and who stands behind it.
///
/// ```json
/// {"at": "2026-11-20T08:00:00.000Z",
///  "write": {"event": 40, "author": "…", "approvers": ["…"], "change": "7", "kind": "change",
///            "reason": "…", "incident": null}}
/// ```
package struct RollbackOrigin: Equatable, Sendable {
    /// When the last event before it was recorded.
    package let at: Instant
    /// What wrote last of all that stands in it; `nil` where nothing does.
    package let write: Write?

    /// An event that wrote something, and the people behind it.
    package struct Write: Equatable, Sendable {
        package let event: Position
        package let origin: FieldOrigin

        package init(event: Position, origin: FieldOrigin) {
            (self.event, self.origin) = (event, origin)
        }

        package static let shape = Shape<Self>(
            nil,
            Self.init(event:origin:),
            .required("event", \.event, .position),
            .part(\.origin, FieldOrigin.shape)
        )
    }

    package init(at: Instant, write: Write?) {
        (self.at, self.write) = (at, write)
    }

    package static let shape = Shape<Self>(
        nil,
        Self.init(at:write:),
        .required("at", \.at, .instant),
        .nullable("write", \.write, .object(Write.shape))
    )
}

/// The receipt of a rollback.
package struct RollbackAnswer: Answer, Shaped {
    package let app: AppSlug
    /// The last position of the append; `nil` in a dry run.
    package let position: Position?
    /// The sequence under which the old content is published; `nil` in a dry run.
    package let sequence: SnapshotSequence?
    /// The position whose state was restored.
    package let target: Position
    package let platforms: [Platform]
    /// Those of the whole app of which nothing stood there: they are left as they are.
    package let platformsKept: [Platform]
    package let changes: [FieldChange]
    /// What else it does, and who gets to see it when.
    package let outlook: RollbackOutlook

    package init(
        app: AppSlug,
        position: Position?,
        sequence: SnapshotSequence?,
        target: Position,
        platforms: [Platform],
        platformsKept: [Platform] = [],
        changes: [FieldChange],
        outlook: RollbackOutlook
    ) {
        self.app = app
        self.position = position
        self.sequence = sequence
        self.target = target
        self.platforms = platforms
        self.platformsKept = platformsKept
        self.changes = changes
        self.outlook = outlook
    }

    package static let shape = Shape<Self>(
        "RollbackReceipt",
        Self.init(app:position:sequence:target:platforms:platformsKept:changes:outlook:),
        .required("app", \.app, .slug),
        .nullable("position", \.position, .position),
        .nullable("sequence", \.sequence, .sequence),
        .required("target", \.target, .position),
        .required("platforms", \.platforms, .array(of: .names)),
        .required("platformsKept", \.platformsKept, .array(of: .names)),
        .required("changes", \.changes, .objects(FieldChange.shape)),
        .part(\.outlook, RollbackOutlook.shape)
    ).withDryRun
}
