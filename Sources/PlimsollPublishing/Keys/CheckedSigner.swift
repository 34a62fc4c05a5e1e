package import Crypto
import Metrics
package import PlimsollDocuments
package import PlimsollDomain

/// A signer and the public half of its key, which everything it signs is held against.
///
/// A snapshot has its number for ever, so what nobody would believe must not be written under it.
package struct CheckedSigner: Sendable {
    private let signer: any KeySigner
    private let publicKey: PublicKey

    package init(_ signer: any KeySigner, publicKey: PublicKey) {
        self.signer = signer
        self.publicKey = publicKey
    }

    package var keyID: KeyID { signer.keyID }

    /// Signs each of the digests, in their order.
    package func sign(_ digests: [SHA256Digest]) async throws(SignerFailure) -> [KeySignature] {
        guard !digests.isEmpty else { return [] }
        let start = ContinuousClock.now
        let signatures: [KeySignature]
        do throws(SignerFailure) {
            signatures = try await signer.sign(digests)
            guard isWhole(signatures, over: digests) else { throw .wrong }
        } catch {
            Self.countFailure(of: keyID)
            throw error
        }
        Timer(label: "plimsoll.signer.duration", dimensions: [("key", keyID.text)])
            .record(duration: .now - start)
        return signatures
    }

    /// Counts a try in which nothing was signed with the key.
    static func countFailure(of key: KeyID) {
        Counter(label: "plimsoll.signer.failures", dimensions: [("key", key.text)]).increment()
    }

    private func isWhole(_ signatures: [KeySignature], over digests: [SHA256Digest]) -> Bool {
        signatures.count == digests.count
            && concurrently(digests.indices) { place in
                signatures[place].keyID == keyID
                    && publicKey.accepts(signatures[place], over: digests[place])
            }.allSatisfy(\.self)
    }
}

extension CheckedSigner {
    /// Signs words for trial that nobody could take for a document or a manifest.
    package func prove() async throws(SigningKeyError) {
        let digest = SHA256.hash(data: Array("plimsoll-trial/v1\n\(keyID)\n".utf8))
        do throws(SignerFailure) {
            _ = try await sign([digest])
        } catch {
            throw .keptElsewhere(keyID, reason: "\(error)")
        }
    }
}
