import Crypto
import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem

/// What a process has looked at already, stretch by stretch from the first event on, and found right.
///
/// None of it ever changes. So it is enough to see that the same bytes are there, which takes far less
/// than to decode, authenticate and fold them again.
struct KnownStretches: Sendable {
    /// A stretch of the log, with the rows of the read models that came of it.
    struct Stretch: Sendable {
        let start: Position
        let end: Position
        let rows: [Statement]
        let logDigest: SHA256.Digest
        let rowDigest: SHA256.Digest
    }

    private(set) var stretches: [Stretch] = []
    /// Where to go on behind the last of them; `nil` before the first.
    private(set) var tail: (round: LogRound, models: ReadModelRound)?

    mutating func add(_ stretch: Stretch, leadingTo round: LogRound, _ models: ReadModelRound) {
        stretches.append(stretch)
        tail = (round, models)
    }
}

extension Session {
    /// The hash of all that some `COPY` answer.
    func digest(_ statements: [Statement]) async throws -> SHA256.Digest {
        var hash = SHA256()
        for statement in statements {
            hash = try await copyOutRaw(
                statement,
                into: hash,
                timeout: EventLog.appendTimeout
            ) { hash, bytes in hash.update(data: [UInt8](copying: bytes)) }
        }
        return hash.finalize()
    }
}
