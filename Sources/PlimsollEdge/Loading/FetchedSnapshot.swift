package import PlimsollDocuments
package import PlimsollDomain

/// A snapshot as it came from afar: bytes that nobody has checked.
package struct FetchedSnapshot: Sendable {
    package let app: AppSlug
    package let manifest: [UInt8]
    package let signatures: [UInt8]
    package let bodies: [FileName: [UInt8]]

    package init(
        of app: AppSlug,
        manifest: [UInt8],
        signatures: [UInt8],
        bodies: [FileName: [UInt8]]
    ) {
        self.app = app
        self.manifest = manifest
        self.signatures = signatures
        self.bodies = bodies
    }

    func verified(by keys: TrustedKeys) throws(LoadRefusal) -> VerifiedSnapshot {
        do throws(VerificationRefusal) {
            return try Manifest.verify(
                manifest,
                signatures: signatures,
                keys: keys,
                expectedApp: app
            ).get().verify(bodies).get()
        } catch {
            throw .untrusted(error)
        }
    }
}
