package import PlimsollDomain
package import PlimsollMarketplace

/// Makes the tokens that let a device install what it is offered.
package protocol InstallTokenSigner: Sendable {
    /// A new token for one app of one answer, in compact form.
    func token(
        for offer: DeviceAnswer.Offered,
        marketplace: Marketplace,
        downloadType: DownloadType,
        now: Instant
    ) throws -> String
}

/// Whether a device installs an app for the first time, as tokens write it.
package enum DownloadType: String, CaseIterable, Sendable {
    case download
    case redownload
}
