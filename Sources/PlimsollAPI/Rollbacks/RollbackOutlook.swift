package import PlimsollDomain
import PlimsollJSON

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
    /// When the state was live that it leads to, and who stands behind it; only in a rehearsal.
    package let origin: RollbackOrigin?

    /// What becomes of changes, by their numbers.
    package struct SideEffects: Equatable, Sendable {
        /// They come into force only when they are scheduled again.
        package let suspended: [ChangeID]
        /// They were applied after the target and are taken back as a whole.
        package let undone: [ChangeID]
        /// Those of them that others made, but for the one that the rollback names.
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
        let origin = reader.optionalNested("origin", RollbackOrigin.init)
        guard let missing, let devices, let blocked, let checks,
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
            origin: origin
        )
    }

    func write(to json: inout JSONObject) {
        json["sideEffects"] = sideEffects.map { .object($0.json) } ?? .null
        json["textsMissing"] = .array(textsMissing.map { .string($0.path) })
        json["devices"] = JSONValue(devices)
        json["blocked"] = JSONValue(blocked)
        json["checks"] = JSONValue(checks)
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
