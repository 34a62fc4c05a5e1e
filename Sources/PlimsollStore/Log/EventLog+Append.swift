import FoundationEssentials
package import PlimsollDomain
package import PlimsollPostgres

extension EventLog {
    /// How long an append may wait for others and for the disk.
    package static let appendTimeout = Duration.seconds(10)

    /// Appends commands in their order, in one transaction, and answers each.
    ///
    /// The first that cannot be appended ends the group. When the connection is lost on the way,
    /// nobody knows what became of it: ask with ``commands(_:)``.
    package func append(_ group: [LogCommand]) async throws(PostgresError) -> [AppendAnswer] {
        guard !group.isEmpty else { return [] }
        if let plain = PlainGroup(group), let answers = try await append(plain) { return answers }
        let statement = Statement(appending: group)
        let rows = try await database.query(statement, timeout: Self.appendTimeout)
        var answers: [AppendAnswer] = []
        for row in rows { answers.append(try AppendAnswer(row)) }
        guard answers.count == group.count else {
            throw PostgresError(.decoding, "log.append answers every command")
        }
        return answers
    }

    /// Answers `nil`, and has written nothing, where the log is not as the group takes it to be.
    private func append(_ plain: PlainGroup) async throws(PostgresError) -> [AppendAnswer]? {
        let row = try await database.first(plain.statement, timeout: Self.appendTimeout)
        guard let head: Int64 = try row?.value(at: 0) else { return nil }
        return try plain.answers(after: head)
    }

    /// What the log knows of some commands: with the digest of the request each came with.
    package func commands(
        _ ids: [CommandID]
    ) async throws(LogError) -> [CommandID: (requestDigest: [UInt8], command: KnownCommand)] {
        let statement: Statement = """
            SELECT command_id, request_digest, first_position, last_position, outcome, recorded_at
            FROM log.command WHERE command_id = ANY(\(ids.map(\.uuid)))
            """
        return try await reading { () async throws(PostgresError) in
            var known: [CommandID: (requestDigest: [UInt8], command: KnownCommand)] = [:]
            for row in try await database.query(statement) {
                var reader = RowReader(row: row)
                let id = CommandID(try reader.next())
                let digest: [UInt8] = try reader.next()
                let first: Int64? = try reader.next()
                let last: Int64 = try reader.next()
                known[id] = (
                    digest,
                    KnownCommand(
                        span: try LogSpan(first: first, last: last),
                        outcome: try reader.next(),
                        recordedAt: Instant(try reader.next(Timestamp.self))
                    )
                )
            }
            return known
        }
    }
}

extension Statement {
    fileprivate init(appending group: [LogCommand]) {
        let expectations = group.enumerated().flatMap { index, command in
            command.expectations.map { (command: Int32(index + 1), $0.stream, $0.revision) }
        }
        let events = group.flatMap(\.events)
        var end: Int32 = 0
        let ends = group.map { command in
            end += Int32(command.events.count)
            return end
        }
        self = """
            SELECT * FROM log.append(
                \(group.map(\.identity.id.uuid)), \(group.map(\.identity.requestDigest)),
                \(group.map(\.outcome)), \(group.map { Timestamp($0.recordedAt) }), \(ends),
                \(expectations.map(\.command)), \(expectations.map(\.1.text)),
                \(expectations.map(\.2.rawValue)), \(events.map(\.recorded.stream.text)),
                \(events.map(\.recorded.revision.rawValue)),
                \(events.map(\.recorded.event.type.rawValue)),
                \(events.map { Int32($0.recorded.event.type.shape) }), \(events.map(\.recorded.id)),
                \(events.map(\.entry))
            )
            """
    }
}

extension AppendAnswer {
    fileprivate init(_ row: Row) throws(PostgresError) {
        let (_, status, first, last, outcome, stream, revision, recordedAt) = try row.decode(
            (Int32, String, Int64?, Int64?, [UInt8]?, String?, Int64?, Timestamp?).self
        )
        switch (status, last, outcome, stream.flatMap(StreamName.init), revision, recordedAt) {
        case ("appended", let last?, _, _, _, _):
            self = .appended(try LogSpan(first: first, last: last))
        case ("duplicate", let last?, let outcome?, _, _, let recordedAt?):
            self = .duplicate(
                KnownCommand(
                    span: try LogSpan(first: first, last: last),
                    outcome: outcome,
                    recordedAt: Instant(recordedAt)
                )
            )
        case ("mismatch", _, _, _, _, _): self = .mismatch
        case ("conflict", _, _, let stream?, let revision?, _):
            self = .conflict(stream, Revision(rawValue: revision) ?? .none)
        case ("clockBehind", _, _, _, _, let recordedAt?):
            self = .clockBehind(Instant(recordedAt))
        case ("undecided", _, _, _, _, _): self = .undecided
        default: throw PostgresError(.decoding, "log.append answered an unknown status")
        }
    }
}

extension LogSpan {
    fileprivate init(first: Int64?, last: Int64) throws(PostgresError) {
        guard let first else {
            self.init(first: nil, last: try Position(row: last))
            return
        }
        self.init(first: try Position(row: first), last: try Position(row: last))
    }
}
