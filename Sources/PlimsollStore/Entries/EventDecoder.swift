import FoundationEssentials
package import PlimsollDomain
import PlimsollJSON

/// Reads entries one after another, fast, and remembers names that repeat.
package struct EventDecoder: Sendable {
    private var actors = Memo<PrincipalID>()
    private var authentications = Memo<Authentication>()
    private var days = Memo<Int64>()
    private var reasons = Memo<Reason>()
    private var streams = Memo<StreamName>()

    package init() {}

    package mutating func decode(
        _ entry: Span<UInt8>,
        at position: Position
    ) throws(EntryError) -> RecordedEvent {
        var cursor = EntryCursor()
        let envelope = try envelope(entry, &cursor)
        guard let type = EventType.named(envelope.type) else {
            throw .unknownType(envelope.type)
        }
        guard case .object(let data) = try cursor.parse(entry, envelope.data) else {
            throw .badMember(type, "data")
        }
        let event = try Event(type, data: try upcast(data, type, from: envelope.shape))
        guard event.belongs(in: envelope.stream) else {
            throw .strangeStream(type, envelope.stream.text)
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

    private mutating func envelope(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Envelope {
        let origin = try beginning(entry, &cursor)
        try cursor.expect(Literal.data, entry)
        let data = try cursor.skipValue(entry)
        try cursor.expect(Literal.id, entry)
        let id = try cursor.uuid(entry)
        try cursor.expect(Literal.quote, entry)
        let reason = try reason(entry, &cursor)
        try cursor.expect(Literal.recordedAt, entry)
        let recordedAt = try instant(entry, &cursor)
        try cursor.expect(Literal.quote, entry)
        let request = cursor.skip(Literal.request, entry) ? try cursor.text(entry) : nil
        try cursor.expect(Literal.revision, entry)
        guard let revision = Revision(rawValue: try cursor.count(entry)), revision > .none else {
            throw cursor.malformed(needed: "a revision")
        }
        try cursor.expect(Literal.shape, entry)
        let shape = try cursor.count(entry)
        try cursor.expect(Literal.stream, entry)
        let stream = try stream(entry, &cursor)
        try cursor.expect(Literal.type, entry)
        let type = try cursor.name(entry)
        try cursor.expect(Literal.end, entry)
        try cursor.expectEnd(entry)
        return Envelope(
            id: id,
            stream: stream,
            revision: revision,
            recordedAt: recordedAt,
            command: CommandID(origin.command),
            origin: Origin(
                actor: origin.actor,
                authentication: origin.authentication,
                request: request,
                correlation: origin.correlation,
                causation: origin.causation,
                reason: reason
            ),
            type: String(decoding: [UInt8](copying: entry.extracting(type)), as: UTF8.self),
            shape: shape,
            data: data
        )
    }

    private mutating func beginning(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Beginning {
        try cursor.expect(Literal.actor, entry)
        let start = cursor
        let actor = try actors.value(of: entry.extracting(try cursor.name(entry))) {
            name throws(EntryError) in
            guard let id = PrincipalID(name) else { throw start.malformed(needed: "a principal") }
            return id
        }
        try cursor.expect(Literal.authentication, entry)
        let next = cursor
        let authentication = try authentications.value(
            of: entry.extracting(try cursor.name(entry))
        ) { name throws(EntryError) in
            guard let authentication = Authentication(name) else {
                throw next.malformed(needed: "an authentication")
            }
            return authentication
        }
        try cursor.expect(Literal.quote, entry)
        var causation: UUID?
        if cursor.skip(Literal.causation, entry) {
            causation = try cursor.uuid(entry)
            try cursor.expect(Literal.quote, entry)
        }
        try cursor.expect(Literal.command, entry)
        let command = try cursor.uuid(entry)
        try cursor.expect(Literal.correlation, entry)
        let correlation = try cursor.uuid(entry)
        return Beginning(
            actor: actor,
            authentication: authentication,
            causation: causation,
            command: command,
            correlation: correlation
        )
    }

    /// The events of an append have one reason, so it is checked once.
    private mutating func reason(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Reason? {
        guard cursor.skip(Literal.reason, entry) else { return nil }
        let start = cursor
        let written = try cursor.skipValue(entry)
        guard written.upperBound <= entry.count else { throw start.malformed(needed: "a reason") }
        return try reasons.value(of: entry.extracting(written)) { _ throws(EntryError) in
            var cursor = start
            guard let reason = try? Reason(validating: try cursor.text(entry)) else {
                throw start.malformed(needed: "a reason")
            }
            return reason
        }
    }

    private mutating func stream(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> StreamName {
        let start = cursor
        return try streams.value(of: entry.extracting(try cursor.name(entry))) {
            name throws(EntryError) in
            guard let stream = StreamName(name) else { throw start.malformed(needed: "a stream") }
            return stream
        }
    }

    /// `2026-11-21T08:00:00.000Z`: the day is remembered, the rest are digits.
    private mutating func instant(
        _ entry: Span<UInt8>,
        _ cursor: inout EntryCursor
    ) throws(EntryError) -> Instant {
        let start = cursor
        let written = entry.extracting(try cursor.name(entry))
        guard written.count == 24, let time = milliseconds(ofTime: written.extracting(10..<24))
        else { throw start.malformed(needed: "a time in UTC with milliseconds") }
        let day = try days.value(of: written.extracting(0..<10)) { date throws(EntryError) in
            guard let midnight = Instant(rfc3339: "\(date)T00:00:00.000Z") else {
                throw start.malformed(needed: "a date")
            }
            return midnight.millisecondsSince1970
        }
        return Instant(millisecondsSince1970: day + time)
    }
}

/// Brings data that was written in an older shape to the shape of today, step by step.
///
/// Every step is a pure function from one shape to the next. So far no shape has grown.
private func upcast(
    _ data: JSONObject,
    _ type: EventType,
    from shape: Int64
) throws(EntryError) -> JSONObject {
    guard shape == type.shape else { throw .unknownShape(type, shape) }
    return data
}

/// Milliseconds since midnight from `T08:00:00.000Z`, or `nil` where it reads otherwise.
private func milliseconds(ofTime text: Span<UInt8>) -> Int64? {
    var numbers = [0, 0, 0, 0]
    var number = 0
    for (index, mark) in timePattern.enumerated() {
        let byte = text[index]
        if mark == UInt8(ascii: "0") {
            guard (0x30...0x39).contains(byte) else { return nil }
            numbers[number] = numbers[number] * 10 + Int(byte - 0x30)
        } else {
            guard byte == mark else { return nil }
            if index > 0, index < 13 { number += 1 }
        }
    }
    guard numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
    return Int64(((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3])
}

private let timePattern = Array("T00:00:00.000Z".utf8)

private struct Beginning {
    let actor: PrincipalID
    let authentication: Authentication
    let causation: UUID?
    let command: UUID
    let correlation: UUID
}

/// All members of an entry, its data still unread.
private struct Envelope {
    let id: UUID
    let stream: StreamName
    let revision: Revision
    let recordedAt: Instant
    let command: CommandID
    let origin: Origin
    let type: String
    let shape: Int64
    let data: Range<Int>
}

/// What stands between the values, in the order of the members' names.
private enum Literal {
    static let actor = Array(#"{"actor":""#.utf8)
    static let authentication = Array(#"","authentication":""#.utf8)
    static let causation = Array(#","causation":""#.utf8)
    static let command = Array(#","command":""#.utf8)
    static let correlation = Array(#"","correlation":""#.utf8)
    static let data = Array(#"","data":"#.utf8)
    static let id = Array(#","id":""#.utf8)
    static let reason = Array(#","reason":"#.utf8)
    static let recordedAt = Array(#","recordedAt":""#.utf8)
    static let request = Array(#","request":"#.utf8)
    static let revision = Array(#","revision":"#.utf8)
    static let shape = Array(#","shape":"#.utf8)
    static let stream = Array(#","stream":""#.utf8)
    static let type = Array(#"","type":""#.utf8)
    static let end = Array(#""}"#.utf8)
    static let quote = Array(#"""#.utf8)
}
