package import PlimsollDomain
package import PlimsollJSON

/// What a device reads of a marketplace at `/.well-known/`, with Apple's keys and no others.
package enum MarketplaceKit {
    package static let mediaType = "application/json"

    /// `/.well-known/marketplace-kit`: an override is a whole configuration, since devices do not
    /// look elsewhere for what it leaves out.
    package static func configuration(_ marketplace: Marketplace) -> JSONObject {
        var json = configuration(marketplace.endpoints)
        guard !marketplace.overrides.isEmpty else { return json }
        json["overridesByAppleItemID"] = .object(
            JSONObject(
                marketplace.overrides.map { override in
                    JSONObject.Member(
                        key: override.item.text,
                        value: .object(
                            configuration(marketplace.endpoints.with(override.endpoints))
                        )
                    )
                }
            )
        )
        return json
    }

    private static func configuration(_ endpoints: MarketplaceEndpoints) -> JSONObject {
        let license = endpoints.license
        var licenses: JSONObject = [
            "dynamicLicenseURL": .string(license.dynamic.text),
            "signingCertificateURL": .string(license.signingCertificate.text),
            "encryptionCertificateURL": .string(license.encryptionCertificate.text),
        ]
        licenses["licenseRenewalURL"] = license.renewal.map { .string($0.text) }
        licenses["licenseResolutionURL"] = license.resolution.map { .string($0.text) }
        return [
            "restore": .string(endpoints.restore.text),
            "updates": [
                "url": .string(endpoints.updates.text),
                "pollingInterval": .integer(endpoints.pollingInterval),
            ],
            "license": .object(licenses),
        ]
    }

    /// `/.well-known/oauth-authorization-server` (RFC 8414).
    package static func metadata(_ server: AuthorizationServer) -> JSONObject {
        [
            "issuer": .string(server.issuer.text),
            "authorization_endpoint": .string(server.authorization.text),
            "token_endpoint": .string(server.token.text),
            "grant_types_supported": ["authorization_code"],
            "response_types_supported": ["code", "token"],
            // Apple's sample has `5256`; its own requests say `S256`.
            "code_challenge_methods_supported": ["S256"],
        ]
    }
}
