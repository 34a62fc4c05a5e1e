import FoundationEssentials
package import PlimsollJSON
import PlimsollPostgres

/// One line of a backup: an entry exactly as it is hashed, or what the database keeps beside them.
///
/// All but entries are objects with the one member `backup`, which no entry has.
package enum BackupLine: Equatable, Sendable {
    case begin
    /// Entries stand in the order of the log.
    case entry([UInt8])
    case command(BackupCommand)
    case checkpoint(BackupCheckpoint)
    case cosignature(BackupCosignature)
    case overruled(BackupOverruled)
    case end(BackupEnd)

    /// Which form the lines have.
    private static let version: Int64 = 1
    private static let beginning = Array(#"{"backup":"#.utf8)

    /// The line without its newline.
    package var bytes: [UInt8] {
        if case .entry(let entry) = self { return entry }
        let line: JSONObject = ["backup": .object(json)]
        return line.canonicalBytes()
    }

    private var json: JSONObject {
        switch self {
        case .entry: preconditionFailure("an entry is written as it is")
        case .begin: ["version": .integer(Self.version)]
        case .command(let row): ["command": .object(row.json)]
        case .checkpoint(let row): ["checkpoint": .object(row.json)]
        case .cosignature(let row): ["cosignature": .object(row.json)]
        case .overruled(let row): ["overruled": .object(row.json)]
        case .end(let end): ["end": .object(end.json)]
        }
    }

    /// Reads a line; whatever is not ours is taken for an entry, and looked at as one.
    package init(parsing line: [UInt8]) throws(JSONIssues) {
        guard line.starts(with: Self.beginning) else {
            self = .entry(line)
            return
        }
        var reader = try ObjectReader(parsing: line, limits: JSONLimits(sizeMaximum: 16 << 20))
        let read = reader.object("backup") { BackupLine(&$0) }
        self = try reader.finish { read }
    }

    private init?(_ reader: inout ObjectReader) {
        guard let kind = reader.object.members.first?.key else {
            reader.refuse("version", "A line of a backup says what it is.")
            return nil
        }
        let line: BackupLine?
        switch kind {
        case "command": line = reader.object(kind) { BackupCommand(&$0) }.map(Self.command)
        case "checkpoint":
            line = reader.object(kind) { BackupCheckpoint(&$0) }.map(Self.checkpoint)
        case "cosignature":
            line = reader.object(kind) { BackupCosignature(&$0) }.map(Self.cosignature)
        case "overruled": line = reader.object(kind) { BackupOverruled(&$0) }.map(Self.overruled)
        case "end": line = reader.object(kind) { BackupEnd(&$0) }.map(Self.end)
        default:
            line = reader.member("version", needing: "version \(Self.version)") {
                $0.integer == Self.version ? .begin : nil
            }
        }
        guard let line else { return nil }
        self = line
    }
}

/// What makes the repetition of a command harmless.
package struct BackupCommand: Equatable, Sendable {
    let id: String
    let digest: [UInt8]
    let outcome: [UInt8]
    let recordedAt: Int64
    let first: Int64?
    let last: Int64
}

/// A checkpoint that was signed.
package struct BackupCheckpoint: Equatable, Sendable {
    package let size: Int64
    package let root: [UInt8]
    package let note: String
    let frontier: [UInt8]
    let createdAt: Int64
}

/// What a witness said of one.
package struct BackupCosignature: Equatable, Sendable {
    let size: Int64
    let witness: String
    let line: String
    let createdAt: Int64
}

/// A checkpoint that an operator gave up.
package struct BackupOverruled: Equatable, Sendable {
    let size: Int64
    let root: [UInt8]
    let position: Int64
    let createdAt: Int64
}

/// That nothing is missing.
package struct BackupEnd: Equatable, Sendable {
    package let events: Int
    /// The root over all of them.
    package let root: String
    /// SHA-256 of all lines before this one, newlines included.
    package let sha256: String
}

extension BackupCommand {
    var json: JSONObject {
        var json: JSONObject = [
            "digest": .string(hexadecimal(digest)), "id": .string(id),
            "last": .integer(last), "outcome": .string(Data(outcome).base64EncodedString()),
            "recordedAt": .integer(recordedAt),
        ]
        json["first"] = first.map { .integer($0) }
        return json
    }

    init?(_ reader: inout ObjectReader) {
        let id = reader.string("id", needing: "a UUID") { UUID(uuidString: $0) == nil ? nil : $0 }
        let digest = reader.bytes("digest")
        let outcome = reader.string("outcome", needing: "base64") {
            Data(base64Encoded: $0).map { Array($0) }
        }
        let recordedAt = reader.integer("recordedAt")
        let first = reader.optionalMember("first", needing: "a position", \.integer)
        let last = reader.integer("last")
        guard let id, let digest, let outcome, let recordedAt, let last else { return nil }
        self.init(
            id: id,
            digest: digest,
            outcome: outcome,
            recordedAt: recordedAt,
            first: first,
            last: last
        )
    }
}

extension BackupCheckpoint {
    var json: JSONObject {
        [
            "createdAt": .integer(createdAt), "frontier": .string(hexadecimal(frontier)),
            "note": .string(note), "root": .string(hexadecimal(root)), "size": .integer(size),
        ]
    }

    init?(_ reader: inout ObjectReader) {
        let createdAt = reader.integer("createdAt")
        let frontier = reader.bytes("frontier")
        let note = reader.string("note")
        let root = reader.bytes("root")
        let size = reader.integer("size")
        guard let createdAt, let frontier, let note, let root, let size else { return nil }
        self.init(size: size, root: root, note: note, frontier: frontier, createdAt: createdAt)
    }
}

extension BackupCosignature {
    var json: JSONObject {
        [
            "createdAt": .integer(createdAt), "line": .string(line), "size": .integer(size),
            "witness": .string(witness),
        ]
    }

    init?(_ reader: inout ObjectReader) {
        let createdAt = reader.integer("createdAt")
        let line = reader.string("line")
        let size = reader.integer("size")
        let witness = reader.string("witness")
        guard let createdAt, let line, let size, let witness else { return nil }
        self.init(size: size, witness: witness, line: line, createdAt: createdAt)
    }
}

extension BackupOverruled {
    var json: JSONObject {
        [
            "createdAt": .integer(createdAt), "position": .integer(position),
            "root": .string(hexadecimal(root)), "size": .integer(size),
        ]
    }

    init?(_ reader: inout ObjectReader) {
        let createdAt = reader.integer("createdAt")
        let position = reader.integer("position")
        let root = reader.bytes("root")
        let size = reader.integer("size")
        guard let createdAt, let position, let root, let size else { return nil }
        self.init(size: size, root: root, position: position, createdAt: createdAt)
    }
}

extension BackupEnd {
    var json: JSONObject {
        [
            "events": .integer(Int64(events)), "root": .string(root), "sha256": .string(sha256),
        ]
    }

    init?(_ reader: inout ObjectReader) {
        let events = reader.member("events", needing: "how many events there are") {
            $0.integer.flatMap { $0 < 0 ? nil : Int($0) }
        }
        let root = reader.string("root")
        let sha256 = reader.string("sha256")
        guard let events, let root, let sha256 else { return nil }
        self.init(events: events, root: root, sha256: sha256)
    }
}

extension ObjectReader {
    fileprivate mutating func bytes(_ key: String) -> [UInt8]? {
        string(key, needing: "hexadecimal digits") { PlimsollStore.bytes(hexadecimal: $0[...]) }
    }
}

/// Two lower-case digits a byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// Reads lower-case digits only, so that the same bytes are always written alike.
package func bytes(hexadecimal text: Substring) -> [UInt8]? {
    guard text.utf8.count.isMultiple(of: 2) else { return nil }
    let digits = Array(text.utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = value(of: digits[index]), let low = value(of: digits[index + 1]) else {
            return nil
        }
        bytes.append(high << 4 | low)
    }
    return bytes
}

private func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x61...0x66: digit - 0x57
    default: nil
    }
}
