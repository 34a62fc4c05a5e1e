/// An alternative marketplace, as the devices that install from it have to find it.
///
/// It belongs to the app that it is: a marketplace is an app of its own.
package struct Marketplace: Codable, Equatable, Sendable {
    package let item: AppleItemID
    /// The domains that are registered for it in App Store Connect.
    package let domains: [DomainName]
    package let endpoints: MarketplaceEndpoints
    /// What of the endpoints is other for one app, in the order in which it was said.
    package let overrides: [ItemOverrides]
    /// Whom a device asks for a token, where not everybody may have the marketplace's own app.
    package let authorization: AuthorizationServer?
    /// Where people read about an app, with `{item}` for its AppleItemID.
    package let landingPage: LandingPage?
    package let audience: MarketplaceAudience

    package init(
        item: AppleItemID,
        domains: [DomainName],
        endpoints: MarketplaceEndpoints,
        overrides: [ItemOverrides] = [],
        authorization: AuthorizationServer? = nil,
        landingPage: LandingPage? = nil,
        audience: MarketplaceAudience = .everybody
    ) {
        self.item = item
        self.domains = domains
        self.endpoints = endpoints
        self.overrides = overrides
        self.authorization = authorization
        self.landingPage = landingPage
        self.audience = audience
    }
}

/// Who may ask what there is to install.
package enum MarketplaceAudience: String, Codable, CaseIterable, Sendable {
    case everybody
    /// Whoever has a token that the marketplace's authorization accepts.
    case bearers
}

/// The addresses that a device asks, as `/.well-known/marketplace-kit` says them.
package struct MarketplaceEndpoints: Codable, Equatable, Sendable {
    package let restore: EndpointURL
    package let updates: EndpointURL
    /// At least so many hours lie between two requests of one device for updates.
    package let pollingInterval: Int64
    package let license: LicenseEndpoints

    package init(
        restore: EndpointURL,
        updates: EndpointURL,
        pollingInterval: Int64,
        license: LicenseEndpoints
    ) {
        self.restore = restore
        self.updates = updates
        self.pollingInterval = pollingInterval
        self.license = license
    }
}

/// The addresses of licences.
package struct LicenseEndpoints: Codable, Equatable, Sendable {
    package let dynamic: EndpointURL
    package let renewal: EndpointURL?
    /// A page for people whose licence has expired.
    package let resolution: EndpointURL?
    package let signingCertificate: EndpointURL
    package let encryptionCertificate: EndpointURL

    package init(
        dynamic: EndpointURL,
        renewal: EndpointURL?,
        resolution: EndpointURL?,
        signingCertificate: EndpointURL,
        encryptionCertificate: EndpointURL
    ) {
        self.dynamic = dynamic
        self.renewal = renewal
        self.resolution = resolution
        self.signingCertificate = signingCertificate
        self.encryptionCertificate = encryptionCertificate
    }
}

extension Marketplace {
    /// The same with its overrides in the order of the AppleItemIDs, as it is kept.
    var inOrder: Marketplace {
        Marketplace(
            item: item,
            domains: domains,
            endpoints: endpoints,
            overrides: overrides.sorted { $0.item < $1.item },
            authorization: authorization,
            landingPage: landingPage,
            audience: audience
        )
    }

    /// Whether it may hand out what lies at an address.
    package func covers(_ address: EndpointURL) -> Bool {
        domains.contains { $0.covers(address.host) }
    }
}

/// What is other for the app that has an AppleItemID.
package struct ItemOverrides: Codable, Equatable, Sendable {
    package let item: AppleItemID
    package let endpoints: EndpointOverrides

    package init(_ item: AppleItemID, _ endpoints: EndpointOverrides) {
        (self.item, self.endpoints) = (item, endpoints)
    }
}

/// What of the endpoints is other for one app; devices are told all of them.
package struct EndpointOverrides: Codable, Equatable, Sendable {
    package let restore: EndpointURL?
    package let updates: EndpointURL?
    package let pollingInterval: Int64?
    package let dynamic: EndpointURL?
    package let renewal: EndpointURL?
    package let resolution: EndpointURL?
    package let signingCertificate: EndpointURL?
    package let encryptionCertificate: EndpointURL?

    package init(
        restore: EndpointURL? = nil,
        updates: EndpointURL? = nil,
        pollingInterval: Int64? = nil,
        dynamic: EndpointURL? = nil,
        renewal: EndpointURL? = nil,
        resolution: EndpointURL? = nil,
        signingCertificate: EndpointURL? = nil,
        encryptionCertificate: EndpointURL? = nil
    ) {
        self.restore = restore
        self.updates = updates
        self.pollingInterval = pollingInterval
        self.dynamic = dynamic
        self.renewal = renewal
        self.resolution = resolution
        self.signingCertificate = signingCertificate
        self.encryptionCertificate = encryptionCertificate
    }
}

extension MarketplaceEndpoints {
    /// All of them, where some are other.
    package func with(_ overrides: EndpointOverrides) -> MarketplaceEndpoints {
        MarketplaceEndpoints(
            restore: overrides.restore ?? restore,
            updates: overrides.updates ?? updates,
            pollingInterval: overrides.pollingInterval ?? pollingInterval,
            license: LicenseEndpoints(
                dynamic: overrides.dynamic ?? license.dynamic,
                renewal: overrides.renewal ?? license.renewal,
                resolution: overrides.resolution ?? license.resolution,
                signingCertificate: overrides.signingCertificate ?? license.signingCertificate,
                encryptionCertificate: overrides.encryptionCertificate
                    ?? license.encryptionCertificate
            )
        )
    }
}

/// Whom a device asks for a token (RFC 8414), as `/.well-known/oauth-authorization-server` says it.
package struct AuthorizationServer: Codable, Equatable, Sendable {
    package let issuer: EndpointURL
    package let authorization: EndpointURL
    package let token: EndpointURL

    package init(issuer: EndpointURL, authorization: EndpointURL, token: EndpointURL) {
        (self.issuer, self.authorization, self.token) = (issuer, authorization, token)
    }
}

/// A domain that is registered for a marketplace, with all that lies under it.
package struct DomainName: Codable, Comparable, TextName {
    package let text: String

    package static let grammar = "a domain such as market.example.com, in small letters"

    package init?(_ text: String) {
        guard text.contains("."), let url = WebhookURL("https://\(text)"), url.host == text,
            url.address == nil
        else { return nil }
        self.text = text
    }

    package func covers(_ host: String) -> Bool {
        host == text || host.hasSuffix(".\(text)")
    }
}

/// An address that devices ask: encrypted, on a host that has a name, with nothing in it that says
/// who asks.
package struct EndpointURL: Codable, TextName {
    package let text: String
    package let host: String

    package static let grammar =
        "an address such as https://market.example.com/restore, with its host in small letters and"
        + " without user, password and fragment"

    package init?(_ text: String) {
        guard let url = WebhookURL(text), url.isEncrypted, url.address == nil else { return nil }
        (self.text, host) = (text, url.host)
    }
}

/// The address of an app's page, with a place for its AppleItemID.
package struct LandingPage: Codable, TextName {
    package let text: String
    package let host: String

    private static let place = "{item}"

    package static let grammar =
        "an address such as https://market.example.com/apps/{item}, with {item} in it once"

    package init?(_ text: String) {
        guard text.split(separator: Self.place, omittingEmptySubsequences: false).count == 2,
            let url = EndpointURL(text.replacing(Self.place, with: "1"))
        else { return nil }
        (self.text, host) = (text, url.host)
    }

    package func address(of item: AppleItemID) -> String {
        text.replacing(Self.place, with: item.text)
    }
}
