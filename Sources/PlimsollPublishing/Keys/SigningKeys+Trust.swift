import Crypto
package import PlimsollDocuments
import PlimsollDomain
package import PlimsollSystem

extension SigningKeys {
    /// The public halves of the keys that this instance signs with, and the files that are none.
    ///
    /// An edge that starts while the database is away trusts these: they are this instance's own.
    /// Those that were published as compromised it does not.
    package func publicHalves(
        published: PublishedKeys? = nil
    ) throws(FileError) -> (keys: TrustedKeys, unusable: [Path]) {
        guard try folder.isFolder() else { return (TrustedKeys([]), []) }
        var keys: [TrustedKeys.Key] = []
        var unusable: [Path] = []
        for name in try folder.entries() {
            guard let app = AppSlug(name), try (folder / name).isFolder() else { continue }
            for file in try (folder / name).entries() {
                guard let kind = KeyFileKind(file) else { continue }
                let path = folder / name / file
                if let key = publicHalf(in: path, kind, of: app) {
                    keys.append(key)
                } else {
                    unusable.append(path)
                }
            }
        }
        let revoked = published.map { TrustedKeys($0).revoked } ?? []
        return (TrustedKeys(keys, revoked: revoked), unusable)
    }

    /// What is wrong with a file matters to who signs with it; here it is just not trusted.
    private func publicHalf(
        in path: Path,
        _ kind: KeyFileKind,
        of app: AppSlug
    ) -> TrustedKeys.Key? {
        guard
            let id = kind.id, let bytes = try? path.readSecret(sizeMaximum: Self.fileSizeMaximum),
            let publicKey = kind.publicKey(in: bytes)
        else { return nil }
        return TrustedKeys.Key(id: id, app: app, publicKey: publicKey)
    }
}

/// A file that a key is in, or the note where it is.
private enum KeyFileKind {
    case pem(String)
    case note(String)

    init?(_ name: String) {
        if name.hasSuffix(".pem") {
            self = .pem(String(name.dropLast(4)))
        } else if name.hasSuffix(".place") {
            self = .note(String(name.dropLast(6)))
        } else {
            return nil
        }
    }

    /// What the file is named after; `nil` where that is no key.
    var id: KeyID? {
        switch self {
        case .pem(let name), .note(let name): KeyID(name)
        }
    }

    func publicKey(in bytes: [UInt8]) -> PublicKey? {
        switch self {
        case .pem:
            P256.Signing.PrivateKey(pem: String(decoding: bytes, as: UTF8.self))
                .map { PublicKey($0.publicKey) }
        case .note: (try? KeyNote(parsing: bytes)).flatMap { PublicKey(der: $0.publicKey) }
        }
    }
}
