import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres

/// Commands that can be appended in the short way: of one time, each with events and an id of its
/// own, and each relying on what those before it lead to.
///
/// So what is left to ask the database is how every stream stands before the first of them.
struct PlainGroup {
    private let commands: [LogCommand]
    /// The streams that were relied on before the group changed them.
    private let reads: [StreamExpectation]

    /// Fails for what only `log.append` can answer.
    init?(_ group: [LogCommand]) {
        var ids: Set<CommandID> = []
        var claims = StreamClaims()
        for command in group {
            guard command.recordedAt == group[0].recordedAt, !command.events.isEmpty,
                ids.insert(command.identity.id).inserted, claims.hold(for: command)
            else { return nil }
        }
        commands = group
        reads = claims.reads
    }

    /// One call; it answers the position before the group, or `NULL`.
    var statement: Statement {
        commands.count == 1 && commands[0].events.count == 1 && reads.count <= 1
            ? Statement(appending: commands[0], relyingOn: reads.first)
            : Statement(appending: commands, relyingOn: reads)
    }

    func answers(after head: Int64) throws(PostgresError) -> [AppendAnswer] {
        var last = try Position(row: head)
        var answers: [AppendAnswer] = []
        for command in commands {
            let first = last.advanced(by: 1)
            last = last.advanced(by: command.events.count)
            answers.append(.appended(LogSpan(first: first, last: last)))
        }
        return answers
    }
}

/// What the commands of a group say about streams, one after the other.
private struct StreamClaims {
    private var reached: [StreamName: Revision] = [:]
    private var read: [StreamName: Revision] = [:]

    /// Those of streams that nobody wrote; where somebody did, the events say how it stood.
    var reads: [StreamExpectation] {
        read.map { StreamExpectation($0.key, at: $0.value) }.sorted {
            $0.stream.text < $1.stream.text
        }
    }

    /// Answers whether each claim begins where the one before it left the stream.
    mutating func hold(for command: LogCommand) -> Bool {
        for claim in command.expectations {
            guard let known = reached[claim.stream] else {
                reached[claim.stream] = claim.revision
                read[claim.stream] = claim.revision
                continue
            }
            if known != claim.revision { return false }
        }
        for event in command.events.map(\.recorded) {
            if let known = reached[event.stream], known.next != event.revision { return false }
            reached[event.stream] = event.revision
            read[event.stream] = nil
        }
        return true
    }
}

extension Statement {
    fileprivate init(appending command: LogCommand, relyingOn read: StreamExpectation?) {
        let event = command.events[0]
        self = """
            SELECT log.append_one(
                \(command.identity.id.uuid), \(command.identity.requestDigest), \(command.outcome),
                \(Timestamp(command.recordedAt)), \(read?.stream.text as String?),
                \(read?.revision.rawValue as Int64?), \(event.recorded.stream.text),
                \(event.recorded.revision.rawValue), \(event.recorded.event.type.rawValue),
                \(Int32(event.recorded.event.type.shape)), \(event.recorded.id), \(event.entry)
            ) - 1
            """
    }

    fileprivate init(appending group: [LogCommand], relyingOn reads: [StreamExpectation]) {
        let events = group.flatMap(\.events)
        var end: Int32 = 0
        let ends = group.map { command in
            end += Int32(command.events.count)
            return end
        }
        let owners = group.enumerated().flatMap { index, command in
            command.events.map { _ in Int32(index + 1) }
        }
        self = """
            SELECT log.append_plain(
                \(group.map(\.identity.id.uuid)), \(group.map(\.identity.requestDigest)),
                \(group.map(\.outcome)), \(Timestamp(group[0].recordedAt)), \(ends),
                \(reads.map(\.stream.text)), \(reads.map(\.revision.rawValue)), \(owners),
                \(events.map(\.recorded.stream.text)), \(events.map(\.recorded.revision.rawValue)),
                \(events.map(\.recorded.event.type.rawValue)),
                \(events.map { Int32($0.recorded.event.type.shape) }), \(events.map(\.recorded.id)),
                \(events.map(\.entry))
            )
            """
    }
}
