import FoundationEssentials
import PlimsollJSON

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
        string(key, needing: "hexadecimal digits") { text in
            let digits = Array(text.utf8)
            guard digits.count.isMultiple(of: 2) else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
                guard pair.first != "+", let byte = UInt8(pair, radix: 16) else { return nil }
                bytes.append(byte)
            }
            return bytes
        }
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
