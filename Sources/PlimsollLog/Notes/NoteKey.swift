import Crypto

/// What a key that signs notes is called; a log's key is called as its origin.
///
/// Two names are equal only if all their bytes are.
package struct KeyName: Hashable, Sendable {
    private let exact: ExactText

    /// Takes a name; it is not empty and has no spaces, no plus sign and no control characters.
    package init?(_ text: String) {
        guard !text.isEmpty, text.unicodeScalars.allSatisfy(Self.isAllowed) else { return nil }
        exact = ExactText(text)
    }

    package var text: String { exact.text }

    var bytes: [UInt8] { exact.bytes }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar != "+" && !scalar.properties.isWhitespace
    }
}

extension KeyName: CustomStringConvertible {
    package var description: String { text }
}

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

/// Four bytes that, with the name, tell which key a line of a note is by.
///
/// They are an index, not a proof: anybody can make another key with the same four.
package struct NoteKeyID: Hashable, Sendable {
    package let value: UInt32

    package init(_ value: UInt32) {
        self.value = value
    }

    /// The beginning of SHA-256 over name, newline, kind and public key.
    init(name: KeyName, kind: NoteKeyKind, publicKey: [UInt8]) {
        let named = name.bytes + [LineReader.newline, kind.rawValue] + publicKey
        self.init(bytes: Array(SHA256.hash(data: named)).prefix(4))
    }

    init(bytes: some Sequence<UInt8>) {
        value = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    var bytes: [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

extension NoteKeyID: CustomStringConvertible {
    /// 8 lower-case hexadecimal digits.
    package var description: String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// What a key signs, as the byte in its encoded form says it.
package enum NoteKeyKind: UInt8, Hashable, Sendable {
    /// Ed25519 over the text of any note.
    case note = 0x01
    /// Ed25519 over the text of a checkpoint and the time at which it was seen.
    case cosignature = 0x04
}

/// The public half of a key: `name+<8 hexadecimal digits>+<base64 of kind and key>`.
///
/// It has to come from somewhere that is trusted; the four bytes of its id prove nothing.
package struct VerifierKey: Hashable, Sendable {
    package let name: KeyName
    package let kind: NoteKeyKind
    /// The 32 bytes of RFC 8032.
    package let publicKey: [UInt8]
    package let id: NoteKeyID

    package static let publicKeyByteCount = 32

    /// Takes a public key of 32 bytes; another number of bytes is none.
    package init?(name: KeyName, kind: NoteKeyKind, publicKey: [UInt8]) {
        guard publicKey.count == Self.publicKeyByteCount else { return nil }
        self.name = name
        self.kind = kind
        self.publicKey = publicKey
        id = NoteKeyID(name: name, kind: kind, publicKey: publicKey)
    }

    /// Reads the text; the id in it has to be that of the key.
    package init(parsing text: String) throws(KeyTextError) {
        let parts = try KeyText(text)
        guard
            let key = VerifierKey(name: parts.name, kind: parts.kind, publicKey: parts.material)
        else { throw .malformed }
        guard key.id == parts.id else { throw .wrongID(needed: key.id) }
        self = key
    }

    package var text: String {
        KeyText(name: name, id: id, kind: kind, material: publicKey).text
    }

    /// Whether a line of a note claims to be by this key.
    func made(_ signature: NoteSignature) -> Bool {
        signature.name == name && signature.keyID == id
    }

    /// What the line says if the key signed it; the text may be any, the line hostile.
    func verify(_ signature: [UInt8], over text: [UInt8]) -> VerifiedSignature? {
        switch kind {
        case .note:
            return accepts(signature[...], over: text) ? VerifiedSignature(key: self) : nil
        case .cosignature:
            guard let stamp = CosignatureStamp(signature) else { return nil }
            let message = CosignatureStamp.message(over: text, posixSeconds: stamp.posixSeconds)
            guard accepts(stamp.signature, over: message) else { return nil }
            return VerifiedSignature(key: self, posixSeconds: stamp.posixSeconds)
        }
    }

    private func accepts(_ signature: ArraySlice<UInt8>, over message: [UInt8]) -> Bool {
        guard signature.count == 64 else { return false }
        // Only the number of bytes is checked here, and that was done.
        let key = try? Curve25519.Signing.PublicKey(rawRepresentation: publicKey)
        return key?.isValidSignature(Array(signature), for: message) ?? false
    }
}

extension VerifierKey: CustomStringConvertible {
    package var description: String { text }
}

/// The private half of a key: what a log signs its checkpoints with, or a witness cosigns them.
///
/// Nothing prints it by accident: its description is that of the public half.
package struct SignerKey: Sendable {
    private let privateKey: Curve25519.Signing.PrivateKey
    package let verifierKey: VerifierKey

    private static let prefix = "PRIVATE+KEY+"

    /// Makes a new key from the system's randomness.
    package init(name: KeyName, kind: NoteKeyKind) {
        self.init(name: name, kind: kind, privateKey: Curve25519.Signing.PrivateKey())
    }

    /// Takes the seed of 32 bytes; another number of bytes is none.
    package init?(name: KeyName, kind: NoteKeyKind, seed: [UInt8]) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
            return nil
        }
        self.init(name: name, kind: kind, privateKey: key)
    }

    private init(name: KeyName, kind: NoteKeyKind, privateKey: Curve25519.Signing.PrivateKey) {
        let publicKey = Array(privateKey.publicKey.rawRepresentation)
        guard let verifierKey = VerifierKey(name: name, kind: kind, publicKey: publicKey) else {
            preconditionFailure("a public key of Ed25519 has 32 bytes")
        }
        self.privateKey = privateKey
        self.verifierKey = verifierKey
    }

    /// Reads ``secretText``, a newline at its end allowed; the id has to be that of the key.
    package init(parsing text: String) throws(KeyTextError) {
        let line = text.utf8.last == LineReader.newline ? text.dropLast() : text[...]
        guard line.utf8.starts(with: Self.prefix.utf8) else { throw .malformed }
        let parts = try KeyText(String(line.dropFirst(Self.prefix.count)))
        guard
            let key = SignerKey(name: parts.name, kind: parts.kind, seed: parts.material)
        else { throw .malformed }
        let needed = key.verifierKey.id
        guard needed == parts.id else { throw .wrongID(needed: needed) }
        self = key
    }

    /// The key as Go's tools keep it, `PRIVATE+KEY+name+<id>+<base64 of kind and seed>`.
    package var secretText: String {
        let (name, id, kind) = (verifierKey.name, verifierKey.id, verifierKey.kind)
        let seed = Array(privateKey.rawRepresentation)
        return Self.prefix + KeyText(name: name, id: id, kind: kind, material: seed).text
    }

    func line(signature: [UInt8]) -> NoteSignature {
        NoteSignature(name: verifierKey.name, keyID: verifierKey.id, signature: signature)
    }

    func sign(_ message: [UInt8]) throws(SigningFailure) -> [UInt8] {
        do {
            return Array(try privateKey.signature(for: message))
        } catch {
            throw SigningFailure()
        }
    }
}

extension SignerKey: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { verifierKey.description }
    package var debugDescription: String { description }
}

/// The system could not compute a signature.
package struct SigningFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description = "The signature could not be computed; try again."
}
