import FoundationEssentials
package import PlimsollDomain
package import PlimsollPostgres
import Synchronization

extension StoreSchema {
    /// Fills an empty log with what a backup has, all of it or nothing.
    ///
    /// Works with the account that owns the database, because nobody else may do it. The lines are
    /// asked for one after another and have to have been verified; `nil` is their end. Of the checkpoints
    /// some are left out, by how many events they are recorded over.
    package static func restore<Source: Sendable>(
        _ connection: ConnectionString,
        from source: Source,
        names: [PrincipalID: SaltedName],
        leavingOut strayCheckpoints: Set<Int> = [],
        _ next: @escaping @Sendable (inout Source) throws -> BackupLine?
    ) async throws {
        // Whoever mistook the database finds it as it was, in the shape of an older program too.
        try await Session.with(connection, settings: .owner) { session in
            if try await isFilled(session) { throw LogNotEmpty() }
        }
        try await prepare(connection)
        try await Session.with(connection, settings: .owner) { session in
            try await session.withTransaction(attempts: 1) { transaction in
                try await transaction.execute("SET LOCAL ROLE plimsoll_owner")
                try await transaction.execute("SELECT log.hold_appends()")
                guard try await transaction.first(Self.anything) == nil else {
                    throw LogNotEmpty()
                }
                var restoration = Restoration(
                    source: source,
                    strayCheckpoints: strayCheckpoints,
                    next: next
                )
                for part in RestoredPart.allCases {
                    restoration = try await restoration.copy(part, over: transaction.session)
                }
                let directory = Directory(transaction.session)
                for (principal, name) in names {
                    try await directory.hold(name, of: principal)
                }
            }
        }
    }

    private static func isFilled(_ session: Session) async throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            return try await session.first(anything) != nil
        } catch {
            guard error.saysNothingIsThere else { throw error }
            return false
        }
    }

    private static var anything: Statement {
        """
        SELECT true WHERE EXISTS (SELECT FROM log.event) OR EXISTS (SELECT FROM log.command)
            OR EXISTS (SELECT FROM log.checkpoint) OR EXISTS (SELECT FROM directory.principal)
        """
    }
}

/// A backup is only restored to where nothing has happened.
package struct LogNotEmpty: Error, CustomStringConvertible {
    package var description: String {
        "The database has a log, or names, already; a backup is only restored into an empty one:"
            + " make one, or move postgres/ out of the data directory of a private one."
    }
}

/// The tables in the order of the lines.
private enum RestoredPart: CaseIterable {
    case events, commands, checkpoints, cosignatures, overruled

    var statement: Statement {
        switch self {
        case .events:
            """
            COPY log.event (
                position, revision, recorded_at, event_id, command_id, shape, stream, type, entry
            ) FROM STDIN (FORMAT binary)
            """
        case .commands:
            """
            COPY log.command (
                command_id, request_digest, outcome, recorded_at, first_position, last_position
            ) FROM STDIN (FORMAT binary)
            """
        case .checkpoints:
            """
            COPY log.checkpoint (size, root, note, frontier, created_at)
            FROM STDIN (FORMAT binary)
            """
        case .cosignatures:
            "COPY log.cosignature (size, witness, line, created_at) FROM STDIN (FORMAT binary)"
        case .overruled:
            "COPY log.overruled (size, root, position, created_at) FROM STDIN (FORMAT binary)"
        }
    }
}

/// Lines on their way into tables; the first line of the next part is kept for it.
private struct Restoration<Source: Sendable>: Sendable {
    var source: Source
    private let strayCheckpoints: Set<Int>
    let next: @Sendable (inout Source) throws -> BackupLine?
    private var decoder = EventDecoder()
    private var position = Position.start
    private var kept: BackupLine?

    init(
        source: Source,
        strayCheckpoints: Set<Int>,
        next: @escaping @Sendable (inout Source) throws -> BackupLine?
    ) {
        self.source = source
        self.strayCheckpoints = strayCheckpoints
        self.next = next
    }

    func copy(_ part: RestoredPart, over session: Session) async throws -> Self {
        let reached = Reached(self)
        try await session.copyIn(
            part.statement,
            from: self,
            timeout: EventLog.scanTimeout
        ) { restoration, writer in
            let step = try restoration.step(part, &writer)
            if step == .end { reached.set(restoration) }
            return step
        }
        return reached.restoration
    }

    private mutating func step(
        _ part: RestoredPart,
        _ writer: inout CopyWriter
    ) throws -> CopyStep {
        guard let line = try kept.take() ?? next(&source) else { return .end }
        switch (part, line) {
        case (_, .begin): break
        case (.events, .entry(let entry)): try write(entry, &writer)
        case (.commands, .command(let row)):
            // The service makes no record of a command that no event came of.
            if row.first != nil { row.write(&writer) }
        case (.checkpoints, .checkpoint(let row)): if isKept(row.size) { row.write(&writer) }
        case (.cosignatures, .cosignature(let row)): if isKept(row.size) { row.write(&writer) }
        case (.overruled, .overruled(let row)): row.write(&writer)
        default:
            kept = line
            return .end
        }
        return .more
    }

    private func isKept(_ size: Int64) -> Bool { !strayCheckpoints.contains(Int(size)) }

    private mutating func write(_ entry: [UInt8], _ writer: inout CopyWriter) throws {
        position = position.advanced(by: 1)
        let event = try decoder.decode(entry.span, at: position)
        let shape = try decoder.shape(of: entry.span)
        writer.beginRow(columns: 9)
        writer.append(position.rawValue)
        writer.append(event.revision.rawValue)
        writer.append(Timestamp(event.recordedAt))
        writer.append(event.id)
        writer.append(event.command.uuid)
        writer.append(Int16(truncatingIfNeeded: shape))
        writer.append(event.stream.text)
        writer.append(event.event.type.rawValue)
        writer.append(entry)
    }
}

/// Where a closure leaves how far it came.
private final class Reached<Source: Sendable>: Sendable {
    private let latest: Mutex<Restoration<Source>>

    init(_ restoration: Restoration<Source>) { latest = Mutex(restoration) }

    var restoration: Restoration<Source> { latest.withLock { $0 } }

    func set(_ restoration: Restoration<Source>) { latest.withLock { $0 = restoration } }
}

extension BackupCommand {
    fileprivate func write(_ writer: inout CopyWriter) {
        guard let id = UUID(uuidString: id) else { preconditionFailure("it was read as a UUID") }
        writer.beginRow(columns: 6)
        writer.append(id)
        writer.append(digest)
        writer.append(outcome)
        writer.append(Timestamp(microsecondsSince1970: recordedAt))
        writer.append(first)
        writer.append(last)
    }
}

extension BackupCheckpoint {
    fileprivate func write(_ writer: inout CopyWriter) {
        writer.beginRow(columns: 5)
        writer.append(size)
        writer.append(root)
        writer.append(note)
        writer.append(frontier)
        writer.append(Timestamp(microsecondsSince1970: createdAt))
    }
}

extension BackupCosignature {
    fileprivate func write(_ writer: inout CopyWriter) {
        writer.beginRow(columns: 4)
        writer.append(size)
        writer.append(witness)
        writer.append(line)
        writer.append(Timestamp(microsecondsSince1970: createdAt))
    }
}

extension BackupOverruled {
    fileprivate func write(_ writer: inout CopyWriter) {
        writer.beginRow(columns: 4)
        writer.append(size)
        writer.append(root)
        writer.append(position)
        writer.append(Timestamp(microsecondsSince1970: createdAt))
    }
}
