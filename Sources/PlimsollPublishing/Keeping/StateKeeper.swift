import Crypto
import Foundation
package import Logging
import Metrics
import PlimsollDomain
package import PlimsollLog
package import PlimsollStore
package import PlimsollSystem
import Synchronization

/// Keeps what the log came to in a file, so that a start need not fold all of it.
///
/// The file lies beside the keys, where instances may share it: nobody has to lead for it, and the database
/// need not carry it. The log's key signs it; an instance without that key keeps nothing.
package final class StateKeeper: Sendable {
    private let file: Path
    private let log: EventLog
    private let key: LogKeyFile
    private let logger: Logger
    private let program: @Sendable () throws -> MerkleHash
    private let disk = Disk()
    private let kept = Mutex(Position.start)

    /// Takes by what the running program is told from all others.
    package init(
        at file: Path,
        of log: EventLog,
        signedBy key: LogKeyFile,
        program: @escaping @Sendable () throws -> MerkleHash = runningProgram,
        logger: Logger
    ) {
        (self.file, self.log, self.key) = (file, log, key)
        (self.program, self.logger) = (program, logger)
    }

    /// What was kept, where it is of this log and this program; otherwise says why it is not used.
    ///
    /// Throws where the database is away.
    package func find() async throws(LogError) -> KeptStart? {
        let state: KeptState
        do throws(KeptStateRefusal) {
            guard let found = try await read() else { return nil }
            state = found
        } catch {
            refuse(error)
            return nil
        }
        do throws(LogError) {
            let known = try await log.vouch(for: state.page.logState, at: state.leaf)
            kept.withLock { $0 = known.tip.position }
            return KeptStart(page: state.page, frontier: state.frontier, known: known)
        } catch .database(let error) {
            throw .database(error)
        } catch {
            refuse(.otherLog("\(error)"))
            return nil
        }
    }

    private func refuse(_ refusal: KeptStateRefusal) {
        logger.notice(
            "the log is folded from its start, not from where it was kept",
            metadata: ["error.reason": "\(refusal)", "file.path": "\(file)"]
        )
    }

    private func read() async throws(KeptStateRefusal) -> KeptState? {
        let (file, key, program) = (file, key, program)
        return try await disk.run { () throws(KeptStateRefusal) in
            do {
                guard let bytes = try file.readIfPresent(sizeMaximum: KeptState.sizeMaximum) else {
                    return nil
                }
                guard let signer = try key.signer() else { throw KeptStateRefusal.notSigned }
                return try KeptState(
                    reading: bytes,
                    signedBy: signer.verifierKey,
                    program: try program()
                )
            } catch let refusal as KeptStateRefusal {
                throw refusal
            } catch {
                throw .unreadable("\(error)")
            }
        }
    }

    /// Keeps a state at the end of an append, if so many events have come since the last one.
    ///
    /// What is there stays until the new one is whole. A state that could not be kept is missed by
    /// nobody: the next one comes after as many events.
    package func keep(
        _ page: PublicationQueue.Page,
        ifGrownBy count: Int,
        knowing memory: LogMemory
    ) async {
        let position = page.logState.position
        guard position.rawValue - kept.withLock({ $0.rawValue }) >= count,
            memory.prohibition == nil, let leaf = memory.leaf(at: position)
        else { return }
        kept.withLock { $0 = position }
        do {
            guard let signer = try key.signer() else { return }
            let size = Int(position.rawValue)
            let frontier = try await frontier(over: size, endingWith: leaf, signer)
            let (file, program) = (file, program)
            try await disk.run {
                let state = KeptState(page, frontier, leaf: leaf)
                let bytes = try state.signed(by: signer, program: try program())
                try file.writeDurably(bytes, permissions: .ownerOnly)
            }
            Gauge(label: "plimsoll.log.kept.position").record(position.rawValue)
        } catch {
            logger.warning("what the log came to is not kept", metadata: ["error": "\(error)"])
        }
    }

    /// The tree over the first events, from the last of it that the log's key has signed.
    private func frontier(
        over size: Int,
        endingWith leaf: MerkleHash,
        _ signer: LogSigner
    ) async throws -> MerkleFrontier {
        let checkpoints = Checkpoints(log)
        let signed = try await checkpoints.newest(upTo: size, signedBy: signer.verifierKey)
        let known = signed?.frontier ?? MerkleFrontier()
        let frontier = try await checkpoints.frontier(size: size, after: known)
        let last = try await checkpoints.leaves(after: size - 1, limit: 1).first
        guard frontier.size == size, last == leaf else { throw LogChanged() }
        return frontier
    }
}

/// What a start need not fold.
package struct KeptStart: Sendable {
    package let page: PublicationQueue.Page
    package let frontier: MerkleFrontier
    package let known: KnownLog
}

/// The log is not the one that was folded.
private struct LogChanged: Error, CustomStringConvertible {
    let description = "the log is not the one that this process has read"
}

/// What the running program is told from all others by: the hash of its file.
///
/// No number that somebody has to raise: a state that another program folded by other rules is
/// never begun with.
@Sendable package func runningProgram() throws -> MerkleHash {
    let program = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/exe"))
    var hasher = SHA256()
    while let bytes = try program.read(upToCount: 1 << 20), !bytes.isEmpty {
        hasher.update(data: bytes)
    }
    guard let hash = MerkleHash(bytes: Array(hasher.finalize())) else {
        preconditionFailure("a hash of SHA-256 has 32 bytes")
    }
    return hash
}
