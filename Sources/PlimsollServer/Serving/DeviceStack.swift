import FoundationEssentials
import Logging
import PlimsollDevices
import PlimsollDomain
import PlimsollPublishing
import ServiceLifecycle

/// What answers devices, and what keeps its keys as they lie in their files.
struct DeviceStack {
    let responder: MarketplaceResponder
    /// They stop after the listener.
    let services: [any Service]

    /// Throws where a key that signs tokens cannot be used.
    init(_ settings: DeviceSettings, logger: Logger) async throws {
        let now: @Sendable () -> Instant = { Instant(Date.now) }
        var watchers: [any Service] = []
        var signer: TokenSigner?
        var keeper: KeyServiceConnections?
        if settings.hasTokenKeys {
            let connections = KeyServiceConnections(settings.keyService)
            let keyring = try TokenKeyring(settings.tokenKeys, now: now(), asking: connections)
            for id in try await keyring.prove() {
                logger.warning(
                    "a token key is not proven: its key service is away",
                    metadata: ["key.id": "\(id)"]
                )
            }
            signer = TokenSigner(keyring, lifetime: settings.lifetime)
            watchers.append(TokenKeyWatcher(keyring, logger: logger))
            if settings.tokenKeys.contains(where: { !$0.isHere }) { keeper = connections }
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
                    LicenseProxy(settings.licenses, logger: logger)
                },
                now: now
            ),
            logger: logger
        )
        // What the responder has promised is signed before the connections end.
        services = (keeper.map { [$0] } ?? []) + [responder] + watchers
    }
}
