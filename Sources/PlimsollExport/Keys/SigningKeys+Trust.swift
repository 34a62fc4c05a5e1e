import Crypto
package import PlimsollDocuments
import PlimsollDomain
package import PlimsollFiles

extension SigningKeys {
    /// The public halves of the keys that lie on the disk, and the files that are none.
    ///
    /// An edge that starts while the database is away trusts these: they are this instance's own.
    package func publicHalves() throws(FileError) -> (keys: TrustedKeys, unusable: [Path]) {
        guard try folder.isFolder() else { return (TrustedKeys([]), []) }
        var keys: [TrustedKeys.Key] = []
        var unusable: [Path] = []
        for name in try folder.entries() {
            guard let app = AppSlug(name), try (folder / name).isFolder() else { continue }
            for file in try (folder / name).entries() where file.hasSuffix(".pem") {
                let path = folder / name / file
                if let key = publicHalf(in: path, named: String(file.dropLast(4)), of: app) {
                    keys.append(key)
                } else {
                    unusable.append(path)
                }
            }
        }
        return (TrustedKeys(keys), unusable)
    }

    private func publicHalf(
        in path: Path,
        named name: String,
        of app: AppSlug
    ) -> TrustedKeys.Key? {
        // What is wrong with the file matters to who signs with it; here it is just not trusted.
        guard
            let id = KeyID(name),
            let bytes = try? path.readSecret(sizeMaximum: Self.fileSizeMaximum),
            let key = try? P256.Signing.PrivateKey(
                pemRepresentation: String(decoding: bytes, as: UTF8.self)
            ),
            let publicKey = PublicKey(der: Array(key.publicKey.derRepresentation))
        else { return nil }
        return TrustedKeys.Key(id: id, app: app, publicKey: publicKey)
    }
}
