import FoundationEssentials
package import PlimsollDomain
import PlimsollJSON
import PlimsollPostgres
import PlimsollSystem

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
    /// Where the last entry that was read says what it is authenticated with.
    private(set) var authenticator: AuthenticatorPlace?

    package init() {}

    /// Reads the event that stands at a position.
    ///
    /// Refuses an entry that has not the form of ``EventCodec``, is of an unknown type or shape, or
    /// stands in a stream where its type never stands.
    package mutating func decode(
        _ entry: Span<UInt8>,
        at position: Position
    ) throws(EntryError) -> RecordedEvent {
        authenticator = nil
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
        do {
            return try type.declaration.event(data)
        } catch {
            throw EntryError(error, in: type)
        }
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
        authenticator = try authenticator(entry, &cursor)
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

    private func authenticator(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> AuthenticatorPlace? {
        let start = cursor.index
        guard cursor.skip(#","authenticator":""#, entry) else { return nil }
        let text = try cursor.name(entry)
        try cursor.expect("\"", entry)
        return AuthenticatorPlace(member: start..<cursor.index, text: text)
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

/// Where an entry says what it is authenticated with.
struct AuthenticatorPlace: Sendable {
    /// The member with the comma before it: what the authenticator itself does not cover.
    let member: Range<Int>
    /// Its text, without quotes.
    let text: Range<Int>
}

extension EventType {
    /// Whether the data of an event of this type is the operation.
    fileprivate func records(_ operation: Operation) -> Bool {
        switch (operation.edit, self) {
        case (.setValue, .thresholdSet), (.clearThreshold, .thresholdCleared),
            (.setText, .textSet), (.removeText, .textRemoved):
            true
        case (.setValue, _), (.clearThreshold, _), (.setText, _), (.removeText, _),
            (.clearValue, _), (nil, _):
            false
        }
    }

    /// Whether it was ever written in that shape; what later ones added may be left out.
    ///
    /// Every type was in the first, as most events of a log are: nothing is looked up for those.
    fileprivate func hasShape(as shape: Int64) -> Bool {
        shape == 1 || shape > 1 && shape <= Int64(self.shape)
    }
}

extension EntryError {
    fileprivate init(_ fault: DataFault, in type: EventType) {
        self =
            switch fault {
            case .badMember(let name): .badMember(type, name)
            case .strangeMembers(let names): .strangeMembers(type, names)
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

// The data of the events that are many, straight from the bytes: members in the order of their
// names, as ``EventCodec`` writes them, and nothing between them. `nil` is no refusal: it leaves
// the data to the tree.
extension EventDecoder {
    mutating func event(
        _ type: EventType,
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> Event? {
        switch type {
        case .thresholdSet, .thresholdCleared, .textSet, .textRemoved:
            guard let operation = operation(entry, &cursor, .alone), type.records(operation) else {
                return nil
            }
            return .app(AppEvent(operation))
        case .renewalOrdered: return cursor.skip("{}", entry) ? .app(.renewalOrdered) : nil
        case .changeProposed: return proposal(entry, &cursor).map(Event.change)
        case .operationsAdded:
            return operations(entry, &cursor).map { .change(.operationsAdded($0)) }
        case .changeApproved:
            return digestAlone(entry, &cursor)
                .map { .change(.changeApproved(digest: $0, comment: nil)) }
        case .changeRejected:
            return digestAlone(entry, &cursor).map { .change(.changeRejected(digest: $0)) }
        case .changeApplied: return application(entry, &cursor).map(Event.change)
        case .changeWithdrawn: return cursor.skip("{}", entry) ? .change(.changeWithdrawn) : nil
        case .snapshotPublished:
            return publication(entry, &cursor).map { .export(.snapshotPublished($0)) }
        case .publicationFailed: return failure(entry, &cursor).map(Event.export)
        // All others are few, and read as they are declared.
        default: return nil
        }
    }

    private mutating func digestAlone(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ChangeDigest? {
        guard cursor.skip(#"{"digest":""#, entry), let digest = digest(entry, &cursor),
            cursor.skip(#""}"#, entry)
        else { return nil }
        return digest
    }

    private mutating func application(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ChangeEvent? {
        guard cursor.skip(#"{"app":""#, entry), let app = app(entry, &cursor),
            cursor.skip(#"","digest":""#, entry), let digest = digest(entry, &cursor),
            cursor.skip(#""}"#, entry)
        else { return nil }
        return .changeApplied(app: app, digest: digest)
    }

    private mutating func proposal(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ChangeEvent? {
        guard cursor.skip(#"{"app":""#, entry), let app = app(entry, &cursor),
            cursor.skip(#"","base":"#, entry), let number = try? cursor.count(entry),
            let base = Position(rawValue: number), cursor.skip(#","title":""#, entry),
            let text = cursor.content(entry), cursor.skip(#""}"#, entry),
            let title = try? Title(validating: text)
        else { return nil }
        return .changeProposed(app: app, title: title, base: base)
    }

    private mutating func publication(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> PublicationRecord? {
        guard cursor.skip(#"{"keys":["#, entry) else { return nil }
        var keys: [KeyID] = []
        while !cursor.skip("]", entry) {
            guard keys.isEmpty || cursor.skip(",", entry), cursor.skip("\"", entry),
                let key = key(entry, &cursor), cursor.skip("\"", entry)
            else { return nil }
            keys.append(key)
        }
        guard cursor.skip(#","manifestDigest":""#, entry), let digest = cursor.content(entry),
            cursor.skip(#"","position":"#, entry), let number = try? cursor.count(entry),
            let position = Position(rawValue: number), let sequence = sequence(entry, &cursor)
        else { return nil }
        return PublicationRecord(
            sequence: sequence,
            position: position,
            manifestDigest: digest,
            keys: keys
        )
    }

    private func failure(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> ExportEvent? {
        guard cursor.skip(#"{"cause":""#, entry), let cause = cursor.content(entry),
            cursor.skip("\"", entry), let sequence = sequence(entry, &cursor)
        else { return nil }
        return .publicationFailed(sequence: sequence, cause: cause)
    }

    private func sequence(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> SnapshotSequence? {
        guard cursor.skip(#","sequence":"#, entry), let number = try? cursor.count(entry),
            cursor.skip("}", entry)
        else { return nil }
        return SnapshotSequence(rawValue: number)
    }

    private mutating func app(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> AppSlug? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.apps.value(of: name) { AppSlug(String(copying: name)) }
    }

    private mutating func key(_ entry: Span<UInt8>, _ cursor: inout EntryCursor) -> KeyID? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.keys.value(of: name) { KeyID(String(copying: name)) }
    }

    private mutating func digest(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) -> ChangeDigest? {
        guard let range = try? cursor.name(entry) else { return nil }
        let name = entry.extracting(range)
        return names.digests.value(of: name) { ChangeDigest(hex: String(copying: name)) }
    }
}
