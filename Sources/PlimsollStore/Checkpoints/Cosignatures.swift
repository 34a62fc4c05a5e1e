package import PlimsollLog
import PlimsollPostgres

/// What witnesses say of the checkpoints: their lines, kept beside ours.
///
/// Only those count that a key has made which an operator gave, and every line is checked whenever
/// it is shown: the database is not believed.
package struct Cosignatures: Sendable {
    private let checkpoints: Checkpoints
    private let witnesses: [VerifierKey]

    package init(_ checkpoints: Checkpoints, by witnesses: [VerifierKey]) {
        precondition(witnesses.allSatisfy { $0.kind == .cosignature }, "a witness cosigns")
        self.checkpoints = checkpoints
        self.witnesses = witnesses
    }

    /// Whether there is anybody to wait for.
    package var isEmpty: Bool { witnesses.isEmpty }

    /// Why the lines that somebody brought are not kept.
    package enum Refusal: Error, Equatable, Sendable {
        /// It is no checkpoint with lines; says why.
        case malformed(String)
        /// There is no checkpoint over so many events.
        case noCheckpoint(size: Int)
        /// There is one over so many events, and it says something else.
        case otherCheckpoint(size: Int)
        /// No line is by a witness that an operator gave.
        case unknownWitness
        /// A line says that it is by a witness, and is not; says which.
        case wrongLine(String)
    }

    /// Keeps the lines of witnesses under a checkpoint of ours, and answers it with all it has now.
    ///
    /// The lines of others are left aside. Of two by one witness the first stays, so the same may
    /// be sent again.
    package func keep(_ note: [UInt8]) async throws(LogError) -> Result<[UInt8], Refusal> {
        let given: SignedCheckpoint
        do {
            given = try SignedCheckpoint(parsing: note)
        } catch {
            return .failure(.malformed(error.description))
        }
        let size = given.checkpoint.root.size
        guard let stored = try await checkpoints.checkpoint(size: size) else {
            return .failure(.noCheckpoint(size: size))
        }
        guard try signed(stored).note.text == given.note.text else {
            return .failure(.otherCheckpoint(size: size))
        }
        switch given.note.verification(by: witnesses) {
        case .verified: break
        case .refused(.noKnownSignature): return .failure(.unknownWitness)
        case .refused(let refusal): return .failure(.wrongLine(refusal.description))
        }
        for (witness, line) in verified(given.note.signatures, under: given) {
            try await checkpoints.add(line, by: witness, size: size)
        }
        return .success(try await self.note(of: stored))
    }

    /// A checkpoint with the lines of its witnesses under ours.
    package func note(of stored: StoredCheckpoint) async throws(LogError) -> [UInt8] {
        guard !isEmpty else { return stored.note }
        let lines = try await checkpoints.cosignatures(size: stored.root.size)
        let signed = try signed(stored)
        let known = verified(lines, under: signed).map(\.line)
        do {
            return try signed.adding(known).bytes
        } catch {
            throw .contradictoryCheckpoint(size: stored.root.size)
        }
    }

    private func signed(_ stored: StoredCheckpoint) throws(LogError) -> SignedCheckpoint {
        do {
            return try SignedCheckpoint(parsing: stored.note)
        } catch {
            throw .contradictoryCheckpoint(size: stored.root.size)
        }
    }

    /// Those of the lines that witnesses made, with who did.
    private func verified(
        _ lines: [NoteSignature],
        under checkpoint: SignedCheckpoint
    ) -> [(witness: VerifierKey, line: NoteSignature)] {
        lines.compactMap { line in
            guard
                let note = try? SignedNote(text: checkpoint.note.text, signatures: [line]),
                case .verified(let found) = note.verification(by: witnesses),
                let witness = found.first?.key
            else { return nil }
            return (witness, line)
        }
    }
}

extension Checkpoints {
    /// The lines that witnesses made under a checkpoint, as the database has them.
    fileprivate func cosignatures(size: Int) async throws(LogError) -> [NoteSignature] {
        let statement: Statement = """
            SELECT line FROM log.cosignature WHERE size = \(Int64(size)) ORDER BY created_at, witness
            """
        return try await reading { () async throws(PostgresError) in
            var lines: [NoteSignature] = []
            for row in try await log.database.query(statement) {
                let line = try row.value(at: 0, as: String.self)
                // What is no line counts as little as one by somebody unknown.
                lines += (try? NoteSignature.parse(Array(line.utf8))) ?? []
            }
            return lines
        }
    }

    fileprivate func add(
        _ line: NoteSignature,
        by witness: VerifierKey,
        size: Int
    ) async throws(LogError) {
        let text = String(decoding: line.line, as: UTF8.self)
        let statement: Statement =
            "SELECT log.add_cosignature(\(Int64(size)), \(witness.text), \(text))"
        _ = try await reading { () async throws(PostgresError) in
            try await log.database.first(statement)
        }
    }
}
