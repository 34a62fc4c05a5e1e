package import PlimsollDomain
package import PlimsollLog
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
        published: Int,
        signedBy key: VerifierKey?,
        _ keep: (CutEntries) throws -> Void
    ) async throws -> CutLog {
        var settings = SessionSettings.owner
        settings.statementTimeout = EventLog.scanTimeout
        return try await Session.with(connection, settings: settings) { session in
            try await session.withTransaction(attempts: 1) { transaction in
                try await transaction.execute("SET LOCAL ROLE plimsoll_owner")
                try await transaction.execute("SELECT log.hold_appends()")
                let log = EventLog(transaction.session, authentication: authentication)
                let cut = try await log.end(published: published, signedBy: key, keep)
                try keep(.end)
                try await transaction.takeOff(from: cut.first)
                return cut
            }
        }
    }
}

/// The end of a log that the service did not write.
package struct CutLog: Equatable, Sendable {
    package let first: Position
    package let last: Position
    /// What is wrong with the first of them.
    package let flaw: String
}

/// What is taken off a log, to be kept elsewhere.
package enum CutEntries: Equatable, Sendable {
    case entries([LogEntry])
    /// That was all, and it has to last from now on.
    case end
}

/// Why nothing is taken off a log.
package enum CutRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case nothingToCut(events: Int)
    case signed(Position, size: Int)
    /// An event is missing, or may be the service's own.
    case notAtEnd(String)

    package var description: String {
        switch self {
        case .nothingToCut(let events): "The service wrote all \(events) events."
        case .signed(let position, let size):
            "Event \(position) is not what the service wrote, but a checkpoint was signed over the"
                + " first \(size) events: it is an old event that was changed. Restore a backup."
        case .notAtEnd(let sentence): sentence + " Nothing can be taken off for that."
        }
    }
}

extension EventLog {
    fileprivate func end(
        published: Int,
        signedBy key: VerifierKey?,
        _ keep: (CutEntries) throws -> Void
    ) async throws -> CutLog {
        let (first, flaw) = try await firstStrange()
        let signed = try await Checkpoints(self).newest(signedBy: key)
        let size = max(published, signed?.root.size ?? 0)
        guard first.rawValue > size else { throw CutRefusal.signed(first, size: size) }
        var last = first.advanced(by: -1)
        while true {
            let page = try await entries(from: last.advanced(by: 1), limit: Self.pageMaximum)
            guard let end = page.last else { break }
            try keep(.entries(page))
            last = end.position
        }
        return CutLog(first: first, last: last, flaw: flaw)
    }

    /// The first event that the service did not write.
    private func firstStrange() async throws -> (Position, flaw: String) {
        let damage: LogError
        switch await wholeState() {
        case .success(let logState):
            throw CutRefusal.nothingToCut(events: Int(logState.position.rawValue))
        case .failure(let error): damage = error
        }
        switch damage {
        case .unauthentic(let first, let flaw) where flaw.isForgery:
            return (first, damage.description)
        case .unreadable(let first, _), .repeated(let first, _, _):
            return (first, damage.description)
        case .database(let error): throw error
        case .hole, .revisionHole, .newer, .unauthentic, .flawed, .shortened, .lost,
            .contradictoryCheckpoint, .interrupted:
            throw CutRefusal.notAtEnd(damage.description)
        }
    }

    /// What the log comes to, if the service wrote all of it.
    private func wholeState() async -> Result<LogState, LogError> {
        do throws(LogError) {
            var logState = LogState()
            while case let page = try await events(after: logState.position), !page.isEmpty {
                for event in page {
                    try logState.requireNext(event)
                    logState.evolve(event)
                }
            }
            return .success(logState)
        } catch {
            return .failure(error)
        }
    }
}

extension Transaction {
    /// The triggers refuse everybody, so they are lifted, within the transaction and nowhere else.
    fileprivate func takeOff(from first: Position) async throws {
        let tables: [StaticString] = ["event", "command", "checkpoint", "cosignature"]
        for table in tables {
            try await execute(
                """
                ALTER TABLE log.\(raw: table) DISABLE TRIGGER \(raw: table)_refuse_change
                """
            )
        }
        try await execute("DELETE FROM log.event WHERE position >= \(first.rawValue)")
        try await execute("DELETE FROM log.command WHERE last_position >= \(first.rawValue)")
        try await execute("DELETE FROM log.checkpoint WHERE size >= \(first.rawValue)")
        try await execute("DELETE FROM log.cosignature WHERE size >= \(first.rawValue)")
        for table in tables {
            try await execute(
                """
                ALTER TABLE log.\(raw: table) ENABLE ALWAYS TRIGGER \(raw: table)_refuse_change
                """
            )
        }
    }
}
