package import PlimsollJSON

/// An entry that anybody may read, with all that shows to somebody offline that a log has it: what
/// lies beside a published snapshot as `proof.json`.
///
/// It is one line of canonical JSON; any other spelling of the same is refused.
package struct EntryProof: Equatable, Sendable {
    /// Exactly as it is hashed.
    package let entry: [UInt8]
    package let proof: LogProof
    /// What persons signed of what the entry tells.
    ///
    /// The log says nothing of it: each stands for itself.
    package let changes: [JSONValue]

    /// A note with as many lines as one may have, and an entry beside it.
    package static let sizeMaximum = 2 << 20

    /// Takes the checkpoint with whatever lines it has.
    package init(
        entry: [UInt8],
        inclusion: InclusionProof,
        checkpoint: SignedCheckpoint,
        changes: [JSONValue] = []
    ) {
        self.entry = entry
        self.changes = changes
        proof = LogProof(inclusion: inclusion, checkpoint: checkpoint)
    }

    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        let limits = JSONLimits(sizeMaximum: Self.sizeMaximum)
        var reader = try ObjectReader(parsing: bytes, limits: limits)
        let checkpoint = reader.string("checkpoint", needing: "a signed checkpoint") {
            // What is wrong with one, only its author wants to know.
            try? SignedCheckpoint(parsing: Array($0.utf8))
        }
        let entry = reader.string("entry", needing: "an entry in padded base64") {
            Base64.decode(Array($0.utf8)).flatMap {
                (1...EntryBundle.entryByteCountMaximum).contains($0.count) ? $0 : nil
            }
        }
        let index = reader.member("index", needing: "the number of a leaf, from 0") {
            $0.integer.flatMap(Int.init(exactly:)).flatMap { $0 >= 0 ? $0 : nil }
        }
        if let index, let checkpoint, index >= checkpoint.checkpoint.root.size {
            reader.refuse("index", "The checkpoint does not cover that leaf.")
        }
        let path = reader.strings("path", needing: "32 bytes in padded base64") {
            MerkleHash(base64: Array($0.utf8)[...])
        }
        if let path, path.count > LogProof.pathLinesMaximum {
            let maximum = LogProof.pathLinesMaximum
            reader.refuse("path", "It has \(path.count) hashes; at most \(maximum) are allowed.")
        }
        // One that is there and empty is not canonical.
        let changes = reader.value("changes") == nil ? [] : reader.array("changes")
        self = try reader.finish {
            guard let checkpoint, let entry, let index, let path, let changes else {
                return nil as Self?
            }
            let size = checkpoint.checkpoint.root.size
            return EntryProof(
                entry: entry,
                inclusion: InclusionProof(index: index, size: size, path: path),
                checkpoint: checkpoint,
                changes: changes
            )
        }
        guard self.bytes == bytes else {
            let detail = "The proof is not in its canonical form."
            throw JSONIssues([JSONIssue(pointer: .root, detail: detail)])
        }
    }

    package var bytes: [UInt8] {
        var object: JSONObject = [
            "checkpoint": .string(Self.text(proof.checkpoint.bytes)),
            "entry": .string(Self.text(Base64.encode(entry))),
            "index": .integer(Int64(proof.inclusion.index)),
            "path": .array(proof.inclusion.path.map { .string(Self.text($0.base64)) }),
        ]
        if !changes.isEmpty { object["changes"] = .array(changes) }
        return object.canonicalBytes()
    }

    /// Whether the way from the entry ends at the root of the checkpoint, whoever signed that.
    package var leadsToItsCheckpoint: Bool {
        proof.inclusion.proves(.leaf(entry), in: proof.checkpoint.checkpoint.root)
    }

    /// Checks who signed, and that the way from the entry leads to the root they signed.
    package func verification(by trust: LogTrust) -> LogProofVerification {
        proof.verification(of: .leaf(entry), by: trust)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
