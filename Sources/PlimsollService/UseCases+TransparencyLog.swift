package import PlimsollDomain
package import PlimsollStore

extension UseCases {
    /// The newest checkpoint over the record; `nil` before the first.
    package func logCheckpoint(for caller: Caller) async throws(UseCaseError) -> [UInt8]? {
        try requireAuditor(caller)
        return try await read { try await logFiles.checkpoint() }
    }

    /// A tile of the transparency log, of hashes or of entries, by its path under the prefix, such
    /// as `tile/0/x001/234`; `nil` if the newest checkpoint does not cover all of it.
    package func logTile(
        _ path: String,
        for caller: Caller
    ) async throws(UseCaseError) -> [UInt8]? {
        try requireAuditor(caller)
        return try await read { try await logFiles.tile(path) }
    }

    /// Keeps what witnesses say of a checkpoint; answers it with all the lines that it has now.
    package func keep(
        cosigned note: [UInt8],
        for caller: Caller
    ) async throws(UseCaseError) -> Result<[UInt8], Cosignatures.Refusal> {
        try requireAuditor(caller)
        if let prohibition = writer.prohibition { throw .readOnly(prohibition) }
        return try await read { try await logFiles.keep(cosigned: note) }
    }

    /// The proof that an event is in the newest checkpoint; `nil` if that does not cover it yet.
    package func proof(
        of position: Position,
        for caller: Caller
    ) async throws(UseCaseError) -> [UInt8]? {
        let world = try world()
        try require(.auditor, of: caller, in: .all, world)
        guard position > .start, position <= world.position else {
            throw UseCaseError(.eventUnknown(position, head: world.position))
        }
        return try await read { try await logFiles.proof(of: position) }
    }

    /// Refuses unless the caller may see the transparency log with its entries.
    package func requireAuditor(_ caller: Caller) throws(UseCaseError) {
        try require(.auditor, of: caller, in: .all, world())
    }
}
