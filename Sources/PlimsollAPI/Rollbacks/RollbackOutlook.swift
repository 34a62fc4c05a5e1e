package import PlimsollDomain
package import PlimsollJSON

/// What else a rollback does, and who gets to see it when.
package struct RollbackOutlook: Equatable, Sendable {
    /// `nil` for the repetition of a rollback.
    package let sideEffects: SideEffects?
    /// Texts that whoever it holds back would read.
    package let textsMissing: [Field]
    package let devices: [DeviceOutlook]
    package let cacheSeconds: Int64
    package let pollSeconds: Int64
    /// The review that the policy wants of it.
    package let review: ReviewOrder?
    /// What it blocks of the devices that were counted.
    package let blocked: [BlockedShare]
    /// What looks like a mistake in what it brings back; it keeps nobody from it.
    package let checks: [CheckFinding]
    /// What there is to know of what clients of Prince of Versions are told from then on.
    package let notes: [PrinceOfVersionsAnswer.Note]
    /// When the state was live that it leads to, and who stands behind it; only in a rehearsal.
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

        package init(
            suspended: [ChangeID],
            undone: [ChangeID],
            undoneOfOthers: [ChangeID],
            endsCalledOff: [ChangeID],
            endsResumed: [ChangeID],
            stale: [ChangeID],
            overtaken: [ChangeID] = []
        ) {
            self.suspended = suspended
            self.undone = undone
            self.undoneOfOthers = undoneOfOthers
            self.endsCalledOff = endsCalledOff
            self.endsResumed = endsResumed
            self.stale = stale
            self.overtaken = overtaken
        }
    }

    package init(
        sideEffects: SideEffects?,
        textsMissing: [Field] = [],
        devices: [DeviceOutlook],
        cacheSeconds: Int64,
        pollSeconds: Int64,
        review: ReviewOrder?,
        blocked: [BlockedShare] = [],
        checks: [CheckFinding] = [],
        notes: [PrinceOfVersionsAnswer.Note] = [],
        origin: RollbackOrigin? = nil
    ) {
        self.sideEffects = sideEffects
        self.textsMissing = textsMissing
        self.devices = devices
        self.cacheSeconds = cacheSeconds
        self.pollSeconds = pollSeconds
        self.review = review
        self.blocked = blocked
        self.checks = checks
        self.notes = notes
        self.origin = origin
    }

    init?(_ reader: inout ObjectReader) {
        let sideEffects = reader.optionalNested("sideEffects", SideEffects.init)
        let missing = reader.strings("textsMissing", needing: Field.grammar, Field.init(path:))
        let devices = reader.objects("devices", .ignored, DeviceOutlook.init)
        let reach = reader.object("reach")
        let review = reader.object("policy").flatMap { policy in
            reader.nested(policy, at: reader.pointer.appending("policy"), .ignored) { reader in
                reader.optionalNested("review", ReviewOrder.init)
            }
        }
        let blocked = reader.objects("blocked", .ignored, BlockedShare.init)
        let checks = reader.objects("checks", .ignored, CheckFinding.init)
        let notes = reader.objects("notes", .ignored, PrinceOfVersionsAnswer.Note.read)
        let origin = reader.optionalNested("origin", RollbackOrigin.init)
        guard let missing, let devices, let blocked, let checks, let notes,
            let cache = reach?["cacheSeconds"]?.integer,
            let poll = reach?["pollSeconds"]?.integer
        else { return nil }
        self.init(
            sideEffects: sideEffects,
            textsMissing: missing,
            devices: devices,
            cacheSeconds: cache,
            pollSeconds: poll,
            review: review,
            blocked: blocked,
            checks: checks,
            notes: notes,
            origin: origin
        )
    }

    func write(to json: inout JSONObject) {
        json["sideEffects"] = sideEffects.map { .object($0.json) } ?? .null
        json["textsMissing"] = .array(textsMissing.map { .string($0.path) })
        json["devices"] = JSONValue(devices)
        json["blocked"] = JSONValue(blocked)
        json["checks"] = JSONValue(checks)
        json["notes"] = .array(notes.map(\.json))
        json["origin"] = origin.map { .object($0.json) } ?? .null
        json["reach"] = [
            "cacheSeconds": .integer(cacheSeconds), "pollSeconds": .integer(pollSeconds),
        ]
        json["policy"] = [
            "role": .string(Role.responder.rawValue),
            "review": review.map { .object($0.json) } ?? .null,
        ]
    }
}

extension RollbackOutlook.SideEffects {
    fileprivate init?(_ reader: inout ObjectReader) {
        let suspended = reader.changes("suspended")
        let undone = reader.changes("undone")
        let undoneOfOthers = reader.changes("undoneOfOthers")
        let endsCalledOff = reader.changes("endsCalledOff")
        let endsResumed = reader.changes("endsResumed")
        let stale = reader.changes("stale")
        let overtaken = reader.changes("overtaken")
        guard let suspended, let undone, let undoneOfOthers, let endsCalledOff, let endsResumed,
            let stale, let overtaken
        else { return nil }
        self.init(
            suspended: suspended,
            undone: undone,
            undoneOfOthers: undoneOfOthers,
            endsCalledOff: endsCalledOff,
            endsResumed: endsResumed,
            stale: stale,
            overtaken: overtaken
        )
    }

    fileprivate var json: JSONObject {
        [
            "suspended": .changes(suspended), "undone": .changes(undone),
            "undoneOfOthers": .changes(undoneOfOthers),
            "endsCalledOff": .changes(endsCalledOff), "endsResumed": .changes(endsResumed),
            "stale": .changes(stale), "overtaken": .changes(overtaken),
        ]
    }
}

extension ObjectReader {
    /// An object, or null, with whatever else a newer service says in it.
    mutating func optionalNested<Value>(
        _ key: String,
        _ read: (inout ObjectReader) -> Value?
    ) -> Value? {
        optionalObject(key).flatMap { object in
            nested(object, at: pointer.appending(key), .ignored, read)
        }
    }
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

        fileprivate init?(_ reader: inout ObjectReader) {
            let event = reader.position("event")
            let origin = FieldOrigin(&reader)
            guard let event, let origin else { return nil }
            self.init(event: event, origin: origin)
        }

        fileprivate var json: JSONObject {
            var json: JSONObject = ["event": JSONValue(event)]
            origin.write(to: &json)
            return json
        }
    }

    package init(at: Instant, write: Write?) {
        (self.at, self.write) = (at, write)
    }

    init?(_ reader: inout ObjectReader) {
        let at = reader.instant("at")
        let write = reader.optionalNested("write", Write.init)
        guard let at else { return nil }
        self.init(at: at, write: write)
    }

    var json: JSONObject {
        ["at": JSONValue(at), "write": write.map { .object($0.json) } ?? .null]
    }
}

/// The receipt of a rollback.
package struct RollbackAnswer: Answer {
    package let app: AppSlug
    /// The last position of the append; `nil` where it was only tried.
    package let position: Position?
    /// The sequence under which the old content is published; `nil` where it was only tried.
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

    package init?(_ reader: inout ObjectReader) {
        let app = reader.slug("app")
        let position = reader.optionalPosition("position")
        let sequence = reader.optionalSequence("sequence")
        let target = reader.position("target")
        let platforms = reader.platforms("platforms")
        let kept = reader.platforms("platformsKept")
        let changes = reader.objects("changes", .ignored, FieldChange.init)
        let outlook = RollbackOutlook(&reader)
        guard let app, let target, let platforms, let kept, let changes, let outlook else {
            return nil
        }
        self.init(
            app: app,
            position: position,
            sequence: sequence,
            target: target,
            platforms: platforms,
            platformsKept: kept,
            changes: changes,
            outlook: outlook
        )
    }

    package var json: JSONObject {
        var json: JSONObject = [
            "app": .string(app.text),
            "position": JSONValue(position),
            "sequence": JSONValue(sequence),
            "target": JSONValue(target),
            "platforms": JSONValue(platforms),
            "platformsKept": JSONValue(platformsKept),
            "changes": JSONValue(changes),
        ]
        outlook.write(to: &json)
        return json
    }
}

extension ObjectReader {
    fileprivate mutating func platforms(_ key: String) -> [Platform]? {
        strings(key, needing: Platform.grammar, Platform.init(rawValue:))
    }
}
