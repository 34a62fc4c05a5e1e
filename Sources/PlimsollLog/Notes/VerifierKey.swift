import Crypto

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
