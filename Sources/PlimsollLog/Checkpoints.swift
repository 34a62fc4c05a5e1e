/// Which keys somebody believes, and how many witnesses a checkpoint needs.
package struct LogTrust: Hashable, Sendable {
    /// Keys of the log, one of which has to have signed; several while one follows another.
    package let logKeys: [VerifierKey]
    package let witnesses: [VerifierKey]
    package let witnessesNeeded: Int

    package init(logKeys: [VerifierKey], witnesses: [VerifierKey] = [], witnessesNeeded: Int = 0) {
        precondition(logKeys.allSatisfy { $0.kind == .note }, "a log signs notes")
        precondition(witnesses.allSatisfy { $0.kind == .cosignature }, "a witness cosigns")
        self.logKeys = logKeys
        self.witnesses = witnesses
        self.witnessesNeeded = witnessesNeeded
    }
}

/// A checkpoint that was checked: only verification makes one.
package struct VerifiedCheckpoint: Hashable, Sendable {
    package let signed: SignedCheckpoint
    /// By those of the trusted witnesses that signed, each public key once, the first line counting.
    package let cosignatures: [VerifiedSignature]

    package var root: MerkleRoot { signed.checkpoint.root }
    package var origin: LogOrigin { signed.checkpoint.origin }

    fileprivate init(_ signed: SignedCheckpoint, cosignatures: [VerifiedSignature]) {
        self.signed = signed
        self.cosignatures = cosignatures
    }
}

/// What a checkpoint is worth to somebody who trusts certain keys.
package enum CheckpointVerification: Equatable, Sendable {
    case verified(VerifiedCheckpoint)
    case refused(CheckpointRefusal)
}

/// Why a checkpoint is not to be believed.
package enum CheckpointRefusal: Error, Equatable, Sendable {
    /// No key of a log with that origin is trusted.
    case unknownOrigin(LogOrigin)
    case note(NoteRefusal)
    case notByTheLog
    case tooFewWitnesses(found: Int, needed: Int)
}

extension SignedCheckpoint {
    /// Checks that the log itself signed, and as many witnesses as are needed.
    ///
    /// A key counts for the log of its own name only, so that the checkpoint of one log can never
    /// stand for that of another.
    package func verification(by trust: LogTrust) -> CheckpointVerification {
        let logKeys = trust.logKeys.filter { LogOrigin($0.name) == checkpoint.origin }
        guard !logKeys.isEmpty else { return .refused(.unknownOrigin(checkpoint.origin)) }
        let signatures: [VerifiedSignature]
        switch note.verification(by: logKeys + trust.witnesses) {
        case .verified(let found): signatures = found
        case .refused(let refusal): return .refused(.note(refusal))
        }
        guard signatures.contains(where: { $0.key.kind == .note }) else {
            return .refused(.notByTheLog)
        }
        // What is cosigned does not have the witness's name in it, so a key under two names is one.
        var counted: Set<[UInt8]> = []
        let cosignatures = signatures.filter {
            $0.key.kind == .cosignature && counted.insert($0.key.publicKey).inserted
        }
        guard cosignatures.count >= trust.witnessesNeeded else {
            let needed = trust.witnessesNeeded
            return .refused(.tooFewWitnesses(found: cosignatures.count, needed: needed))
        }
        return .verified(VerifiedCheckpoint(self, cosignatures: cosignatures))
    }
}

extension CheckpointRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownOrigin(let origin):
            "No key of a log named \(origin) is trusted; give the verifier key of that log."
        case .note(let refusal): refusal.description
        case .notByTheLog: "The log itself has not signed the checkpoint."
        case .tooFewWitnesses(let found, let needed):
            "The checkpoint has \(found) of the \(needed) cosignatures by witnesses it needs."
        }
    }
}

/// What a log says of itself: origin, size and root, as c2sp.org/tlog-checkpoint writes it.
package struct Checkpoint: Hashable, Sendable {
    package let origin: LogOrigin
    package let root: MerkleRoot
    /// Lines that other logs add; kept because they are signed, and otherwise left alone.
    package let extensionLines: [String]

    /// A checkpoint of ours, which has no extension lines.
    package init(origin: LogOrigin, root: MerkleRoot) {
        self.origin = origin
        self.root = root
        extensionLines = []
    }

    /// Reads the text of a note.
    package init(parsing text: [UInt8]) throws(CheckpointError) {
        var reader = LineReader(text)
        guard
            let first = reader.next(), let line = String(validating: first, as: UTF8.self),
            let origin = LogOrigin(line)
        else { throw .origin }
        guard let size = reader.next().flatMap(Decimal.parse) else { throw .size }
        guard let hash = reader.next().flatMap(MerkleHash.init(base64:)) else { throw .root }
        guard size > 0 || hash == .emptyTree else { throw .emptyTree }
        var extensionLines: [String] = []
        while let next = reader.next() {
            guard !next.isEmpty, let line = String(validating: next, as: UTF8.self) else {
                throw .extensionLine(extensionLines.count + 1)
            }
            extensionLines.append(line)
        }
        guard reader.rest.isEmpty else { throw .lineNotEnded }
        self.origin = origin
        self.extensionLines = extensionLines
        root = MerkleRoot(size: size, hash: hash)
    }

    /// What is signed.
    package var text: [UInt8] {
        let head = [origin.bytes, Array(String(root.size).utf8), root.hash.base64]
        return (head + extensionLines.map { Array($0.utf8) }).flatMap { $0 + [LineReader.newline] }
    }
}

/// Why some bytes are no checkpoint.
package enum CheckpointError: Error, Equatable, Sendable {
    case note(NoteError)
    case origin
    case size
    case root
    /// An empty tree has one root, the hash of nothing.
    case emptyTree
    /// Counted from 1.
    case extensionLine(Int)
    case lineNotEnded
}

extension CheckpointError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .note(let error): error.description
        case .origin: "The first line of the checkpoint is not an origin: it is empty."
        case .size:
            "The second line of the checkpoint is not a tree size: decimal, without leading zeros."
        case .root: "The third line of the checkpoint is not 32 bytes in padded base64."
        case .emptyTree: "The checkpoint has size 0 and another root than the empty tree has."
        case .extensionLine(let number): "Extension line \(number) of the checkpoint is empty."
        case .lineNotEnded: "The last line of the checkpoint does not end with a newline."
        }
    }
}

/// What stands in the line of a cosignature: when the checkpoint was seen, and the signature.
struct CosignatureStamp {
    let posixSeconds: Int
    let signature: ArraySlice<UInt8>

    static let timeByteCount = 8

    init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.timeByteCount else { return nil }
        let time = bytes.prefix(Self.timeByteCount).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard let posixSeconds = Int(exactly: time) else { return nil }
        self.posixSeconds = posixSeconds
        signature = bytes.dropFirst(Self.timeByteCount)
    }

    static func bytes(posixSeconds: Int) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: posixSeconds >> $0) }
    }

    /// What a witness signs: never something that a log would sign.
    static func message(over text: [UInt8], posixSeconds: Int) -> [UInt8] {
        Array("cosignature/v1\ntime \(posixSeconds)\n".utf8) + text
    }
}

/// Says of checkpoints when they were seen, and that each extends the one before it.
package struct Cosigner: Sendable {
    private let key: SignerKey

    /// Takes a key for cosignatures.
    package init(_ key: SignerKey) throws(KeyTextError) {
        guard key.verifierKey.kind == .cosignature else { throw .otherKind(needed: .cosignature) }
        self.key = key
    }

    package var verifierKey: VerifierKey { key.verifierKey }

    /// Makes the line for a checkpoint that the log signed.
    ///
    /// The caller has checked that it extends the last one it saw, and has stored it.
    package func cosign(
        _ checkpoint: VerifiedCheckpoint,
        posixSeconds: Int
    ) throws(SigningFailure) -> NoteSignature {
        precondition(posixSeconds >= 0, "nothing was seen before 1970")
        let text = checkpoint.signed.note.text
        let message = CosignatureStamp.message(over: text, posixSeconds: posixSeconds)
        let signature = try key.sign(message)
        return key.line(signature: CosignatureStamp.bytes(posixSeconds: posixSeconds) + signature)
    }
}

/// Which log a checkpoint is of: the first line of every one.
///
/// Others may name theirs as they like. Ours is what a ``KeyName`` can be, and its key has that
/// name. Two origins are equal only if all their bytes are.
package struct LogOrigin: Hashable, Sendable {
    private let exact: ExactText

    /// Takes a line that is not empty and has no control characters.
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 }) else { return nil }
        exact = ExactText(text)
    }

    /// The log that signs with the key of that name.
    package init(_ name: KeyName) {
        exact = ExactText(name.text)
    }

    package var text: String { exact.text }

    var bytes: [UInt8] { exact.bytes }
}

extension LogOrigin: CustomStringConvertible {
    package var description: String { text }
}

/// Signs the checkpoints of one log: the one whose origin is the name of the key.
package struct LogSigner: Sendable {
    private let key: SignerKey

    /// Takes a key for notes.
    package init(_ key: SignerKey) throws(KeyTextError) {
        guard key.verifierKey.kind == .note else { throw .otherKind(needed: .note) }
        self.key = key
    }

    package var verifierKey: VerifierKey { key.verifierKey }

    package var origin: LogOrigin { LogOrigin(verifierKey.name) }

    /// Signs what the log says of itself.
    ///
    /// The caller has stored every entry and tile under that root, and no other root of that size.
    package func sign(_ root: MerkleRoot) throws(SigningFailure) -> SignedCheckpoint {
        let checkpoint = Checkpoint(origin: origin, root: root)
        let line = key.line(signature: try key.sign(checkpoint.text))
        do throws(NoteError) {
            return try SignedCheckpoint(checkpoint, signatures: [line])
        } catch {
            preconditionFailure("a checkpoint of ours is the text of a note, and small")
        }
    }

    /// Signs that the log goes on without what it has signed there.
    package func giveUp(
        _ root: MerkleRoot,
        keeping kept: Int
    ) throws(SigningFailure) -> SignedNote {
        try sign(CheckpointOverride(of: root, keeping: kept, origin: origin).text)
    }

    /// Signs a text of ours that is no checkpoint.
    func sign(_ text: [UInt8]) throws(SigningFailure) -> SignedNote {
        let line = key.line(signature: try key.sign(text))
        do throws(NoteError) {
            return try SignedNote(text: text, signatures: [line])
        } catch {
            preconditionFailure("what is signed here is the text of a note, and small")
        }
    }
}

/// That somebody goes on without what a log has signed, said by the log's own key.
///
/// Its text can never be read as a checkpoint: the third line of one is a hash, and here a size.
package struct CheckpointOverride: Hashable, Sendable {
    package let origin: LogOrigin
    /// What was signed, and is given up.
    package let root: MerkleRoot
    /// How many events there were left.
    package let kept: Int

    private static let title = "plimsoll/given-up/v1"

    package init(of root: MerkleRoot, keeping kept: Int, origin: LogOrigin) {
        self.origin = origin
        self.root = root
        self.kept = kept
    }

    /// Reads a note; `nil` unless one of the keys has signed it, under its own origin.
    package init?(parsing bytes: [UInt8], signedBy keys: [VerifierKey]) {
        // What is no note is none of these; nobody asks why.
        guard let note = try? SignedNote(parsing: bytes),
            case .verified(let signatures) = note.verification(by: keys)
        else { return nil }
        var reader = LineReader(note.text)
        guard reader.next().map(Array.init) == Array(Self.title.utf8),
            let line = reader.next().flatMap({ String(validating: $0, as: UTF8.self) }),
            let origin = LogOrigin(line),
            let size = reader.next().flatMap(Decimal.parse),
            let hash = reader.next().flatMap(MerkleHash.init(base64:)),
            let kept = reader.next().flatMap(Decimal.parse),
            reader.next() == nil, reader.rest.isEmpty,
            signatures.contains(where: { LogOrigin($0.key.name) == origin && $0.key.kind == .note })
        else { return nil }
        self.init(of: MerkleRoot(size: size, hash: hash), keeping: kept, origin: origin)
    }

    /// The events that were given up: they were signed, and others may stand there now.
    package var lost: ClosedRange<Int>? { kept < root.size ? kept + 1...root.size : nil }

    /// What is signed.
    var text: [UInt8] {
        let head = [Array(Self.title.utf8), origin.bytes, Array(String(root.size).utf8)]
        let lines = head + [root.hash.base64, Array(String(kept).utf8)]
        return lines.flatMap { $0 + [LineReader.newline] }
    }
}

/// A checkpoint with the lines under it.
///
/// That it could be read says nothing of who signed it: ``verification(by:)`` does.
package struct SignedCheckpoint: Hashable, Sendable {
    package let checkpoint: Checkpoint
    package let note: SignedNote

    package init(parsing bytes: [UInt8]) throws(CheckpointError) {
        do throws(NoteError) {
            note = try SignedNote(parsing: bytes)
        } catch {
            throw .note(error)
        }
        checkpoint = try Checkpoint(parsing: note.text)
    }

    init(_ checkpoint: Checkpoint, signatures: [NoteSignature]) throws(NoteError) {
        self.checkpoint = checkpoint
        note = try SignedNote(text: checkpoint.text, signatures: signatures)
    }

    package var bytes: [UInt8] { note.bytes }

    /// The same checkpoint with the lines of witnesses under those it has; none comes twice.
    package func adding(_ cosignatures: [NoteSignature]) throws(NoteError) -> SignedCheckpoint {
        var lines = note.signatures
        for line in cosignatures where !lines.contains(line) { lines.append(line) }
        return try SignedCheckpoint(checkpoint, signatures: lines)
    }
}
