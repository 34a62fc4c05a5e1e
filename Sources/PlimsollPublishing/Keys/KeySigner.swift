package import Crypto
package import PlimsollDocuments
package import PlimsollDomain

/// What signs with one content key, wherever its private half is kept.
package protocol KeySigner: Sendable {
    var keyID: KeyID { get }

    /// Signs each of the digests; the signatures come in their order.
    func sign(_ digests: [SHA256Digest]) async throws(SignerFailure) -> [KeySignature]
}

/// Why nothing was signed; whoever has something to publish asks again.
///
/// The reasons are phrases that are the same each time the same thing happens.
package enum SignerFailure: Error, Hashable, Sendable {
    /// It cannot be reached, or is too busy.
    case away(String)
    /// It was reached, and will not sign.
    case refused(String)
    /// What it answered is no signature of this key over this digest.
    case wrong
}

extension SignerFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .away(let reason): "the signer is away (\(reason))"
        case .refused(let reason): "the signer refuses (\(reason))"
        case .wrong: "what it signed is not confirmed by the public key"
        }
    }
}

/// A private key that this process holds itself.
package struct LocalSigner: KeySigner {
    private let signer: ContentSigner

    package init(_ signer: ContentSigner) {
        self.signer = signer
    }

    package var keyID: KeyID { signer.keyID }

    package func sign(_ digests: [SHA256Digest]) async throws(SignerFailure) -> [KeySignature] {
        var signatures: [KeySignature] = []
        for digest in digests {
            do {
                signatures.append(try signer.signature(over: digest))
            } catch {
                throw .wrong
            }
        }
        return signatures
    }
}
