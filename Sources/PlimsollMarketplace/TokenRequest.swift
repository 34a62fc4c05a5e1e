package import PlimsollDomain
package import PlimsollJSON

/// What the marketplace's own app asks for before it installs another: a token for one version.
///
/// ```json
/// {"appleItemId": "10737747186", "appleVersionId": "878123456789", "redownload": true}
/// ```
///
/// It sees what the device has had, so what it says of that counts.
package struct TokenRequest: Equatable, Sendable {
    package let item: AppleItemID
    package let version: AppleVersionID
    /// `nil` where it does not say.
    package let isRedownload: Bool?

    package static let limits = JSONLimits(sizeMaximum: 1 << 12)

    package init(item: AppleItemID, version: AppleVersionID, isRedownload: Bool? = nil) {
        (self.item, self.version, self.isRedownload) = (item, version, isRedownload)
    }

    /// Reads a body, whatever type it is said to be of.
    package init(parsing bytes: [UInt8]) throws(JSONIssues) {
        var reader = try ObjectReader(parsing: bytes, limits: Self.limits)
        let item = reader.string("appleItemId", needing: AppleItemID.grammar) { AppleItemID($0) }
        let version = reader.string("appleVersionId", needing: AppleVersionID.grammar) {
            AppleVersionID($0)
        }
        let isRedownload = reader.optionalBool("redownload")
        self = try reader.finish {
            guard let item, let version else { return nil }
            return TokenRequest(item: item, version: version, isRedownload: isRedownload)
        }
    }

    /// What is offered of the version, whatever system the device has: it finds that out itself.
    package func answer(in storefront: Storefront) -> Result<PackageOffer, FailureReason> {
        guard let app = storefront[item] else { return .failure(.unlisted) }
        if app.withdrawn.contains(version) { return .failure(.withdrawn) }
        return app.offer(of: version).map(Result.success) ?? .failure(.notOffered)
    }
}

extension FailureReason: Error {}
