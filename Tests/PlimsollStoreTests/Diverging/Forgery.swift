import FoundationEssentials
import PlimsollDomain
import PlimsollPostgres
import PlimsollSystem
import PlimsollTestSupport
import Testing

@testable import PlimsollStore

/// What somebody without the secret can write.
enum Forgery: CaseIterable {
    /// No authenticator at all.
    case unsigned
    /// That of the entry before.
    case copied
    /// One with a key of their own, under the name of the service's.
    case underItsName
    /// One with a key of their own.
    case ofAnotherKey
    /// A text in its place.
    case nonsense
    /// A whole entry of before, byte for byte.
    case wholeEntry
}

func withAuthentication(_ body: (EntryKeyFolder) async throws -> Void) async throws {
    try await withFolder { folder in
        let keys = EntryKeyFolder(folder / EntryKeyFolder.name)
        _ = try keys.first()
        try await body(keys)
    }
}

/// A writer whose log has three events, the second of which begins to authenticate.
func withAuthenticWriter<Answer: Sendable>(
    _ folder: EntryKeyFolder,
    pollInterval: Duration = .seconds(1),
    clock: @escaping @Sendable () -> Instant = { .now },
    _ body: (Writer, EventLog) async throws -> Answer
) async throws -> Answer {
    let authentication = EntryAuthentication(keysIn: folder)
    try authentication.prepare()
    let key = try #require(authentication.first)
    return try await withWriter(
        on: try ScratchDatabase.current.connection,
        pollInterval: pollInterval,
        clock: clock,
        authentication: authentication
    ) { writer, log in
        _ = try await writer.perform(CommandRequest(failure()))
        _ = try await writer.perform(CommandRequest(AddEntryKey(key, reason: nil, by: .system)))
        _ = try await writer.perform(CommandRequest(failure()))
        return try await body(writer, log)
    }
}

func admin(_ writer: Writer) async throws -> PrincipalID {
    let admission = admission()
    let command = IssueToken(
        token: admission.token,
        grants: [RoleGrant(.admin, in: .all)],
        by: .system
    )
    _ = try await writer.perform(CommandRequest(command))
    return admission.token.principal
}

/// Appends an event through the function that the service appends with.
func forge(
    after known: LogState,
    _ forgery: Forgery = .unsigned,
    _ folder: EntryKeyFolder? = nil
) async throws {
    let forged = invented(after: known)
    let plain = try EventCodec.encode(forged)
    let own = try #require(EntryKey((0..<32).map { UInt8($0) }))
    let said = String(decoding: own.member(of: plain), as: UTF8.self)
    let key = try folder?.first().id.text ?? ""
    let member: String =
        switch forgery {
        case .unsigned: ""
        case .copied: try await lastMember()
        case .underItsName: said.replacing(own.id.text, with: key)
        case .ofAnotherKey: said
        case .nonsense: #","authenticator":"trust-me""#
        case .wholeEntry: ""
        }
    let entry = forgery == .wholeEntry ? try await lastEntry() : plain.inserting(member)
    try await appendForged(forged, entry)
}

func forge(after known: LogState, with key: EntryKey) async throws {
    let forged = invented(after: known)
    try await appendForged(forged, try EventCodec.encode(forged, with: key))
}

func invented(after known: LogState) -> RecordedEvent {
    let now = Instant.now.advanced(by: .seconds(120))
    return RecordedEvent(
        position: known.position.advanced(by: 1),
        id: UUID(version7: now),
        stream: .access,
        revision: known.revision(of: .access).next,
        recordedAt: now,
        command: CommandID(UUID()),
        origin: Origin(actor: .system, authentication: .service, correlation: UUID()),
        event: .access(.principalAdded(PrincipalID(UUID())))
    )
}

func appendForged(_ event: RecordedEvent, _ entry: [UInt8]) async throws {
    let session = try await openServiceSession()
    _ = try await session.query(
        """
        SELECT instance.append_one(
            \(event.command.uuid), \([1] as [UInt8]), \([2] as [UInt8]),
            \(Timestamp(event.recordedAt)), NULL, NULL, \(event.stream.text),
            \(event.revision.rawValue), \(event.event.type.rawValue), \(Int32(1)), \(event.id),
            \(entry), 0, NULL
        )
        """
    )
    await session.close()
}

/// What the last entry says it is authenticated with.
func lastMember() async throws -> String {
    let entry = try await lastEntry()
    var decoder = EventDecoder()
    _ = try decoder.decode(entry.span, at: Position(1))
    let place = try #require(decoder.authenticator)
    return String(decoding: entry[place.member], as: UTF8.self)
}

func lastEntry() async throws -> [UInt8] {
    let session = try await openServiceSession()
    let row = try #require(
        try await session.query("SELECT entry FROM log.event ORDER BY position DESC LIMIT 1").first
    )
    let entry: [UInt8] = try row.value(at: 0)
    await session.close()
    return entry
}

func tamper(_ sql: StaticString, liftingTriggers: Bool = true) async throws {
    let session = try await Session.open(ScratchDatabase.current.connection)
    do {
        if liftingTriggers {
            try await session.script("ALTER TABLE log.event DISABLE TRIGGER event_refuse_change")
        }
        try await session.script("\(raw: sql)")
        try await session.script(
            "ALTER TABLE log.event ENABLE ALWAYS TRIGGER event_refuse_change"
        )
        await session.close()
    } catch {
        await session.close()
        throw error
    }
}

extension [UInt8] {
    /// The entry with a member behind that which says how its actor was known.
    func inserting(_ member: String) -> [UInt8] {
        let text = String(decoding: self, as: UTF8.self)
        let known = #""authentication":"service""#
        return Array(text.replacing(known, with: known + member).utf8)
    }
}
