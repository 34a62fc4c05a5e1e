package import PlimsollDomain

extension Manifest {
    /// Of signatures of one file, the one that stands at the addresses that name no key.
    package func leading(of signatures: [DistributionSignature]) -> DistributionSignature? {
        signatures.first { $0.keyID == leadingKey } ?? signatures.first
    }

    /// The keys that have signed a file.
    package var signers: Set<KeyID> {
        Set(files.flatMap { $0.signatures.map(\.keyID) })
    }
}
