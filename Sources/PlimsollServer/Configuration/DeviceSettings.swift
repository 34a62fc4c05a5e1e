package import Configuration
import PlimsollDevices
import PlimsollSystem

/// How devices are answered that install from a marketplace.
package struct DeviceSettings: Sendable {
    /// None where nothing signs: devices are told so.
    let tokenKeys: [TokenKeyPlace]
    let lifetime: TokenLifetime
    let authorization: Authorization

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
    /// - `marketplace.authorization.keySet` (string): the file or address of a JWK Set that signs the
    ///   tokens of devices.
    /// - `marketplace.authorization.introspection` (string): where an authorization server says what
    ///   a device's token is worth.
    /// - `marketplace.authorization.issuer`, `marketplace.authorization.audience` (string): what the
    ///   tokens of devices have to say.
    /// - `marketplace.authorization.client` (string), `marketplace.authorization.secret` (string,
    ///   secret): as whom the authorization server is asked.
    package init(config: ConfigReader) throws(ConfigurationError) {
        let config = config.scoped(to: "marketplace")
        tokenKeys = try config.tokenKeys("tokenKeys")
        lifetime = try config.tokenLifetime("tokenSeconds")
        authorization = try config.scoped(to: "authorization").authorization()
    }
}

extension ConfigReader {
    private static let scope = "marketplace"

    fileprivate func tokenKeys(_ key: ConfigKey) throws(ConfigurationError) -> [TokenKeyPlace] {
        var places: [TokenKeyPlace] = []
        for text in stringArray(forKey: key, default: []) where !text.isEmpty {
            guard let place = TokenKeyPlace(text) else {
                throw ConfigurationError(
                    key: "\(Self.scope).\(key)",
                    needed: TokenKeyPlace.grammar
                )
            }
            places.append(place)
        }
        return places
    }

    fileprivate func tokenLifetime(_ key: ConfigKey) throws(ConfigurationError) -> TokenLifetime {
        if string(forKey: key) == nil, int(forKey: key) == nil { return .standard }
        guard let seconds = int(forKey: key), let time = TokenLifetime(seconds: Int64(seconds))
        else {
            throw ConfigurationError(key: "\(Self.scope).\(key)", needed: TokenLifetime.grammar)
        }
        return time
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
        ConfigurationError(key: "\(Self.scope).authorization.\(key)", needed: needed)
    }
}
