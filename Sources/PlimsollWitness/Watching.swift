package import PlimsollAPI
package import PlimsollLog
import PlimsollSystem

/// Keeps the last checkpoint of a log that it has seen, and cosigns only what extends it.
///
/// What it has seen is on the disk for good before anybody is told: a witness that is killed in
/// between cosigns the same again, and never anything that contradicts it.
package actor Witness {
    package nonisolated let key: VerifierKey
    package nonisolated let trust: LogTrust

    private let cosigner: Cosigner
    private let memory: WitnessMemory
    private let clock: @Sendable () -> Int
    private var watched: WatchedLog
    /// Where the log stood by what it last showed itself; others may have brought more.
    private(set) var shown: MerkleRoot

    /// Takes up what was seen before, and watches for as long as the body runs.
    ///
    /// The folder is given by its absolute path and is locked: of two witnesses with one memory
    /// each could cosign what the other contradicts. The clock tells seconds since 1970.
    package static func with<Result: Sendable>(
        of trust: LogTrust,
        _ key: WitnessKeyFile,
        folder: String,
        clock: @escaping @Sendable () -> Int,
        _ body: (Witness) async throws -> Result
    ) async throws -> Result {
        let memory = WitnessMemory(Path(folder))
        try memory.prepare()
        let lock = try await FileLock.acquire(memory.lock)
        let result = try await body(Witness(of: trust, try key.cosigner(), memory, clock))
        _ = consume lock
        return result
    }

    private init(
        of trust: LogTrust,
        _ cosigner: Cosigner,
        _ memory: WitnessMemory,
        _ clock: @escaping @Sendable () -> Int
    ) throws {
        self.trust = trust
        self.cosigner = cosigner
        self.clock = clock
        self.memory = memory
        key = cosigner.verifierKey
        try memory.publish(cosigner.verifierKey)
        let last = try memory.last(of: trust)
        watched = WatchedLog(trust: trust, last: last)
        if let shown = try memory.shown(of: trust, seen: last) {
            self.shown = shown
        } else {
            // Programs of before kept it nowhere.
            shown = last
            try memory.rememberAllShown()
        }
    }

    /// Where the log stood when it was last seen.
    package var last: MerkleRoot { watched.last }

    /// What somebody is answered who asks for a cosignature, and the alarm if that is due.
    package func answer(
        _ body: [UInt8]
    ) throws -> (answer: WitnessAnswer, alarm: WitnessAlarm?) {
        let request: AddCheckpointRequest
        do {
            request = try AddCheckpointRequest(parsing: body)
        } catch {
            return (.malformed(error.description), nil)
        }
        return try answer(request)
    }

    package func answer(
        _ request: AddCheckpointRequest
    ) throws -> (answer: WitnessAnswer, alarm: WitnessAlarm?) {
        switch watched.judge(request) {
        case .refused(let answer): return (answer, nil)
        case .forks(let checkpoint):
            let evidence = memory.keep(evidence: checkpoint.signed)
            let alarm = WitnessAlarm.forked(checkpoint.root, from: last, evidence: evidence)
            return (.conflict(size: last.size), alarm)
        case .extends(let checkpoint):
            try memory.remember(checkpoint)
            watched = WatchedLog(trust: trust, last: checkpoint.root)
            let line = try cosigner.cosign(checkpoint, posixSeconds: clock())
            return (.cosigned([line]), nil)
        }
    }

    /// Takes note of a cosigned checkpoint that the log showed itself.
    func note(shown signed: SignedCheckpoint) throws(FileError) {
        guard signed.checkpoint.root != shown else { return }
        try memory.remember(shown: signed)
        shown = signed.checkpoint.root
    }

    /// Keeps a checkpoint of the log that contradicts what was seen.
    func keep(evidence signed: SignedCheckpoint) -> WitnessEvidence {
        memory.keep(evidence: signed)
    }
}

/// A transparency log as it is published under an address, in the form of c2sp.org/tlog-tiles.
package struct PublishedLog: Sendable {
    package let address: ServiceAddress
    private let token: String?
    private let transport: Transport

    /// A token is for logs that only auditors see.
    package init(at address: ServiceAddress, token: String?, over transport: Transport) {
        self.address = address
        self.token = token
        self.transport = transport
    }

    func checkpoint() async throws -> [UInt8] {
        guard let note = try await bytes("checkpoint") else {
            throw LogUnreadable(url: address.url("/checkpoint"), answer: "404; there is none yet")
        }
        return note
    }

    /// The tiles that a proof over a tree of a size is made from.
    func tiles(of subtrees: [PerfectSubtree], size: Int) async throws -> TileHashes {
        var tiles = TileHashes()
        for address in Set(subtrees.map { TileAddress(with: $0, in: size) }) {
            tiles.insert(try await tile(address))
        }
        return tiles
    }

    /// The tile, or the full one that has replaced it.
    private func tile(_ address: TileAddress) async throws -> HashTile {
        for stored in address.isFull ? [address] : [address, address.full] {
            guard let bytes = try await bytes(stored.path) else { continue }
            guard let tile = HashTile(stored, bytes: bytes) else {
                throw LogUnreadable(
                    url: self.address.url("/\(stored.path)"),
                    answer: "\(bytes.count) bytes, which are no tile"
                )
            }
            return tile
        }
        throw LogUnreadable(url: self.address.url("/\(address.path)"), answer: "404")
    }

    private func bytes(_ path: String) async throws -> [UInt8]? {
        let url = address.url("/\(path)")
        let headers = token.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
        let answer = try await transport.send(WebRequest(.get, url, headers: headers))
        switch answer.status {
        case 200: return answer.body
        case 404: return nil
        default: throw LogUnreadable(url: url, answer: "\(answer.status)")
        }
    }
}

/// The log could not be read, which says nothing about what is in it.
package struct LogUnreadable: Error, Equatable, Sendable, CustomStringConvertible {
    let url: String
    let answer: String

    package var description: String { "\(url) answered \(answer); 200 is needed." }
}

/// The log does not show yet what somebody else has brought of it.
package struct CheckpointLate: Error, Equatable, Sendable, CustomStringConvertible {
    let shown: Int
    let seen: Int

    package var description: String {
        "The log shows a checkpoint over \(shown) events, and somebody has brought one over \(seen)"
            + " that extends it; it is looked at again."
    }
}

/// One look at a log: what it signs now is proven to extend what it signed before, or the alarm is
/// raised.
package struct Round: Sendable {
    package let log: PublishedLog
    package let witness: Witness

    package init(_ log: PublishedLog, _ witness: Witness) {
        self.log = log
        self.witness = witness
    }

    /// Answers the checkpoint with the witness's line; throws a ``WitnessAlarm`` if it may have
    /// none.
    package func look() async throws -> SignedCheckpoint {
        let signed = try await signedCheckpoint()
        let (root, last) = (signed.checkpoint.root, await witness.last)
        guard root.size >= last.size else { throw try await objection(to: signed, last) }
        let proof = try await proof(from: last.size, to: root.size)
        let request = AddCheckpointRequest(proof: proof, checkpoint: signed)
        let (answer, alarm) = try await witness.answer(request)
        if let alarm { throw alarm }
        switch answer {
        case .cosigned(let lines):
            try await witness.note(shown: signed)
            return try signed.adding(lines)
        // Somebody else has shown it a larger one meanwhile.
        case .conflict: return try await look()
        case .notConsistent: throw try await diagnosis(of: signed, last)
        case .malformed(let reason): throw WitnessAlarm.notSigned(reason)
        case .unknownLog, .notSigned:
            preconditionFailure("the checkpoint was verified before")
        }
    }

    private func signedCheckpoint() async throws -> SignedCheckpoint {
        let bytes = try await log.checkpoint()
        let signed: SignedCheckpoint
        do {
            signed = try SignedCheckpoint(parsing: bytes)
        } catch {
            throw WitnessAlarm.notSigned(error.description)
        }
        switch signed.verification(by: witness.trust) {
        case .verified: return signed
        case .refused(let refusal): throw WitnessAlarm.notSigned(refusal.description)
        }
    }

    /// What it means that the log shows less than the witness has seen.
    ///
    /// It has taken events back where it had shown them itself, or where what was seen does not extend
    /// what it shows. What others brought it may still be about to show.
    private func objection(
        to signed: SignedCheckpoint,
        _ last: MerkleRoot
    ) async throws -> any Error {
        let root = signed.checkpoint.root
        if root.size >= (await witness.shown).size,
            try await proof(from: root.size, to: last.size).proves(last, extends: root)
        {
            return CheckpointLate(shown: root.size, seen: last.size)
        }
        let evidence = await witness.keep(evidence: signed)
        return WitnessAlarm.shrunk(to: root, from: last, evidence: evidence)
    }

    private func proof(from old: Int, to new: Int) async throws -> ConsistencyProof {
        let subtrees = ProofOutline(from: old, to: new).subtrees
        let tiles = try await log.tiles(of: subtrees, size: new)
        return try ConsistencyProof(from: old, to: new, reading: tiles.hash)
    }

    /// What the tiles say: that the history is another one, or nothing at all.
    private func diagnosis(
        of signed: SignedCheckpoint,
        _ last: MerkleRoot
    ) async throws -> WitnessAlarm {
        let root = signed.checkpoint.root
        let subtrees = [last.size, root.size].flatMap { PerfectSubtree.covering(0..<$0) }
        let tiles = try await log.tiles(of: subtrees, size: root.size)
        let evidence = await witness.keep(evidence: signed)
        let leads = try MerkleFrontier(size: root.size, reading: tiles.hash).root == root
        return leads
            ? .rewritten(root, from: last, evidence: evidence)
            : .unproven(root, from: last, evidence: evidence)
    }
}

/// Where the proof is of what a log has signed.
package enum WitnessEvidence: Equatable, Sendable {
    case file(String)
    /// It could not be written down, so here it is, in base64.
    case unkept(String, because: String)
}

/// What a log has done that no log may do; where it signed that, with the proof.
package enum WitnessAlarm: Error, Equatable, Sendable {
    /// What is shown as its checkpoint is none that its key has signed.
    case notSigned(String)
    /// It signs fewer events than it had.
    case shrunk(to: MerkleRoot, from: MerkleRoot, evidence: WitnessEvidence)
    /// It has signed two histories of one length.
    case forked(MerkleRoot, from: MerkleRoot, evidence: WitnessEvidence)
    /// It has grown, and its beginning is not what it was.
    case rewritten(MerkleRoot, from: MerkleRoot, evidence: WitnessEvidence)
    /// Its tiles do not lead to what it signed.
    case unproven(MerkleRoot, from: MerkleRoot, evidence: WitnessEvidence)
}

extension WitnessAlarm: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSigned(let reason): "The log shows a checkpoint that it has not signed: \(reason)"
        case .shrunk(let root, let last, let evidence):
            "The log has signed \(last.size) events before, and now signs \(root.size): events were"
                + " taken back.\(Self.advice(evidence))"
        case .forked(let root, _, let evidence):
            "The log has signed two different histories of \(root.size) events."
                + Self.advice(evidence)
        case .rewritten(let root, let last, let evidence):
            "The log has signed \(root.size) events, and the first \(last.size) are not those that"
                + " it signed before: its history was rewritten.\(Self.advice(evidence))"
        case .unproven(let root, let last, let evidence):
            "The log has signed \(root.size) events, and its tiles do not prove that the"
                + " \(last.size) it signed before are among them.\(Self.advice(evidence))"
        }
    }

    private static func advice(_ evidence: WitnessEvidence) -> String {
        let place =
            switch evidence {
            case .file(let file): "lies in \(file), and the checkpoint before it beside that"
            case .unkept(let note, let reason):
                "could not be kept (\(reason)), so make it with base64 -d of \(note), and copy the file"
                    + " checkpoint from --state"
            }
        return " Its own signature \(place). Nothing was cosigned; show both to whoever relies on"
            + " the log."
    }
}
