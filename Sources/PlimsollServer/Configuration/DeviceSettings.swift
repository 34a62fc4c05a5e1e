package import Configuration
package import PlimsollDevices
import PlimsollPublishing
import PlimsollSystem

/// How devices are answered that install from a marketplace.
package struct DeviceSettings: Sendable {
    /// None where nothing signs: devices are told so.
    let tokenKeys: [TokenKeyPlace]
    /// Asked to sign with the keys that it keeps.
    let keyService: KeyManagementService
    let lifetime: TokenLifetime
    let authorization: Authorization
    let licenses: LicenseProxy.Settings
    /// For how long it is remembered which apps an account had.
    let downloadMemory: Duration

    /// How the tokens of devices are judged, where a marketplace asks for one.
    enum Authorization: Sendable {
        case none
        case keySet(KeySetCheck.Settings)
        case introspection(Introspection.Settings)
    }

    /// Whether anything signs what devices install.
    package var hasTokenKeys: Bool { !tokenKeys.isEmpty }

    /// Reads the settings of both programs that answer devices.
    ///
    /// ## Configuration keys
    /// - `marketplace.tokenKeys` (strings): the keys that sign install verification tokens.
    /// - `marketplace.tokenSeconds` (int, default 1200): for how long such a token is good.
    /// - `marketplace.licenses` (string): where requests for licences are taken, by whoever has Apple's
    ///   SDK.
    /// - `marketplace.licenseSeconds` (int, default 20): for how long that may take.
    /// - `marketplace.downloadDays` (int, default 365): for how long it is remembered which apps an
    ///   account had, in a service that has a database.
    /// - `marketplace.authorization.keySet` (string): the file or address of a JWK Set that signs the
    ///   tokens of devices.
    /// - `marketplace.authorization.introspection` (string): where an authorization server says what
    ///   a device's token is worth.
    /// - `marketplace.authorization.issuer`, `marketplace.authorization.audience` (string): what the
    ///   tokens of devices have to say.
    /// - `marketplace.authorization.client` (string), `marketplace.authorization.secret` (string,
    ///   secret): as whom the authorization server is asked.
    /// - `key.service` (string): another AWS KMS than that of a key's region.
    package init(config: ConfigReader) throws(ConfigurationError) {
        keyService = try KeyManagementService(config: config)
        tokenKeys = try config.values("marketplace.tokenKeys", TokenKeyPlace.grammar) { text, _ in
            TokenKeyPlace(text)
        }
        lifetime = try config.tokenLifetime("marketplace.tokenSeconds")
        licenses = try config.licenses("marketplace.licenses", "marketplace.licenseSeconds")
        let days = try config.number("marketplace.downloadDays", of: 1...3650) ?? 365
        downloadMemory = .seconds(86_400 * days)
        authorization = try config.scoped(to: "marketplace.authorization").authorization()
    }
}

extension DeveloperToken {
    /// Signs it, or has the key service of the settings do it.
    package func signed(with keeper: TokenKeyPlace.Keeper) async throws -> String {
        let service = try await ServerSettings.read { try KeyManagementService(config: $0) }
        return try await signed(with: keeper, asking: service)
    }
}

extension KeyManagementService {
    /// The one that the setting `key.service` names, or else that of a key's region.
    fileprivate init(config: ConfigReader) throws(ConfigurationError) {
        var settings = Settings()
        settings.endpoint = try config.origin("key.service")
        self.init(settings)
    }
}

extension ConfigReader {
    fileprivate func tokenLifetime(_ key: ConfigKey) throws(ConfigurationError) -> TokenLifetime {
        let seconds = int(forKey: key)
        if seconds == nil, string(forKey: key) == nil { return .standard }
        guard let seconds, let time = TokenLifetime(seconds: Int64(seconds))
        else { throw ConfigurationError(key: key.description, needed: TokenLifetime.grammar) }
        return time
    }

    fileprivate func licenses(
        _ place: ConfigKey,
        _ seconds: ConfigKey
    ) throws(ConfigurationError) -> LicenseProxy.Settings {
        let text = string(forKey: place).flatMap { $0.isEmpty ? nil : $0 }
        let address = text.flatMap { OutsideAddress($0) }
        guard (text == nil) == (address == nil) else {
            throw ConfigurationError(key: place.description, needed: OutsideAddress.grammar)
        }
        var settings = LicenseProxy.Settings(sidecar: address)
        if let limit = try number(seconds, of: LicenseProxy.Settings.timeouts) {
            settings.timeout = .seconds(limit)
        }
        return settings
    }

    fileprivate func authorization() throws(ConfigurationError) -> DeviceSettings.Authorization {
        switch (text("keySet"), text("introspection")) {
        case (nil, nil): return .none
        case (let set?, nil): return .keySet(try keySet(set))
        case (nil, let address?): return .introspection(try introspection(address))
        case (_?, _?):
            throw missing("introspection", "left out where there is a keySet: one of them judges")
        }
    }

    private func keySet(_ text: String) throws(ConfigurationError) -> KeySetCheck.Settings {
        let source: KeySetCheck.Source? =
            text.hasPrefix("/") ? .file(Path(text)) : OutsideAddress(text).map { .address($0) }
        guard let source else {
            throw missing("keySet", "the absolute path of a JWK Set, or \(OutsideAddress.grammar)")
        }
        guard let issuer = self.text("issuer") else {
            throw missing("issuer", "whose tokens are taken, as their claim iss says it")
        }
        guard let audience = self.text("audience") else {
            throw missing("audience", "what tokens are for, as their claim aud says it")
        }
        return KeySetCheck.Settings(source, issuer: issuer, audience: audience)
    }

    private func introspection(
        _ text: String
    ) throws(ConfigurationError) -> Introspection.Settings {
        guard let address = OutsideAddress(text) else {
            throw missing("introspection", OutsideAddress.grammar)
        }
        let secret = string(forKey: "secret", isSecret: true)
        guard
            let client = ClientCredentials(id: self.text("client") ?? "", secret: secret ?? "")
        else {
            throw missing("client", "set with secret: as whom the authorization server is asked")
        }
        var settings = Introspection.Settings(address, as: client)
        settings.issuer = self.text("issuer")
        settings.audience = self.text("audience")
        return settings
    }

    private func text(_ key: ConfigKey) -> String? {
        string(forKey: key).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func missing(_ key: String, _ needed: String) -> ConfigurationError {
        ConfigurationError(key: "marketplace.authorization.\(key)", needed: needed)
    }
}
