import FoundationEssentials
import Logging
import PlimsollDevices
import PlimsollDomain
import ServiceLifecycle

/// What answers devices, and what keeps its keys as they lie in their files.
struct DeviceStack {
    let responder: MarketplaceResponder
    /// They stop after the listener.
    let services: [any Service]

    /// Throws where a key that signs tokens cannot be used.
    init(_ settings: DeviceSettings, logger: Logger) throws {
        let now: @Sendable () -> Instant = { Instant(Date.now) }
        var watchers: [any Service] = []
        var signer: TokenSigner?
        if settings.hasTokenKeys {
            let keyring = try TokenKeyring(settings.tokenKeys, now: now())
            signer = TokenSigner(keyring, lifetime: settings.lifetime)
            watchers.append(TokenKeyWatcher(keyring, logger: logger))
        }
        let check: TokenCheck
        switch settings.authorization {
        case .none: check = .none
        case .introspection(let asked): check = .introspection(Introspection(asked, logger: logger))
        case .keySet(let trusted):
            let set = KeySetCheck(trusted, logger: logger)
            watchers.append(KeySetWatcher(set))
            check = .keySet(set)
        }
        responder = MarketplaceResponder(
            MarketplaceResponder.Settings(
                authorizer: MarketplaceAuthorizer(check),
                signer: signer,
                licenses: settings.licenses.sidecar.map { _ in
                    LicenseDesk(settings.licenses, logger: logger)
                },
                now: now
            ),
            logger: logger
        )
        services = [responder] + watchers
    }
}
