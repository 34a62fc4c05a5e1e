/// A body whose signature was checked with a trusted key; nothing else makes one.
package struct VerifiedDocument: Equatable, Sendable {
    package let body: [UInt8]
    package let signature: DistributionSignature

    init(body: [UInt8], signature: DistributionSignature) {
        self.body = body
        self.signature = signature
    }
}
