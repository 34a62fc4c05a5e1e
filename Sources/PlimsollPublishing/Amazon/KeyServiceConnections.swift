import PlimsollAPI
package import PlimsollDomain
import ServiceLifecycle
import Synchronization

/// Connections to AWS KMS that are kept, for whoever has many signatures made one after another.
///
/// So many questions are under way at once as there are connections, whoever asks them; others wait
/// their turn. Signatures are had only while it runs.
package final class KeyServiceConnections: Service {
    private let service: KeyManagementService
    private let transport = Mutex<Transport?>(nil)

    /// A signature takes some milliseconds, so these make thousands in a second.
    package static let maximum = 32

    package init(_ service: KeyManagementService) {
        self.service = service
    }

    /// Whether signatures are to be had.
    package var areOpen: Bool { transport.withLock { $0 != nil } }

    /// Keeps them until graceful shutdown; what is still asked then ends as a failure.
    package func run() async throws {
        try await KeyManagementService.connected(atMost: Self.maximum) { [self] transport in
            self.transport.withLock { $0 = transport }
            // To be cancelled is to be told to end as well.
            try? await gracefulShutdown()
            self.transport.withLock { $0 = nil }
        }
    }

    /// The public half of a key that can sign: SubjectPublicKeyInfo, DER.
    ///
    /// It needs no connection that is kept.
    package func publicKey(of name: KeyServiceName) async throws(AmazonFailure) -> [UInt8] {
        try await service.publicKey(of: name)
    }

    /// Signs a digest as it is; answers the signature in DER.
    package func sign(
        _ digest: [UInt8],
        with name: KeyServiceName
    ) async throws(AmazonFailure) -> [UInt8] {
        guard let transport = transport.withLock({ $0 }) else {
            throw .away("it is not asked at present")
        }
        return try await service.sign(digest, with: name, over: transport)
    }
}
