import FoundationEssentials
package import PlimsollLog
import PlimsollSystem

/// The private key that a witness cosigns with, in the form of C2SP signer keys.
package struct WitnessKeyFile: Sendable {
    private let path: Path
    /// What the witness is called if it has no key yet; `nil` leaves it to chance.
    private let name: KeyName?

    private static let fileSizeMaximum = 4096

    /// Takes the absolute path of the file.
    package init(_ path: String, name: KeyName?) {
        self.path = Path(path)
        self.name = name
    }

    /// The key that is there, or a new one that is kept before it is used.
    func cosigner() throws(WitnessKeyError) -> Cosigner {
        if let cosigner = try read() { return cosigner }
        let key = SignerKey(name: name ?? Self.chance, kind: .cosignature)
        do throws(FileError) {
            try path.parent.createFolder(permissions: .folderOfOwner)
            try path.writeDurablyOnce(Array((key.secretText + "\n").utf8), permissions: .ownerOnly)
        } catch {
            // Of two makers one wins, and both get its key.
            guard error.isAlreadyThere else { throw .file(error) }
        }
        guard let cosigner = try read() else { throw .missing(path) }
        return cosigner
    }

    private func read() throws(WitnessKeyError) -> Cosigner? {
        let cosigner: Cosigner
        do {
            let bytes = try path.readSecret(sizeMaximum: Self.fileSizeMaximum)
            let key = try SignerKey(parsing: String(decoding: bytes, as: UTF8.self))
            cosigner = try Cosigner(key)
        } catch let error as FileError {
            guard !error.isMissing else { return nil }
            throw .file(error)
        } catch let error as KeyTextError {
            throw .malformed(path, error)
        } catch {
            preconditionFailure("reading a key throws nothing else")
        }
        let known = cosigner.verifierKey.name
        guard name == nil || name == known else { throw .otherName(path, known) }
        return cosigner
    }

    private static var chance: KeyName {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        guard let name = KeyName("plimsoll.local/witness-\(digits)") else {
            preconditionFailure("a name without spaces names a key")
        }
        return name
    }
}

/// Why a witness has no key.
enum WitnessKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case file(FileError)
    case malformed(Path, KeyTextError)
    /// The key has a name already, and another one was asked for.
    case otherName(Path, KeyName)
    case missing(Path)

    var description: String {
        switch self {
        case .file(let error): "The witness's key is not used: \(error)."
        case .malformed(let path, let error):
            "The witness's key at \(path) cannot be read: \(error)"
        case .otherName(let path, let name):
            "The key at \(path) is called \(name) and keeps that name; leave --name out."
        case .missing(let path): "The witness's key went away from \(path) while it was made."
        }
    }
}

/// What a witness keeps for good: the last checkpoint it has seen, and what contradicts it.
struct WitnessMemory: Sendable {
    let folder: Path

    private static let sizeMaximum = SignedNote.byteCountMaximum

    var lock: Path { folder / "lock" }
    private var checkpoint: Path { folder / "checkpoint" }
    private var shown: Path { folder / "shown" }

    init(_ folder: Path) {
        self.folder = folder
    }

    func prepare() throws(FileError) {
        try folder.createFolder()
    }

    /// Leaves the witness's public key for whoever needs to know it.
    func publish(_ key: VerifierKey) throws(FileError) {
        try folder.removeLeftovers()
        let (place, bytes) = (folder / "key", Array("\(key)\n".utf8))
        // A disk that is full by now keeps nobody from looking.
        guard try place.readIfPresent(sizeMaximum: Self.sizeMaximum) != bytes else { return }
        try place.writeDurably(bytes)
    }

    /// Where the log stood when it was last seen; the empty tree before that.
    func last(of trust: LogTrust) throws(WitnessMemoryError) -> MerkleRoot {
        try root(in: checkpoint, of: trust) ?? .empty
    }

    /// Where it stood by what it last showed itself; `nil` before that.
    ///
    /// What was seen is kept first: where that is less, it was lost or is an older copy, and a
    /// history that contradicts it could be cosigned. Where it is as much and something else, one
    /// of the two contradicts the other already.
    func shown(
        of trust: LogTrust,
        seen last: MerkleRoot
    ) throws(WitnessMemoryError) -> MerkleRoot? {
        guard let found = try root(in: shown, of: trust) else { return nil }
        guard found.size < last.size || found == last else {
            let other = found.size == last.size ? " with another root" : ""
            throw .unusable(
                checkpoint,
                "It covers \(last.size) events, and the log has shown \(found.size)\(other)."
            )
        }
        return found
    }

    private func root(
        in file: Path,
        of trust: LogTrust
    ) throws(WitnessMemoryError) -> MerkleRoot? {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try file.readIfPresent(sizeMaximum: Self.sizeMaximum)
        } catch {
            throw .file(error)
        }
        guard let bytes else { return nil }
        if file == shown, bytes.isEmpty { return .empty }
        let signed: SignedCheckpoint
        do throws(CheckpointError) {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw .unusable(file, error.description)
        }
        switch signed.verification(by: trust) {
        case .verified(let verified): return verified.root
        case .refused(let refusal): throw .unusable(file, refusal.description)
        }
    }

    /// Has the checkpoint on the disk, for good, before anybody is told that it was seen.
    func remember(_ seen: VerifiedCheckpoint) throws(FileError) {
        try checkpoint.writeDurably(seen.signed.bytes)
        try FaultPoint.reached("witness.stored")
    }

    /// Remembers that the log has shown itself all that was seen, or nothing where nothing was.
    func rememberAllShown() throws(FileError) {
        try shown.writeDurably(checkpoint.readIfPresent(sizeMaximum: Self.sizeMaximum) ?? [])
    }

    /// Remembers a checkpoint that the log showed itself.
    func remember(shown signed: SignedCheckpoint) throws(FileError) {
        try shown.writeDurably(signed.bytes)
    }

    /// Keeps a checkpoint that contradicts the last one; a disk that is full keeps no alarm back.
    func keep(evidence signed: SignedCheckpoint) -> WitnessEvidence {
        let root = signed.checkpoint.root
        let file = folder / "alarm-\(root.size)-\(root.hash.description.prefix(8))"
        do throws(FileError) {
            try file.writeDurably(signed.bytes)
            return .file(file.description)
        } catch {
            return .unkept(Data(signed.bytes).base64EncodedString(), because: "\(error)")
        }
    }
}

/// Why a witness does not know what it has seen; it says nothing until it does.
enum WitnessMemoryError: Error, Equatable, Sendable, CustomStringConvertible {
    case file(FileError)
    case unusable(Path, String)

    var description: String {
        switch self {
        case .file(let error): "The state of the witness cannot be read: \(error)."
        case .unusable(let path, let reason):
            "\(path) is not what this witness has seen of that log: \(reason) Give a folder of its"
                + " own to each log, or bring the file back from a copy."
        }
    }
}
