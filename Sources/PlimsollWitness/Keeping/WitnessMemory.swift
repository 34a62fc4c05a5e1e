import PlimsollSystem
import PlimsollLog

/// What a witness keeps for good: the last checkpoint it has seen, and what contradicts it.
struct WitnessMemory: Sendable {
    let folder: Path

    private static let sizeMaximum = SignedNote.byteCountMaximum

    var lock: Path { folder / "lock" }
    private var checkpoint: Path { folder / "checkpoint" }

    init(_ folder: Path) {
        self.folder = folder
    }

    func prepare() throws(FileError) {
        try folder.createFolder()
    }

    /// Leaves the witness's public key for whoever needs to know it.
    func publish(_ key: VerifierKey) throws(FileError) {
        try folder.removeLeftovers()
        try (folder / "key").writeDurably(Array("\(key)\n".utf8))
    }

    /// Where the log stood when it was last seen; the empty tree before that.
    func last(of trust: LogTrust) throws(WitnessMemoryError) -> MerkleRoot {
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try checkpoint.readIfPresent(sizeMaximum: Self.sizeMaximum)
        } catch {
            throw .file(error)
        }
        guard let bytes else { return .empty }
        let signed: SignedCheckpoint
        do throws(CheckpointError) {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw .unusable(checkpoint, error.description)
        }
        switch signed.verification(by: trust) {
        case .verified(let verified): return verified.root
        case .refused(let refusal): throw .unusable(checkpoint, refusal.description)
        }
    }

    /// Has the checkpoint on the disk, for good, before anybody is told that it was seen.
    func remember(_ seen: VerifiedCheckpoint) throws(FileError) {
        try checkpoint.writeDurably(seen.signed.bytes)
        try FaultPoint.reached("witness.stored")
    }

    /// Keeps a checkpoint that contradicts the last one; answers where.
    func keep(evidence signed: SignedCheckpoint) throws(FileError) -> String {
        let root = signed.checkpoint.root
        let file = folder / "alarm-\(root.size)-\(root.hash.description.prefix(8))"
        try file.writeDurably(signed.bytes)
        return file.description
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
