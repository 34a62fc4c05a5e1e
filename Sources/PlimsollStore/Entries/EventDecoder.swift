import FoundationEssentials
package import PlimsollDomain
import PlimsollJSON
import PlimsollPostgres

/// Reads entries one after another, fast, and remembers names that repeat.
///
/// The data of the events that make up a log is read straight from the bytes, as
/// ``EventCodec`` writes them. Whatever looks otherwise is read through a tree, which takes members
/// in any order and says what is wrong with them.
package struct EventDecoder: Sendable {
    var names = Names()
    /// Whether the bytes of the last entry that was read are the only ones that say what it says.
    ///
    /// Of one that was not read like that, it has to be found out whether it is canonical.
    private(set) var wasForced = false

    package init() {}

    /// Reads the event that stands at a position.
    ///
    /// Refuses an entry that has not the form of ``EventCodec``, is of an unknown type or shape, or
    /// stands in a stream where its type never stands.
    package mutating func decode(
        _ entry: Span<UInt8>,
        at position: Position
    ) throws(EntryError) -> RecordedEvent {
        var cursor = EntryCursor()
        let envelope = try envelope(entry, &cursor)
        wasForced = cursor.isForced
        let event = try event(in: envelope, entry)
        guard event.belongs(in: envelope.stream) else {
            throw .strangeStream(event.type, envelope.stream.text)
        }
        return RecordedEvent(
            position: position,
            id: envelope.id,
            stream: envelope.stream,
            revision: envelope.revision,
            recordedAt: envelope.recordedAt,
            command: envelope.command,
            origin: envelope.origin,
            event: event
        )
    }

    /// The shape in which an entry was written, which may be an older one than its type has today.
    mutating func shape(of entry: Span<UInt8>) throws(EntryError) -> Int64 {
        var cursor = EntryCursor()
        return try envelope(entry, &cursor).shape
    }

    private mutating func event(
        in envelope: Envelope,
        _ entry: Span<UInt8>
    ) throws(EntryError) -> Event {
        guard let type = type(named: entry.extracting(envelope.type)) else {
            let name = [UInt8](copying: entry.extracting(envelope.type))
            throw .unknownType(String(decoding: name, as: UTF8.self))
        }
        if case .read(let event) = envelope.data, type.hasShape(as: envelope.shape) { return event }
        var cursor = EntryCursor(at: envelope.dataStart)
        guard case .object(let data) = try cursor.json(entry) else {
            throw .badMember(type, "data")
        }
        guard type.hasShape(as: envelope.shape) else {
            throw .unknownShape(type, envelope.shape)
        }
        return try Event(type, data: data)
    }

    private mutating func envelope(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Envelope {
        let beginning = try beginning(entry, &cursor)
        try cursor.expect(#"","data":"#, entry)
        let dataStart = cursor.index
        let data = try data(entry, &cursor)
        try cursor.expect(#","id":""#, entry)
        let id = try cursor.uuid(entry)
        try cursor.expect("\"", entry)
        let reason = try reason(entry, &cursor)
        try cursor.expect(#","recordedAt":""#, entry)
        let recordedAt = try instant(entry, &cursor)
        try cursor.expect("\"", entry)
        let request = try request(entry, &cursor)
        try cursor.expect(#","revision":"#, entry)
        guard let revision = Revision(rawValue: try cursor.count(entry)), revision > .none else {
            throw cursor.malformed(needed: "a revision")
        }
        try cursor.expect(#","shape":"#, entry)
        let shape = try cursor.count(entry)
        try cursor.expect(#","stream":""#, entry)
        let stream = try stream(entry, &cursor)
        try cursor.expect(#"","type":""#, entry)
        let type = try cursor.name(entry)
        try cursor.expect(#""}"#, entry)
        try cursor.expectEnd(entry)
        return Envelope(
            id: id,
            stream: stream,
            revision: revision,
            recordedAt: recordedAt,
            command: CommandID(beginning.command),
            origin: Origin(
                actor: beginning.actor,
                authentication: beginning.authentication,
                request: request,
                correlation: beginning.correlation,
                causation: beginning.causation,
                reason: reason
            ),
            type: type,
            shape: shape,
            dataStart: dataStart,
            data: data
        )
    }

    private mutating func beginning(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Beginning {
        try cursor.expect(#"{"actor":""#, entry)
        let actor = try actor(entry, &cursor)
        try cursor.expect(#"","authentication":""#, entry)
        let authentication = try authentication(entry, &cursor)
        try cursor.expect("\"", entry)
        var causation: UUID?
        if cursor.skip(#","causation":""#, entry) {
            causation = try cursor.uuid(entry)
            try cursor.expect("\"", entry)
        }
        try cursor.expect(#","command":""#, entry)
        let command = try cursor.uuid(entry)
        try cursor.expect(#"","correlation":""#, entry)
        let correlation = try cursor.uuid(entry)
        return Beginning(
            actor: actor,
            authentication: authentication,
            causation: causation,
            command: command,
            correlation: correlation
        )
    }

    /// The type stands behind the data that it explains, at the end of the entry.
    private mutating func data(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> EntryData {
        let start = cursor
        if let range = typeRange(entry), let type = type(named: entry.extracting(range)),
            let event = event(type, entry, &cursor)
        {
            return .read(event)
        }
        cursor = start
        _ = try cursor.skipValue(entry)
        return .unread
    }

    private func typeRange(_ entry: Span<UInt8>) -> Range<Int>? {
        let end = entry.count - 2
        var start = end
        while start > 0, entry[start - 1] != UInt8(ascii: "\"") { start -= 1 }
        return start > 0 ? start..<end : nil
    }
}

extension EventType {
    /// Whether what that shape says is said in the same way today.
    fileprivate func hasShape(as shape: Int64) -> Bool {
        switch (self, shape) {
        case (_, Int64(self.shape)): true
        // What later shapes added may be left out.
        case (.rolledBack, 1...2), (.appSettingsChanged, 1), (.policyChanged, 1...5),
            (.defaultPolicyChanged, 1...5), (.changeApproved, 1),
            (.appRegistered, 1...2), (.operationsAdded, 1...3), (.releaseRegistered, 1),
            (.releaseAmended, 1), (.offersReplaced, 1), (.webhookRegistered, 1):
            true
        default: false
        }
    }
}

private struct Beginning {
    let actor: PrincipalID
    let authentication: Authentication
    let causation: UUID?
    let command: UUID
    let correlation: UUID
}

/// What an event says, if it could be read straight from the bytes.
private enum EntryData {
    case read(Event)
    case unread
}

/// All members of an entry.
private struct Envelope {
    let id: UUID
    let stream: StreamName
    let revision: Revision
    let recordedAt: Instant
    let command: CommandID
    let origin: Origin
    let type: Range<Int>
    let shape: Int64
    let dataStart: Int
    let data: EntryData
}
