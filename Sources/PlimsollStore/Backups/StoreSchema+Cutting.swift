package import PlimsollDomain
import PlimsollLog
package import PlimsollPostgres

extension StoreSchema {
    /// Takes what the service did not write off the end of a log, with all that stands behind it.
    ///
    /// Works with the account that owns the database, because nobody else may do it. What is taken
    /// off is handed over before it is gone, and stays where that fails. Refuses where nothing is
    /// wrong, and where what is wrong stands before the end of what was signed: that was an event of
    /// the service once, and a backup has it.
    package static func cut(
        _ connection: ConnectionString,
        authentication: EntryAuthentication,
        signed: Int,
        _ keep: @Sendable (CutEntries) throws -> Void
    ) async throws -> CutEntries {
        let session = try await Session.open(connection)
        do {
            let cut = try await session.withTransaction(attempts: 1) { transaction in
                try await transaction.execute("SET LOCAL ROLE plimsoll_owner")
                try await transaction.execute("SELECT log.hold_appends()")
                let log = EventLog(transaction.session, authentication: authentication)
                let cut = try await log.unauthenticEnd(signed: signed)
                try keep(cut)
                try await transaction.takeOff(from: cut.first)
                return cut
            }
            await session.close()
            return cut
        } catch {
            await session.close()
            throw error
        }
    }
}

/// The end of a log that the service did not write.
package struct CutEntries: Equatable, Sendable {
    package let first: Position
    package let last: Position
    /// What is wrong with the first of them.
    package let flaw: String
    /// Their bytes in order, as far as there are some.
    package let entries: [[UInt8]]
}

/// Why nothing is taken off a log.
package enum CutRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case nothingToCut(events: Int)
    case signed(Position, size: Int)
    /// An event is missing, or cannot be told from those of the service.
    case notAtEnd(String)

    package var description: String {
        switch self {
        case .nothingToCut(let events):
            "The service wrote all \(events) events, as far as their authenticators say."
        case .signed(let position, let size):
            "Event \(position) is not what the service wrote, but a checkpoint was signed over the"
                + " first \(size) events: it is an old event that was changed. Restore a backup."
        case .notAtEnd(let sentence): sentence + " That is no matter of the log's end."
        }
    }
}

extension EventLog {
    fileprivate func unauthenticEnd(signed: Int) async throws -> CutEntries {
        switch await wholeCount() {
        case .success(let count): throw CutRefusal.nothingToCut(events: count)
        case .failure(.unauthentic(let first, let flaw)) where flaw.isForgery:
            return try await end(from: first, flaw.description, signed: signed)
        case .failure(.unreadable(let first, let error)):
            return try await end(from: first, error.description, signed: signed)
        case .failure(.database(let error)): throw error
        case .failure(let error): throw CutRefusal.notAtEnd(error.description)
        }
    }

    /// How many events there are, if the service wrote all of them.
    private func wholeCount() async -> Result<Int, LogError> {
        do throws(LogError) {
            var last = Position.start
            while let end = try await events(after: last).last { last = end.position }
            return .success(Int(last.rawValue))
        } catch {
            return .failure(error)
        }
    }

    private func end(
        from first: Position,
        _ flaw: String,
        signed: Int
    ) async throws -> CutEntries {
        let newest = try await Checkpoints(self).newest()?.root.size ?? 0
        let size = max(signed, newest)
        guard first.rawValue > size else { throw CutRefusal.signed(first, size: size) }
        let entries = try await allEntries(from: first)
        return CutEntries(
            first: first,
            last: entries.last?.position ?? first,
            flaw: flaw,
            entries: entries.map(\.bytes)
        )
    }

    private func allEntries(from first: Position) async throws -> [LogEntry] {
        var found: [LogEntry] = []
        while true {
            let next = found.last?.position.advanced(by: 1) ?? first
            let page = try await entries(from: next, limit: Self.pageMaximum)
            guard !page.isEmpty else { return found }
            found += page
        }
    }
}

extension Transaction {
    /// The triggers refuse everybody, so they are lifted, within the transaction and nowhere else.
    fileprivate func takeOff(from first: Position) async throws {
        let tables: [StaticString] = ["event", "command"]
        for table in tables {
            try await execute(
                """
                ALTER TABLE log.\(raw: table) DISABLE TRIGGER \(raw: table)_refuse_change
                """
            )
        }
        try await execute("DELETE FROM log.event WHERE position >= \(first.rawValue)")
        try await execute("DELETE FROM log.command WHERE last_position >= \(first.rawValue)")
        for table in tables {
            try await execute(
                """
                ALTER TABLE log.\(raw: table) ENABLE ALWAYS TRIGGER \(raw: table)_refuse_change
                """
            )
        }
    }
}
