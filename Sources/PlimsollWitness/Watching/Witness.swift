import PlimsollSystem
package import PlimsollLog

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
        watched = WatchedLog(trust: trust, last: try memory.last(of: trust))
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
            let evidence = try memory.keep(evidence: checkpoint.signed)
            let alarm = WitnessAlarm.forked(checkpoint.root, from: last, evidence: evidence)
            return (.conflict(size: last.size), alarm)
        case .extends(let checkpoint):
            try memory.remember(checkpoint)
            watched = WatchedLog(trust: trust, last: checkpoint.root)
            let line = try cosigner.cosign(checkpoint, posixSeconds: clock())
            return (.cosigned([line]), nil)
        }
    }

    /// Keeps a checkpoint of the log that contradicts what was seen; answers where.
    func keep(evidence signed: SignedCheckpoint) throws(FileError) -> String {
        try memory.keep(evidence: signed)
    }
}
