import Crypto
import Foundation

/// Who has to have seen a snapshot before its documents count.
///
/// With it a client believes a document only where the service's transparency log recorded the
/// snapshot that it is part of, and so many witnesses saw that log: whoever steals the key that signs
/// documents cannot show one phone what nobody else is shown. It is the stricter rule and the slower
/// one: a proof follows a publication within seconds, and witnesses follow within a minute or two.
/// Until then, and as long as too few of them work, the last good document goes on.
///
/// Ship these keys with the app, from a source that you trust; never fetch them at run time.
public struct WitnessQuorum: Sendable {
    private let log: NoteKey
    private let witnesses: [NoteKey]
    private let needed: Int

    /// Takes verifier keys as `log/key` and a witness's folder have them.
    ///
    /// - Parameters:
    ///   - logKey: The key of the service's log.
    ///   - witnessKeys: Those of the witnesses.
    ///   - quorum: How many of them have to have seen it.
    /// - Throws: ``AvailabilityError/Code/configurationWrong`` where a key is none, stands twice,
    ///   or there are fewer than are needed.
    public init(logKey: String, witnessKeys: [String], quorum: Int) throws(AvailabilityError) {
        guard let log = NoteKey(logKey, .log) else {
            throw AvailabilityError(.configurationWrong, "“\(logKey)” is no key of a log.")
        }
        var witnesses: [NoteKey] = []
        for text in witnessKeys {
            guard let key = NoteKey(text, .witness) else {
                throw AvailabilityError(.configurationWrong, "“\(text)” is no key of a witness.")
            }
            witnesses.append(key)
        }
        guard Set(witnesses.map(\.key)).count == witnesses.count,
            (1...max(1, witnesses.count)).contains(quorum), !witnesses.isEmpty
        else {
            throw AvailabilityError(
                .configurationWrong,
                "A quorum needs a number from 1 to that of the witnesses, each of another key."
            )
        }
        (self.log, self.witnesses, needed) = (log, witnesses, quorum)
    }

    /// What lies beside a document.
    struct Evidence: Sendable {
        let manifest: Data
        let proof: Data
    }

    /// Throws unless the log recorded a snapshot of the app that has the file with exactly this body,
    /// and enough witnesses saw that.
    func check(
        _ body: Data,
        named name: String,
        of app: String,
        by evidence: Evidence
    ) throws(AvailabilityError) {
        let manifest = try Self.object(evidence.manifest, "manifest")
        guard
            manifest["app"] == .string(app), case .array(let files)? = manifest["files"],
            files.contains(where: { $0.isFile(name, SHA256.hash(data: body).hexadecimal) })
        else { throw Self.refusal("The manifest does not have this document.") }
        let proof = try Self.object(evidence.proof, "proof")
        guard
            let entry = proof["entry"]?.string.flatMap(Data.init(strictBase64:)),
            let note = proof["checkpoint"]?.string, let index = proof["index"]?.count,
            case .array(let lines)? = proof["path"]
        else { throw Self.refusal("The proof is not in its form.") }
        try checkRecord(entry, of: manifest, SHA256.hash(data: evidence.manifest).hexadecimal, app)
        let path = lines.compactMap { $0.string.flatMap(Data.init(strictBase64:)) }
        let checkpoint = try checkpoint(note)
        guard path.count == lines.count, path.allSatisfy({ $0.count == SHA256.byteCount }),
            checkpoint.has(entry, at: index, path)
        else { throw Self.refusal("The proof does not lead to the log's checkpoint.") }
    }

    /// The entry has to be the service's word of exactly this manifest.
    private func checkRecord(
        _ entry: Data,
        of manifest: JSONObject,
        _ digest: String,
        _ app: String
    ) throws(AvailabilityError) {
        let record = try Self.object(entry, "entry")
        guard
            record["type"] == .string("SnapshotPublished"),
            record["stream"] == .string("export/\(app)"), record["actor"] == .string("system"),
            case .object(let data)? = record["data"], let sequence = manifest["sequence"],
            data["sequence"] == sequence, data["manifestDigest"] == .string(digest)
        else { throw Self.refusal("The log recorded another manifest.") }
    }

    private func checkpoint(_ note: String) throws(AvailabilityError) -> SeenCheckpoint {
        guard let note = SignedNoteText(note), let checkpoint = SeenCheckpoint(note.text),
            checkpoint.origin == log.name, note.isSigned(by: log)
        else { throw Self.refusal("The checkpoint is not signed by the log.") }
        let seen = witnesses.count(where: note.isSigned)
        guard seen >= needed else {
            throw Self.refusal(
                "\(seen) of the \(needed) witnesses that are needed have seen it; they follow within"
                    + " a minute or two."
            )
        }
        return checkpoint
    }

    private static func object(_ data: Data, _ what: String) throws(AvailabilityError) -> JSONObject
    {
        do throws(JSONFault) {
            return try JSONReader.object(in: data)
        } catch {
            throw refusal("The \(what) cannot be read. \(error.description)")
        }
    }

    private static func refusal(_ sentence: String) -> AvailabilityError {
        AvailabilityError(.notWitnessed, "The document does not count yet. \(sentence)")
    }
}

/// A public key of the form `<name>+<id>+<base64 of kind and key>` (C2SP signed-note).
struct NoteKey: Sendable {
    enum Kind: UInt8 {
        case log = 1
        case witness = 4
    }

    let name: String
    let id: Data
    let key: Data
    let kind: Kind

    init?(_ text: String, _ kind: Kind) {
        let parts = text.trimmingCharacters(in: .newlines)
            .split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[0].isEmpty, let bytes = Data(strictBase64: parts[2]),
            bytes.count == 33, bytes.first == kind.rawValue
        else { return nil }
        let digest = SHA256.hash(data: Data("\(parts[0])\n".utf8) + bytes)
        (name, key, self.kind) = (parts[0], Data(bytes.dropFirst()), kind)
        id = Data(digest.prefix(4))
        guard parts[1] == id.hexadecimal else { return nil }
    }

    /// Whether it has signed exactly this text, or as a witness at the time that it says.
    func accepts(_ signature: Data, over text: Data) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else {
            return false
        }
        switch kind {
        case .log: return key.isValidSignature(signature, for: text)
        case .witness:
            guard signature.count == 72 else { return false }
            let seconds = signature.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let head = Data("cosignature/v1\ntime \(seconds)\n".utf8)
            return key.isValidSignature(Data(signature.dropFirst(8)), for: head + text)
        }
    }
}

/// A text with lines of signatures under it.
struct SignedNoteText {
    let text: Data
    private let lines: [(name: String, bytes: Data)]

    private static let linesMaximum = 100

    init?(_ note: String) {
        guard let gap = note.range(of: "\n\n"), note.hasSuffix("\n") else { return nil }
        text = Data(note[..<gap.lowerBound].utf8) + [0x0A]
        let signed = note[gap.upperBound...].split(separator: "\n")
        guard !signed.isEmpty, signed.count <= Self.linesMaximum else { return nil }
        var lines: [(String, Data)] = []
        for line in signed {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[0] == "\u{2014}",
                let bytes = Data(strictBase64: String(parts[2])), bytes.count > 4
            else { return nil }
            lines.append((String(parts[1]), bytes))
        }
        self.lines = lines
    }

    func isSigned(by key: NoteKey) -> Bool {
        lines.contains { line in
            line.name == key.name && line.bytes.prefix(4) == key.id
                && key.accepts(Data(line.bytes.dropFirst(4)), over: text)
        }
    }
}

/// The tree that a log has signed: how many leaves, and the root.
struct SeenCheckpoint {
    let origin: String
    private let size: Int
    private let root: Data

    init?(_ text: Data) {
        let lines = String(decoding: text, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 4, let size = Int(lines[1]), String(size) == lines[1], size > 0,
            let root = Data(strictBase64: String(lines[2])), root.count == SHA256.byteCount
        else { return nil }
        (origin, self.size, self.root) = (String(lines[0]), size, root)
    }

    /// Whether the way leads from the entry at its place to the root (RFC 9162, 2.1.3.2).
    func has(_ entry: Data, at index: Int, _ path: [Data]) -> Bool {
        guard (0..<size).contains(index) else { return false }
        var (place, last) = (index, size - 1)
        var found = Data(SHA256.hash(data: [0] + entry))
        for beside in path {
            guard last > 0 else { return false }
            if place % 2 == 1 || place == last {
                found = Self.node(beside, found)
                while place % 2 == 0, place > 0 { (place, last) = (place / 2, last / 2) }
            } else {
                found = Self.node(found, beside)
            }
            (place, last) = (place / 2, last / 2)
        }
        return last == 0 && found == root
    }

    private static func node(_ left: Data, _ right: Data) -> Data {
        Data(SHA256.hash(data: [1] + left + right))
    }
}

extension Sequence<UInt8> {
    fileprivate var hexadecimal: String {
        map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Data {
    /// Foundation passes over some bytes that are not base64.
    init?(strictBase64 text: String) {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else {
            return nil
        }
        self = data
    }
}

extension JSONValue {
    fileprivate var count: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { nil }
    }

    fileprivate func isFile(_ name: String, _ digest: String) -> Bool {
        guard case .object(let file) = self else { return false }
        return file["name"] == .string(name) && file["sha256"] == .string(digest)
    }
}
