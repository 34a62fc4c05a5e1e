import Configuration
import PlimsollAPI
import PlimsollEdge
import PlimsollPostgres
import PlimsollPublishing

extension ConfigReader {
    /// What a text says; `nil` where there is none.
    func value<Value>(
        _ key: ConfigKey,
        _ needed: String,
        _ read: (String) -> Value?
    ) throws(ConfigurationError) -> Value? {
        guard let text = string(forKey: key) else { return nil }
        guard let value = read(text) else {
            throw ConfigurationError(key: key.description, needed: needed)
        }
        return value
    }

    /// What each text of a list says, besides those that say nothing; reading sees those before it.
    func values<Value>(
        _ key: ConfigKey,
        _ needed: String,
        _ read: (String, [Value]) -> Value?
    ) throws(ConfigurationError) -> [Value] {
        var values: [Value] = []
        for text in stringArray(forKey: key, default: []) where !text.isEmpty {
            guard let value = read(text, values) else {
                throw ConfigurationError(key: key.description, needed: needed)
            }
            values.append(value)
        }
        return values
    }

    /// A number in a range; `nil` where there is none.
    func number(
        _ key: ConfigKey,
        of range: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int? {
        let number = int(forKey: key)
        if number == nil, string(forKey: key) == nil { return nil }
        guard let number, range.contains(number) else {
            throw ConfigurationError(
                key: key.description,
                needed: "a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }

    /// One that cannot be read would be taken for a database that is away, and tried for ever.
    ///
    /// Of a blank one libpq would make its default database, which nobody named.
    func connectionString(_ key: ConfigKey) throws(ConfigurationError) -> ConnectionString? {
        guard let text = string(forKey: key, isSecret: true),
            !text.allSatisfy(\.isWhitespace)
        else { return nil }
        let connection = ConnectionString(text)
        guard connection.isReadable else {
            throw ConfigurationError(key: key.description, needed: ConnectionString.grammar)
        }
        return connection
    }

    /// Stores are named by their addresses in the record, so each may stand once.
    func stores(
        _ key: ConfigKey,
        _ environment: [String: String]
    ) throws(ConfigurationError) -> [StorePlace] {
        var stores: [StorePlace] = []
        for text in stringArray(forKey: key, default: []) where !text.isEmpty {
            guard
                let address = StoreAddress(text),
                !stores.contains(where: { "\($0.address)" == "\(address)" })
            else {
                throw ConfigurationError(
                    key: key.description,
                    needed: "\(StoreAddress.grammar), each once"
                )
            }
            guard let place = StorePlace(address, environment: environment) else {
                throw ConfigurationError(
                    key: key.description,
                    needed: "in an environment where AWS_REGION is a region, and "
                        + "AWS_ENDPOINT_URL_S3 and AWS_ENDPOINT_URL, if set, are web addresses"
                        + " without a path"
                )
            }
            stores.append(place)
        }
        return stores
    }

    /// All three of hook, secret and bases, or none.
    func purge(_ key: String) throws(ConfigurationError) -> PurgeSink.Settings? {
        let url = string(forKey: ConfigKey("\(key).url"), isSecret: true)
        let secret = string(forKey: ConfigKey("\(key).secret"), isSecret: true)
        let bases = stringArray(forKey: ConfigKey("\(key).bases"), default: [])
            .filter { !$0.isEmpty }
        if url == nil, secret == nil, bases.isEmpty { return nil }
        guard let hook = url.flatMap({ ServiceAddress($0) }) else {
            throw ConfigurationError(key: "\(key).url", needed: ServiceAddress.grammar)
        }
        guard let signing = secret.flatMap({ PurgeSecret($0) }) else {
            throw ConfigurationError(key: "\(key).secret", needed: PurgeSecret.grammar)
        }
        let addresses = bases.compactMap { ServiceAddress($0) }
        guard !addresses.isEmpty, addresses.count == bases.count else {
            throw ConfigurationError(
                key: "\(key).bases",
                needed: "at least one address such as https://config.example.com, without user,"
                    + " query or fragment"
            )
        }
        return PurgeSink.Settings(hook: hook, secret: signing, bases: addresses)
    }
}

extension ConfigReader {
    /// Where a certificate and its key lie; either both are given or none.
    func tlsFiles(
        _ certificate: ConfigKey,
        _ key: ConfigKey
    ) throws(ConfigurationError) -> TLSFiles? {
        switch (try path(certificate), try path(key)) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (_, nil):
            throw ConfigurationError(
                key: key.description,
                needed: "the absolute path of the certificate's private key"
            )
        case (nil, _):
            throw ConfigurationError(
                key: certificate.description,
                needed: "the absolute path of the certificate that the key belongs to"
            )
        }
    }

    private func path(_ key: ConfigKey) throws(ConfigurationError) -> String? {
        guard let text = string(forKey: key), !text.isEmpty else { return nil }
        guard text.hasPrefix("/") else {
            throw ConfigurationError(
                key: key.description,
                needed: "the absolute path of a PEM file"
            )
        }
        return text
    }
}
