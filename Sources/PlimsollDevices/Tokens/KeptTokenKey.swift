import Crypto
import PlimsollDomain
import PlimsollPublishing
import Synchronization

/// A key for tokens that never leaves its key service, which is asked for every signature.
///
/// Each signature is held against the public half. After some failures in a row the service is left
/// alone for a while, so that nobody waits for what is away.
final class KeptTokenKey: Sendable {
    private let name: KeyServiceName
    private let connections: KeyServiceConnections
    private let timeout: Duration
    private let state = Mutex(State())

    private struct State {
        var publicKey: P256.Signing.PublicKey?
        var breaker = CircuitBreaker()
        /// Why it failed last, which stays the reason while it is left alone.
        var failure = ""
    }

    /// So many signatures of one answer are asked for at once.
    static let concurrency = 8
    /// For all signatures of an answer; devices are better told to come back than kept waiting.
    static let defaultTimeout: Duration = .seconds(10)
    private static let proofTimeout: Duration = .seconds(5)

    init(_ name: KeyServiceName, _ connections: KeyServiceConnections, within timeout: Duration) {
        (self.name, self.connections, self.timeout) = (name, connections, timeout)
    }

    /// Learns the public half, and whether tokens can be signed with the key; answers whether it is
    /// known now.
    ///
    /// A service that is away is no reason not to begin: phones have nothing to do with it.
    func prove() async throws(TokenKeyError) -> Bool {
        let outcome = await within(Self.proofTimeout) { [self] () -> AmazonFailure? in
            do throws(AmazonFailure) {
                _ = try await publicKey()
                return nil
            } catch {
                return error
            }
        }
        switch outcome {
        case .some(nil): return true
        case .some(.away), nil: return false
        case .some(.refused(let reason)): throw .unreadable(.service(name), reason: reason)
        case .some(.notUnderstood):
            throw .unreadable(.service(name), reason: "it is no key on P-256")
        }
    }

    /// A signature over each, in their order.
    func signatures(
        over digests: [SHA256Digest],
        at now: Instant
    ) async throws(TokenFailure) -> [P256.Signing.ECDSASignature] {
        let known = state.withLock { $0.breaker.admits(at: now) ? nil : $0.failure }
        if let known { throw .keeperFailed(name, known) }
        let outcome = await within(timeout) { [self] in await signed(digests) }
        switch outcome {
        case .success(let signatures)?:
            state.withLock { $0.breaker.succeeded() }
            return signatures
        case .failure(let failure)?: throw failed(failure.description, at: now)
        case nil: throw failed("it takes too long", at: now)
        }
    }

    private func failed(_ reason: String, at now: Instant) -> TokenFailure {
        state.withLock { state in
            state.breaker.failed(at: now)
            state.failure = reason
        }
        return .keeperFailed(name, reason)
    }

    private typealias Signed = Result<[P256.Signing.ECDSASignature], AmazonFailure>

    /// At most ``concurrency`` at a time; the first failure ends all of them.
    private func signed(_ digests: [SHA256Digest]) async -> Signed {
        do {
            let publicKey = try await publicKey()
            let signatures = try await withThrowingTaskGroup(
                of: (Int, P256.Signing.ECDSASignature).self
            ) { tasks in
                var signatures: [Int: P256.Signing.ECDSASignature] = [:]
                for (place, digest) in digests.enumerated() {
                    if place >= Self.concurrency, let (done, signature) = try await tasks.next() {
                        signatures[done] = signature
                    }
                    tasks.addTask(name: "token signature") { [self] in
                        (place, try await signature(over: digest, publicKey))
                    }
                }
                for try await (done, signature) in tasks { signatures[done] = signature }
                return signatures
            }
            return .success(digests.indices.compactMap { signatures[$0] })
        } catch let failure as AmazonFailure {
            return .failure(failure)
        } catch {
            return .failure(.notUnderstood)
        }
    }

    private func signature(
        over digest: SHA256Digest,
        _ publicKey: P256.Signing.PublicKey
    ) async throws(AmazonFailure) -> P256.Signing.ECDSASignature {
        let der = try await connections.sign(Array(digest), with: name)
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: der),
            publicKey.isValidSignature(signature, for: digest)
        else { throw .notUnderstood }
        return signature
    }

    private func publicKey() async throws(AmazonFailure) -> P256.Signing.PublicKey {
        if let known = state.withLock({ $0.publicKey }) { return known }
        let der = try await connections.publicKey(of: name)
        guard let key = try? P256.Signing.PublicKey(derRepresentation: der) else {
            throw .notUnderstood
        }
        state.withLock { $0.publicKey = key }
        return key
    }
}
