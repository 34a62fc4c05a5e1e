/// The parts of an encoded key, public or private.
struct KeyText {
    let name: KeyName
    let id: NoteKeyID
    let kind: NoteKeyKind
    let material: [UInt8]

    init(name: KeyName, id: NoteKeyID, kind: NoteKeyKind, material: [UInt8]) {
        self.name = name
        self.id = id
        self.kind = kind
        self.material = material
    }

    init(_ text: String) throws(KeyTextError) {
        // Base64 has plus signs of its own, names have none.
        let parts = text.utf8.split(
            separator: UInt8(ascii: "+"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard
            parts.count == 3, let name = String(parts[0]).flatMap(KeyName.init),
            parts[1].count == 8, let id = String(parts[1]).flatMap({ UInt32($0, radix: 16) }),
            let bytes = Base64.decode(parts[2]), let kind = bytes.first
        else { throw .malformed }
        self.name = name
        self.id = NoteKeyID(id)
        guard self.id.description.utf8.elementsEqual(parts[1]) else { throw .malformed }
        guard let kind = NoteKeyKind(rawValue: kind) else { throw .unknownKind(kind) }
        self.kind = kind
        material = Array(bytes.dropFirst())
    }

    var text: String {
        let encoded = Base64.encode([kind.rawValue] + material)
        return "\(name)+\(id)+\(String(decoding: encoded, as: UTF8.self))"
    }
}

/// Why a text is no key; it never says what the text was, which may be a secret.
package enum KeyTextError: Error, Equatable, Sendable {
    case malformed
    /// Signed by an algorithm that this program does not know.
    case unknownKind(UInt8)
    case wrongID(needed: NoteKeyID)
    /// A key for notes stands where one for cosignatures is needed, or the other way round.
    case otherKind(needed: NoteKeyKind)
}

extension KeyTextError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed:
            """
            The key is not a name, 8 lower-case hexadecimal digits and padded base64 of a kind \
            and 32 bytes, with a plus between them.
            """
        case .unknownKind(let kind):
            "The key is of kind \(kind); give an Ed25519 key of kind 1 for notes or 4 for witnesses."
        case .wrongID(let needed):
            "The key's id is not that of its name and bytes, \(needed): a part of it was changed."
        case .otherKind(let needed):
            "The key is of another kind than is needed here, \(needed.rawValue)."
        }
    }
}
