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
