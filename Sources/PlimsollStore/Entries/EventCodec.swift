import FoundationEssentials
package import PlimsollDomain
import PlimsollJSON

/// Turns events into the bytes that are hashed and kept for ever, and back.
///
/// An entry is canonical JSON: an object of the envelope's members and `data`. The position is not
/// in it, because the tree says where the entry stands.
package enum EventCodec {
    /// An entry bundle of the published tiles writes the length in two bytes.
    package static let sizeMaximum = 65_535

    /// Writes an event out, with the authenticator that the key makes, if one is given.
    package static func encode(
        _ recorded: RecordedEvent,
        with key: EntryKey? = nil
    ) throws(EntryError) -> [UInt8] {
        let told = recorded.event.told
        let origin = recorded.origin
        var writer = CanonicalWriter(capacity: 1024)
        // In the order of the names.
        writer.literal(#"{"actor":"#)
        writer.string(origin.actor.text)
        writer.literal(#","authentication":"#)
        writer.string(origin.authentication.text)
        let authenticatorPlace = writer.bytes.count
        if let causation = origin.causation { writer.member(#","causation":"#, causation) }
        writer.member(#","command":"#, recorded.command.uuid)
        writer.member(#","correlation":"#, origin.correlation)
        writer.literal(#","data":"#)
        writer.value(.object(told.data(.stored)))
        writer.member(#","id":"#, recorded.id)
        if let reason = origin.reason {
            writer.literal(#","reason":"#)
            writer.string(reason.text)
        }
        writer.literal(#","recordedAt":"#)
        writer.string(recorded.recordedAt.rfc3339)
        if let request = origin.request {
            writer.literal(#","request":"#)
            writer.string(request)
        }
        writer.literal(#","revision":"#)
        writer.integer(recorded.revision.rawValue)
        writer.literal(#","shape":"#)
        writer.integer(Int64(told.shape))
        writer.literal(#","stream":"#)
        writer.string(recorded.stream.text)
        writer.literal(#","type":"#)
        writer.string(told.type.rawValue)
        writer.literal("}")
        var bytes = writer.bytes
        if let key { bytes.insert(contentsOf: key.member(of: bytes), at: authenticatorPlace) }
        guard bytes.count <= sizeMaximum else { throw .tooLarge(bytes: bytes.count) }
        return bytes
    }

    /// Reads one entry; for many, keep an ``EventDecoder``, which remembers what repeats.
    package static func decode(
        _ entry: [UInt8],
        at position: Position
    ) throws(EntryError) -> RecordedEvent {
        var decoder = EventDecoder()
        return try decoder.decode(entry.span, at: position)
    }
}

extension CanonicalWriter {
    fileprivate mutating func member(_ name: String, _ id: UUID) {
        literal(name)
        literal("\"")
        literal(id.text)
        literal("\"")
    }
}

extension Authentication {
    /// `service`, or `token/` and the token's id.
    package var text: String {
        switch self {
        case .service: "service"
        case .token(let id): "token/\(id)"
        }
    }

    /// Reads what ``text`` gives.
    package init?(_ text: String) {
        if text == "service" {
            self = .service
        } else if text.hasPrefix("token/"), let id = TokenID(String(text.dropFirst(6))) {
            self = .token(id)
        } else {
            return nil
        }
    }
}

/// Why the bytes of an entry are not an event that this service knows.
///
/// Whoever meets one stops: what cannot be read cannot be left out either.
package enum EntryError: Error, Equatable, Sendable {
    /// Longer than an entry bundle can say.
    case tooLarge(bytes: Int)
    /// The bytes are not in the one form in which entries are written.
    case malformed(offset: Int, needed: String)
    /// A type of a newer program, or of none.
    case unknownType(String)
    /// A shape of a newer program.
    case unknownShape(EventType, Int64)
    /// A member of the event's data is missing or has no value that makes sense.
    case badMember(EventType, String)
    /// The event's data has members that do not belong to it.
    case strangeMembers(EventType, [String])
    /// What was written is read as something else.
    case unfaithful(EventType)
    /// The event stands in a stream of another kind.
    case strangeStream(EventType, String)
}

extension EntryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let bytes):
            "The entry has \(bytes) bytes; at most \(EventCodec.sizeMaximum) are allowed."
        case .malformed(let offset, let needed):
            "The entry is malformed at byte \(offset), where \(needed) is needed."
        case .unknownType(let name):
            "The entry's type is \(name), which this version of Plimsoll does not know."
        case .unknownShape(let type, let shape):
            "The entry is a \(type.rawValue) of shape \(shape); this version of Plimsoll knows"
                + " shapes up to \(type.shape)."
        case .badMember(let type, let name):
            "The member \(name) of a \(type.rawValue) is missing or makes no sense."
        case .strangeMembers(let type, let names):
            "A \(type.rawValue) has members that do not belong to it:"
                + " \(names.joined(separator: ", "))."
        case .unfaithful(let type):
            "The \(type.rawValue) would not be read as it was written, so it is not written."
        case .strangeStream(let type, let stream):
            "A \(type.rawValue) stands in the stream \(stream), where none belongs."
        }
    }
}
