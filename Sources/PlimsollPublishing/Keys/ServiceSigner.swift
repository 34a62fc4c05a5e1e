import Crypto
import PlimsollDocuments
import PlimsollDomain

/// A private key that never leaves its key service.
struct ServiceSigner: KeySigner {
    let name: KeyServiceName
    let service: KeyManagementService

    var keyID: KeyID { name.keyID }

    func sign(_ digests: [SHA256Digest]) async throws(SignerFailure) -> [KeySignature] {
        let answers: [[UInt8]]
        do throws(AmazonFailure) {
            answers = try await service.sign(digests.map { Array($0) }, with: name)
        } catch {
            throw SignerFailure(error)
        }
        let signatures = answers.compactMap { KeySignature(keyID: keyID, der: $0) }
        guard signatures.count == digests.count else { throw .wrong }
        return signatures
    }
}

extension SignerFailure {
    fileprivate init(_ failure: AmazonFailure) {
        switch failure {
        case .away(let reason): self = .away(reason)
        case .refused(let reason): self = .refused(reason)
        case .notUnderstood: self = .wrong
        }
    }
}
