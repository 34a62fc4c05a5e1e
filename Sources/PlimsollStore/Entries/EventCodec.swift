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

    package static func encode(_ recorded: RecordedEvent) throws(EntryError) -> [UInt8] {
        let type = recorded.event.type
        let origin = recorded.origin
        var entry: JSONObject = [
            "actor": .string(origin.actor.text),
            "authentication": .string(origin.authentication.text),
            "command": .string(recorded.command.description),
            "correlation": .string(origin.correlation.text),
            "data": .object(recorded.event.data),
            "id": .string(recorded.id.text),
            "recordedAt": .string(recorded.recordedAt.rfc3339),
            "revision": .integer(recorded.revision.rawValue),
            "shape": .integer(Int64(type.shape)),
            "stream": .string(recorded.stream.text),
            "type": .string(type.rawValue),
        ]
        entry["causation"] = origin.causation.map { .string($0.text) }
        entry["reason"] = origin.reason.map { .string($0.text) }
        entry["request"] = origin.request.map { .string($0) }
        let bytes = entry.canonicalBytes()
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
