import Crypto
import Foundation
import PlimsollDocuments
import PlimsollDomain
import PlimsollPublishing
import Testing

/// What a signer may answer that nobody would believe.
@Suite struct CheckedSignerTests {
    private struct Impostor: KeySigner {
        let keyID: KeyID
        let answer: @Sendable ([SHA256Digest]) throws(SignerFailure) -> [KeySignature]

        func sign(_ digests: [SHA256Digest]) async throws(SignerFailure) -> [KeySignature] {
            try answer(digests)
        }
    }

    private let key = P256.Signing.PrivateKey()
    private let id = KeyID(UUID())
    private let digests = ["one", "two"].map { SHA256.hash(data: Array($0.utf8)) }

    private func checked(
        _ answer: @escaping @Sendable ([SHA256Digest]) throws(SignerFailure) -> [KeySignature]
    ) -> CheckedSigner {
        CheckedSigner(
            Impostor(keyID: id, answer: answer),
            publicKey: PublicKey(key.publicKey)
        )
    }

    @Test func `what the key signed is passed on in its order`() async throws {
        let signer = ContentSigner(keyID: id, privateKey: key)
        let checked = CheckedSigner(LocalSigner(signer), publicKey: PublicKey(key.publicKey))
        let signatures = try await checked.sign(digests)
        #expect(signatures.count == 2)
        for (signature, digest) in zip(signatures, digests) {
            #expect(PublicKey(key.publicKey).accepts(signature, over: digest))
        }
        #expect(try await checked.sign([]) == [])
    }

    @Test func `too few, swapped, foreign or misnamed signatures are refused`() async throws {
        let own = ContentSigner(keyID: id, privateKey: key)
        let good = try digests.map { try own.signature(over: $0) }
        let stranger = ContentSigner(keyID: id, privateKey: P256.Signing.PrivateKey())
        let foreign = try digests.map { try stranger.signature(over: $0) }
        let misnamed = good.compactMap { KeySignature(keyID: KeyID(UUID()), der: $0.der) }
        for bad in [[], [good[0]], [good[1], good[0]], foreign, misnamed, good + [good[0]]] {
            let checked = checked { _ in bad }
            await #expect(throws: SignerFailure.wrong) { try await checked.sign(digests) }
        }
    }

    @Test(arguments: [SignerFailure.away("it does not answer"), .refused("it is disabled")])
    func `why it did not sign is passed on`(failure: SignerFailure) async {
        let checked = checked { _ throws(SignerFailure) in throw failure }
        await #expect(throws: failure) { try await checked.sign(digests) }
    }
}
