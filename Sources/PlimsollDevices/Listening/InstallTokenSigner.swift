package import PlimsollDomain
package import PlimsollMarketplace

/// Makes the tokens that let a device install what it is offered, in compact form.
package protocol InstallTokenSigner: Sendable {
    /// Whether somebody else has to be asked for the tokens of a marketplace.
    func asksOthers(for marketplace: AppleItemID, at now: Instant) -> Bool

    /// A new token for each part, in their order; `nil` where somebody else has to be asked.
    func tokensAtOnce(_ order: TokenOrder) throws -> [[UInt8]]?

    /// The same, whoever has to be asked.
    func tokens(_ order: TokenOrder) async throws -> [[UInt8]]
}

/// The tokens of one answer.
package struct TokenOrder: Sendable {
    package let parts: [Part]
    package let marketplace: AppleItemID
    package let now: Instant

    /// What one token is for.
    package struct Part: Sendable {
        package let offer: PackageOffer
        package let downloadType: DownloadType

        init(_ offer: PackageOffer, _ downloadType: DownloadType) {
            (self.offer, self.downloadType) = (offer, downloadType)
        }

        init(_ offer: PackageOffer, isRedownload: Bool) {
            self.init(offer, isRedownload ? .redownload : .download)
        }
    }

    init(_ parts: [Part], marketplace: AppleItemID, now: Instant) {
        (self.parts, self.marketplace, self.now) = (parts, marketplace, now)
    }
}

/// Whether a device installs an app for the first time, as tokens write it.
package enum DownloadType: String, CaseIterable, Sendable {
    case download
    case redownload
}
