import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain

/// A key as one is made while the service runs.
struct OtherKey {
    let id = KeyID(UUID())
    let privateKey = P256.Signing.PrivateKey()

    var signer: ContentSigner { ContentSigner(keyID: id, privateKey: privateKey) }
    var publicKey: PublicKey { PublicKey(privateKey.publicKey) }

    func trusted(for app: AppSlug? = nil) -> TrustedKeys.Key {
        .init(id: id, app: app, publicKey: publicKey)
    }
}
