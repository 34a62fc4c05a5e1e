package import Crypto
import Metrics
package import PlimsollDocuments
package import PlimsollDomain
package import PlimsollSystem

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

/// Why a private key cannot be used or made.
package enum SigningKeyError: Error, Equatable, Sendable {
    /// This instance does not have it; another one may.
    case missing(KeyID, Path)
    /// Somebody else could have read it, so what it signs proves nothing.
    case readableByOthers(KeyID, FileError)
    case unreadable(KeyID, FileError)
    /// The file is no P-256 private key in PEM.
    case malformed(KeyID, Path)
    /// The file holds another key than the log says.
    case mismatch(KeyID, Path)
    /// It is in no file of its own, and not to be had where it is; the reason is a phrase that
    /// stays the same.
    case keptElsewhere(KeyID, reason: String)
    case notMade(AppSlug, FileError)
}

extension SigningKeyError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing(let id, let path):
            "the private key \(id) is not at \(path); restore it from its backup, or export "
                + "from the instance that has it"
        case .readableByOthers(let id, let error):
            "the private key \(id) is not used: \(error)"
        case .unreadable(let id, let error): "the private key \(id) cannot be read: \(error)"
        case .malformed(let id, let path):
            "the private key \(id) at \(path) is not a P-256 key in PEM"
        case .mismatch(let id, let path):
            "the file \(path) holds another key than the log knows as \(id)"
        case .keptElsewhere(let id, let reason):
            "the private key \(id) cannot be used: \(reason)"
        case .notMade(let app, let error): "no key could be made for \(app): \(error)"
        }
    }
}
