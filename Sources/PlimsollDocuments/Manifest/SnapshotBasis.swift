package import PlimsollDomain
package import PlimsollJSON

/// What a snapshot rests on: who decided what is in it, and under which rules.
///
/// It is a function of the log up to the snapshot's position, as its documents are.
package struct SnapshotBasis: Equatable, Sendable {
    /// The changes that what is published is left from, in the order in which they were applied.
    package let changes: [AppliedChange]
    /// The rollbacks among them, in order.
    package let rollbacks: [AppliedRollback]
    /// The ends of changes among them, in order: what was there before went back.
    package let ends: [EndOfChange]
    /// How often roles and tokens had been changed: the revision of the stream `access`.
    package let access: Revision
    /// The event that set the policy in force, ``Position/start`` for the one that is built in; `nil`
    /// where it was made by a program that did not say so yet.
    package let policy: Position?
    /// The event that brought the app the settings it had; `nil` likewise.
    package let settings: Position?

    package init(
        changes: [AppliedChange],
        rollbacks: [AppliedRollback],
        ends: [EndOfChange] = [],
        access: Revision,
        policy: Position? = nil,
        settings: Position? = nil
    ) {
        self.changes = changes
        self.rollbacks = rollbacks
        self.ends = ends
        self.access = access
        self.policy = policy
        self.settings = settings
    }

    /// Whether it says the same, as far as it says anything.
    package func agrees(with whole: SnapshotBasis) -> Bool {
        let said = SnapshotBasis(
            changes: whole.changes,
            rollbacks: whole.rollbacks,
            ends: whole.ends,
            access: whole.access,
            policy: policy == nil ? nil : whole.policy,
            settings: settings == nil ? nil : whole.settings
        )
        return self == said
    }
}

/// A change as it was applied, with the approvals that it had.
package struct AppliedChange: Codable, Hashable, Sendable {
    package let id: ChangeID
    package let digest: ChangeDigest
    /// The place of its `ChangeApplied`.
    package let position: Position
    package let approvals: [ChangeApproval]

    package init(
        id: ChangeID,
        digest: ChangeDigest,
        position: Position,
        approvals: [ChangeApproval]
    ) {
        self.id = id
        self.digest = digest
        self.position = position
        self.approvals = approvals
    }

    /// Whoever approved what was applied, each once; an earlier wording may have had other approvals.
    package var approvers: [PrincipalID] {
        var seen: Set<PrincipalID> = []
        return approvals.filter { $0.digest == digest && seen.insert($0.by).inserted }.map(\.by)
    }
}

/// Who approved which content of a change.
package struct ChangeApproval: Codable, Hashable, Sendable {
    package let by: PrincipalID
    package let digest: ChangeDigest
    /// The place of its `ChangeApproved`.
    package let position: Position

    package init(by: PrincipalID, digest: ChangeDigest, position: Position) {
        self.by = by
        self.digest = digest
        self.position = position
    }
}

/// A return to an earlier state.
package struct AppliedRollback: Codable, Hashable, Sendable {
    /// The place of its `RolledBack`.
    package let position: Position
    /// The position whose state was restored.
    package let target: Position
    package let by: PrincipalID

    package init(position: Position, target: Position, by: PrincipalID) {
        self.position = position
        self.target = target
        self.by = by
    }
}

/// The end of a change that was approved for a time.
package struct EndOfChange: Codable, Hashable, Sendable {
    package let id: ChangeID
    /// The place of its `ChangeEnded`.
    package let position: Position

    package init(id: ChangeID, position: Position) {
        self.id = id
        self.position = position
    }
}

/// A checkpoint of the transparency log, by its name alone.
///
/// It was signed before the log was told of the snapshot; any later one has to extend it.
package struct NamedCheckpoint: Equatable, Sendable {
    package let origin: String
    package let size: Position
    package let root: ContentDigest

    package init(origin: String, size: Position, root: ContentDigest) {
        self.origin = origin
        self.size = size
        self.root = root
    }
}

extension SnapshotBasis {
    package var json: JSONObject {
        var json: JSONObject = [
            "accessRevision": .integer(access.rawValue),
            "changes": .array(changes.map { .object($0.json) }),
            "rollbacks": .array(rollbacks.map { .object($0.json) }),
        ]
        if let policy { json["policy"] = .integer(policy.rawValue) }
        if let settings { json["settings"] = .integer(settings.rawValue) }
        if !ends.isEmpty { json["ends"] = .array(ends.map { .object($0.json) }) }
        return json
    }

    init?(_ reader: inout ObjectReader) {
        let access = reader.member("accessRevision", needing: "a revision") {
            $0.integer.flatMap(Revision.init(rawValue:))
        }
        let changes = reader.objects("changes", .refused, AppliedChange.read)
        let rollbacks = reader.objects("rollbacks", .refused, AppliedRollback.read)
        let ends =
            reader.value("ends") == nil ? [] : reader.objects("ends", .refused, EndOfChange.read)
        // One that is wrong is refused by the reader.
        let policy = reader.value("policy") == nil ? nil : reader.position("policy")
        let settings = reader.value("settings") == nil ? nil : reader.position("settings")
        guard let access, let changes, let rollbacks, let ends else { return nil }
        self.init(
            changes: changes,
            rollbacks: rollbacks,
            ends: ends,
            access: access,
            policy: policy,
            settings: settings
        )
    }
}

extension JSONObject {
    /// Without what this program does not know of what a snapshot rests on.
    var understoodAsBasis: JSONObject {
        let known: Set = [
            "accessRevision", "changes", "ends", "policy", "rollbacks", "settings",
        ]
        return JSONObject(members.filter { known.contains($0.key) })
    }
}

extension AppliedChange {
    fileprivate var json: JSONObject {
        [
            "approvals": .array(approvals.map { .object($0.json) }),
            "digest": .string(digest.hex),
            "id": .string("\(id)"),
            "position": .integer(position.rawValue),
        ]
    }

    fileprivate static func read(_ reader: inout ObjectReader) -> AppliedChange? {
        let id = reader.change("id")
        let digest = reader.changeDigest("digest")
        let position = reader.position("position")
        let approvals = reader.objects("approvals", .refused, ChangeApproval.read)
        guard let id, let digest, let position, let approvals else { return nil }
        return AppliedChange(id: id, digest: digest, position: position, approvals: approvals)
    }
}

extension ChangeApproval {
    fileprivate var json: JSONObject {
        [
            "by": .string(by.text), "digest": .string(digest.hex),
            "position": .integer(position.rawValue),
        ]
    }

    fileprivate static func read(_ reader: inout ObjectReader) -> ChangeApproval? {
        let by = reader.principal("by")
        let digest = reader.changeDigest("digest")
        let position = reader.position("position")
        guard let by, let digest, let position else { return nil }
        return ChangeApproval(by: by, digest: digest, position: position)
    }
}

extension AppliedRollback {
    fileprivate var json: JSONObject {
        [
            "by": .string(by.text), "position": .integer(position.rawValue),
            "target": .integer(target.rawValue),
        ]
    }

    fileprivate static func read(_ reader: inout ObjectReader) -> AppliedRollback? {
        let by = reader.principal("by")
        let position = reader.position("position")
        let target = reader.position("target")
        guard let by, let position, let target else { return nil }
        return AppliedRollback(position: position, target: target, by: by)
    }
}

extension EndOfChange {
    fileprivate var json: JSONObject {
        ["id": .string("\(id)"), "position": .integer(position.rawValue)]
    }

    fileprivate static func read(_ reader: inout ObjectReader) -> EndOfChange? {
        let id = reader.change("id")
        let position = reader.position("position")
        guard let id, let position else { return nil }
        return EndOfChange(id: id, position: position)
    }
}

extension NamedCheckpoint {
    var json: JSONObject {
        [
            "origin": .string(origin), "root": .string(root.hex), "size": .integer(size.rawValue),
        ]
    }

    init?(_ reader: inout ObjectReader) {
        let origin = reader.string("origin", needing: "the name of a log") {
            $0.isEmpty ? nil : $0
        }
        let root = reader.string("root", needing: "64 lower-case hexadecimal digits") {
            ContentDigest(hex: $0)
        }
        let size = reader.position("size")
        guard let origin, let root, let size else { return nil }
        self.init(origin: origin, size: size, root: root)
    }
}

extension ObjectReader {
    mutating func position(_ key: String) -> Position? {
        member(key, needing: "a position of the log") {
            $0.integer.flatMap(Position.init(rawValue:))
        }
    }

    mutating func change(_ key: String) -> ChangeID? {
        string(key, needing: "the number of a change") { ChangeID($0) }
    }

    mutating func principal(_ key: String) -> PrincipalID? {
        string(key, needing: "the id of a principal") { PrincipalID($0) }
    }

    fileprivate mutating func changeDigest(_ key: String) -> ChangeDigest? {
        string(key, needing: "64 lower-case hexadecimal digits") { ChangeDigest(hex: $0) }
    }
}
