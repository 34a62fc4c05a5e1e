package import Configuration
import PlimsollAPI
package import PlimsollDomain
package import PlimsollEdge
import PlimsollHTTP
package import PlimsollIngestion
import PlimsollPublishing
import PlimsollSystem

/// Who may ask App Store Connect, and where packages are laid out.
package struct IngestionSettings: Sendable {
    let origin: String
    let key: ConnectKey
    let folder: PackageFolder
    /// Where devices find the folder.
    package let address: EndpointURL
    /// Where packages are brought to from the folder; `nil` where devices get them from there.
    private var store: PackageStore?

    private static let keyMaximum = 16_384

    /// Reads the key; throws a sentence for the operator, with what names its file to them.
    package init(
        issuer: String,
        keyID: String,
        keyFile: String,
        namedBy keyName: String,
        origin: String?,
        folder: String,
        address: EndpointURL
    ) throws(ConfigurationError) {
        // Why it cannot be read is told by the file itself, where it is not the content.
        let pem: [UInt8]
        do throws(FileError) {
            pem = try Path(keyFile).readSecret(sizeMaximum: Self.keyMaximum)
        } catch {
            throw ConfigurationError(
                key: keyName,
                needed: "a file that can be read, and only here: \(error)"
            )
        }
        let text = String(decoding: pem, as: UTF8.self)
        guard let key = ConnectKey(issuer: issuer, id: keyID, pem: text) else {
            throw ConfigurationError(
                key: keyName,
                needed: "the PEM file of a private key of P-256, as App Store Connect gives it"
            )
        }
        (self.key, self.address) = (key, address)
        self.origin = origin ?? ConnectClient.usualOrigin
        self.folder = PackageFolder(Path(folder))
    }
}

extension IngestionSettings {
    /// The same, with an object store that packages are brought to before they are made known.
    package func storing(
        at address: String,
        key: String,
        environment: [String: String]
    ) throws(ConfigurationError) -> IngestionSettings {
        guard let parsed = StoreAddress(address),
            let place = StorePlace(parsed, environment: environment)
        else { throw ConfigurationError(key: key, needed: StoreAddress.grammar) }
        var settings = self
        settings.store = PackageStore(place)
        return settings
    }

    /// Fetches a version of a package whole; `items` are those that it may be of, if that matters.
    package func ingest(
        _ version: PackageID,
        of items: Set<AppleItemID>?,
        progress: @escaping @Sendable (_ done: Int64, _ total: Int64, _ path: String) -> Void
    ) async throws -> IngestedPackage {
        let ingested = try await Transport.with(ConnectClient.limits) { transport in
            let clock = IngestionClock.system
            let client = ConnectClient(origin, key: key, over: transport, clock: clock)
            return try await PackageIngestion(client, over: transport, into: folder, clock: clock)
                .run(version, of: items) { progress($0.done, $0.total, $0.path) }
        }
        try await store?.take(ingested, from: folder) { progress($0.done, $0.total, $0.path) }
        return ingested
    }
}

extension ConfigReader {
    /// The folder of packages that the public listener serves; `nil` where it serves none.
    package func packages(_ key: String) throws(ConfigurationError) -> PackageSettings? {
        guard let path = string(forKey: ConfigKey("\(key).path")), !path.isEmpty else {
            return nil
        }
        guard let folder = string(forKey: ConfigKey("\(key).folder")), folder.hasPrefix("/") else {
            throw ConfigurationError(
                key: "\(key).folder",
                needed: "the absolute path of the folder whose packages are served"
            )
        }
        guard let settings = PackageSettings(folder: folder, path: path) else {
            throw ConfigurationError(key: "\(key).path", needed: PackageSettings.grammar)
        }
        return settings
    }

    /// The secret, and the one before it.
    func notificationSecrets(_ key: String) throws(ConfigurationError) -> NotificationSecrets {
        var secrets: [String] = []
        for name in ["\(key).secret", "\(key).formerSecret"] {
            guard let secret = string(forKey: ConfigKey(name), isSecret: true) else { continue }
            guard (8...1024).contains(secret.utf8.count) else {
                throw ConfigurationError(key: name, needed: "a secret of 8 to 1024 bytes")
            }
            secrets.append(secret)
        }
        return NotificationSecrets(secrets)
    }

    /// All that is needed to fetch packages, or nothing of it.
    func ingestion(
        _ key: String,
        _ environment: [String: String]
    ) throws(ConfigurationError) -> IngestionSettings? {
        let names = [
            "connect.issuer", "connect.keyId", "connect.key", "packages.folder", "packages.address",
        ].map { "\(key).\($0)" }
        let values = names.map { string(forKey: ConfigKey($0)) ?? "" }
        // A folder that is served may be filled by somebody else.
        let isServed = string(forKey: ConfigKey("\(key).packages.path"))?.isEmpty == false
        let store = string(forKey: ConfigKey("\(key).packages.store")) ?? ""
        if store.isEmpty,
            zip(names, values).allSatisfy({ name, value in
                value.isEmpty || isServed && name == names[3]
            })
        {
            return nil
        }
        for (name, value) in zip(names, values) where value.isEmpty {
            throw ConfigurationError(key: name, needed: "there too, since others of its kind are")
        }
        for place in [2, 3] where !values[place].hasPrefix("/") {
            throw ConfigurationError(key: names[place], needed: "an absolute path")
        }
        guard let address = EndpointURL(values[4]) else {
            throw ConfigurationError(key: names[4], needed: EndpointURL.grammar)
        }
        let origin = string(forKey: ConfigKey("\(key).connect.origin"))
        let settings = try IngestionSettings(
            issuer: values[0],
            keyID: values[1],
            keyFile: values[2],
            namedBy: names[2],
            origin: origin.flatMap { $0.isEmpty ? nil : $0 },
            folder: values[3],
            address: address
        )
        guard !store.isEmpty else { return settings }
        return try settings.storing(
            at: store,
            key: "\(key).packages.store",
            environment: environment
        )
    }
}
