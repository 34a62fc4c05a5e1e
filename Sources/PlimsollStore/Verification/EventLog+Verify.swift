import PlimsollDomain
import PlimsollLog
import PlimsollPostgres

extension EventLog {
    /// Recomputes everything that the log promises, and names the first event that does not fit.
    ///
    /// Positions and revisions without holes, entries in canonical form, columns that say what
    /// the entries say, times, hashes, the tree, the commands' records, and the checkpoints that
    /// were recorded. It throws only where the log could not be read.
    package func verify() async throws(LogError) -> LogVerification {
        switch try await verify(with: { EntryVerifier(rootsOf: $0) }) {
        case .sound(let verifier): .sound(verifier.frontier.root)
        case .broken(_, let found), .contradicted(_, let found):
            .broken(found.position, found.flaw)
        }
    }

    /// The same with a verifier that the caller begins, and gets back as it is after the last
    /// event; it is asked for the roots over some sizes.
    package func verify(
        with begin: (_ rootsOf: Set<Int>) -> EntryVerifier
    ) async throws(LogError) -> VerifiedEntries {
        try await copying { session in
            let recorded = try await recordedRoots(session)
            var begun = begin(Set(recorded.map(\.size)))
            let audit = begun.releaseAudit()
            var (verifier, decisions) = try await session.copyOut(
                """
                COPY (
                    SELECT position, entry, leaf_hash, stream, revision, type, event_id,
                        command_id, recorded_at
                    FROM log.event ORDER BY position
                ) TO STDOUT (FORMAT binary)
                """,
                reading: LogVerifier(begun),
                into: LogAudit(audit),
                timeout: Self.scanTimeout,
                read: { verifier, row in try verifier.take(&row) },
                fold: { decisions, events in decisions.take(events) }
            )
            // Where an entry does not fit, the last append before it may not be whole.
            if verifier.found == nil { decisions.end() }
            verifier.receive(decisions.audit)
            let entries = verifier.entries
            let found = [decisions.found, verifier.found].compactMap(\.self)
            if let first = found.min(by: { $0.position < $1.position }) {
                return .broken(entries, first)
            }
            if let stray = try await strayCommand(session, verifier.commands, entries.frontier.size)
            {
                return .broken(entries, LogFlawFound(stray, .command))
            }
            return entries.flaw(against: recorded).map { .contradicted(entries, $0) }
                ?? .sound(entries)
        }
    }

    /// What the database itself recorded of checkpoints, the shortest first.
    private func recordedRoots(_ session: Session) async throws(PostgresError) -> [RecordedRoot] {
        try await session.query(
            "SELECT size, root FROM log.checkpoint ORDER BY size",
            timeout: Self.scanTimeout
        ).map { row throws(PostgresError) in
            let (size, root) = try row.decode((Int64, [UInt8]).self)
            return RecordedRoot(size: Int(size), hash: root)
        }
    }

    /// Where the first command stands whose record does not cover exactly its events.
    ///
    /// What was appended since the scan began is left out.
    private func strayCommand(
        _ session: Session,
        _ commands: CommandRuns,
        _ size: Int
    ) async throws -> Position? {
        var reckoning = try await session.copyOut(
            """
            COPY (
                SELECT command_id, first_position, last_position FROM log.command
                WHERE first_position <= \(literal: Int64(size))
                ORDER BY first_position, command_id
            ) TO STDOUT (FORMAT binary)
            """,
            into: CommandReckoning(commands),
            timeout: Self.scanTimeout
        ) { reckoning, row in try reckoning.take(&row) }
        reckoning.end()
        return try reckoning.stray.map { first throws(PostgresError) in try Position(row: first) }
    }
}

/// What a whole look at the entries came to.
package enum VerifiedEntries: Sendable {
    /// Everything fits; the verifier knows the tree.
    case sound(EntryVerifier)
    /// The entries fit one another, but not a checkpoint that was recorded over them: what is
    /// published may tell where exactly.
    case contradicted(EntryVerifier, LogFlawFound)
    /// The first event that does not fit those before it; the verifier has come as far.
    case broken(EntryVerifier, LogFlawFound)
}

/// A checkpoint as a row has it; whoever tampers may have made it anything.
private struct RecordedRoot {
    let size: Int
    let hash: [UInt8]
}

extension EntryVerifier {
    /// What the first recorded checkpoint that is contradicted tells.
    fileprivate func flaw(against recorded: [RecordedRoot]) -> LogFlawFound? {
        var good = 0
        for checkpoint in recorded {
            guard checkpoint.size <= frontier.size else { return LogFlawFound(next, .missing) }
            guard roots[checkpoint.size]?.hash.bytes == checkpoint.hash else {
                let first = Position(min(good, max(checkpoint.size - 1, 0)) + 1)
                return LogFlawFound(first, .checkpoint(size: checkpoint.size))
            }
            good = checkpoint.size
        }
        return nil
    }
}
