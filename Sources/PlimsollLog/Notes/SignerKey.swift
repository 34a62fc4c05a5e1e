import Crypto

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
