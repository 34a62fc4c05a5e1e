package import Configuration
import Foundation
package import Logging
package import PlimsollAPI
import PlimsollDevices
import PlimsollDomain
package import PlimsollEdge
package import PlimsollHTTP
package import PlimsollLog
package import PlimsollPostgres
package import PlimsollPublishing
package import PlimsollService
package import PlimsollStore
package import PlimsollSystem

/// How an instance is to run.
package struct ServerConfiguration: Sendable {
    /// Holds keys, export, the bootstrap token and, if need be, a PostgreSQL.
    package let data: Path
    /// Where REST is served.
    package let listen: ListenAddress
    /// Where the service says how it does, whoever crowds the others; `nil` for nowhere else.
    package let healthListen: ListenAddress?
    /// Where other edges are told what is served; `nil` where none are.
    package let originListen: ListenAddress?
    /// How much each principal may ask of REST.
    package let requestLimits: Allowances.Limits
    /// How long the door stays open once the service is told to stop.
    package let stopGrace: Duration
    /// Where phones are served.
    package let publicListen: ListenAddress
    /// With which certificate phones are served; `nil` serves plain HTTP.
    package let publicTLS: TLSFiles?
    /// Whether people are shown what is published, at the addresses that phones ask.
    package let servesPages: Bool
    /// `nil` means a private PostgreSQL in ``data``.
    package let databaseURL: ConnectionString?
    /// How the owner of the database logs in while the schema changes; `nil` where the service's own
    /// login owns it, and for a private PostgreSQL.
    package let migrationURL: ConnectionString?
    /// Whether an empty service registers the sample app.
    package let seedsSample: Bool
    /// What the transparency log is called, if it has no name yet; `nil` makes one up.
    package let logOrigin: KeyName?
    /// Checkpoints, beside the published one, that the log has to agree with: files and addresses.
    package let outsideCheckpoints: [String]
    /// Whose cosignatures are taken and published.
    package let witnesses: [VerifierKey]
    /// The hosts at which phones are served the signatures of one key.
    package let keyHosts: [KeyHost]
    /// Another key service than that of the key's region; an origin such as
    /// `http://127.0.0.1:4566`.
    package let keyServiceEndpoint: String?
    /// A checkpoint that the operator goes on without.
    package let acceptedLog: MerkleRoot?
    /// What need not be folded at a start.
    package let keeping: KeepingSettings
    /// How many events a second are looked at again; 0 for none.
    package let verifyRate: Int
    /// How long people stay signed in to the console.
    package private(set) var sessionLimits = SessionLimits()
    /// Which places events may be sent to.
    package let admission: Admission
    /// Who vouches for receivers, besides those that the machine believes.
    package let webhookAuthorities: CertificateAuthorities?
    /// Whether this instance sends any; people may still test a webhook.
    package let sendsToWebhooks: Bool
    /// Object stores that documents are published to, besides the export folder.
    package let stores: [StorePlace]
    /// How long snapshots are kept that are published no more.
    package let retention: SnapshotRetention
    /// Who has caches forget what was replaced; `nil` where there are none.
    package let purge: PurgeSink.Settings?
    /// What Apple signs its notifications with; none where none are taken.
    package let notificationSecrets: NotificationSecrets
    /// How devices are answered that install from a marketplace.
    package let devices: DeviceSettings
    /// How packages are fetched; `nil` where this instance fetches none.
    package let ingestion: IngestionSettings?
    /// The packages that devices get from the public listener; `nil` where somebody else serves them.
    package let packages: PackageSettings?
    package let logLevel: Logger.Level
    package let logFormat: LogFormat

    package var export: Path { data / "export" }
    package var keys: Path { data / "keys" }
    package var logKey: Path { keys / "log" }
    package var entryKeys: Path { keys / EntryKeyFolder.name }
    package var keptState: Path { data / "kept-state" }
    package var webhookKey: Path { keys / WebhookKey.fileName }
    package var accountKey: Path { keys / AccountKey.fileName }
    package var adminToken: Path { data / "admin-token" }
}

extension ServerConfiguration {
    /// Writes down what holds; secrets are not shown.
    package func log(to logger: Logger) {
        logger.info(
            "configuration",
            metadata: [
                "data": "\(data)", "listen": "\(listen)", "public.listen": "\(publicListen)",
                "public.tls": "\(publicTLS?.description ?? "none")",
                "database.url": databaseURL == nil ? "private" : "<redacted>",
                "migration.url": migrationURL == nil ? "none" : "<redacted>",
                "sample": "\(seedsSample)", "log.level": "\(logLevel)",
                "export.stores": "\(stores.map(\.address))",
                "export.purge": purge == nil ? "none" : "<redacted>",
            ]
        )
    }
}

extension ServerConfiguration {
    /// Reads the configuration of an instance.
    ///
    /// ## Configuration keys
    /// - `data` (string, required): the folder that everything is kept in.
    /// - `listen` (string, default `127.0.0.1:8080`): where REST is served.
    /// - `health.listen` (string): where `/healthz` and `/readyz` are answered as well.
    /// - `origin.listen` (string): where other edges are told what is served.
    /// - `requests.atOnce` (int, default 16): how many requests of a principal may be under way.
    /// - `requests.perMinute` (int, default 6000): how many it may send in a minute.
    /// - `stop.grace` (int, default 2): for how many seconds everybody is still answered at a stop.
    /// - `public.listen` (string, default `127.0.0.1:8081`): where phones are served.
    /// - `public.tls.certificate` (string): the PEM file of a certificate; phones are served with TLS.
    /// - `public.tls.key` (string): the PEM file of its private key.
    /// - `public.pages` (bool, default `false`): whether people are shown what is published.
    /// - `database.url` (string, secret): a PostgreSQL; without it, a private one is started.
    /// - `migration.url` (string, secret): the same database as the account that owns it, which logs
    ///   in while the schema changes; the service then works with that of `database.url`.
    /// - `sample` (bool, default `false`): whether an empty service registers the sample app.
    /// - `log.origin` (string): what the transparency log is called, settled at the first start.
    /// - `log.outside` (strings): files and addresses of checkpoints that the log has to agree with.
    /// - `log.witnesses` (strings): verifier keys of those who may cosign checkpoints.
    /// - `log.accept` (string): size and root of a checkpoint that is given up.
    /// - `log.fromScratch` (bool), `log.keepEvery` (int): what of the log a start need not fold.
    /// - `log.verifyRate` (int, default 2000): how many events a second are looked at again.
    /// - `console.proofSeconds` (int, default 900): how long a token that was shown at the console
    ///   counts for what is sensitive.
    /// - `webhooks.ca` (string): a PEM file of authorities that vouch for receivers as well.
    /// - `webhooks.http` (bool, default `false`): whether events may be sent unencrypted.
    /// - `webhooks.networks` (strings): reserved networks that events may be sent to all the same.
    /// - `webhooks.send` (bool, default `true`): whether this instance sends events.
    /// - `export.stores` (strings): object stores to publish to, as `s3://bucket/prefix`.
    /// - `export.keepDays` (int, default 400), `export.keepCount` (int, default 50): which snapshots
    ///   are kept, and so many of the newest however old.
    /// - `export.purge.url` (string, secret): a hook that has caches forget addresses.
    /// - `export.purge.secret` (string, secret): what requests to it are signed with.
    /// - `export.purge.bases` (strings): where caches serve the documents.
    /// - `key.hosts` (strings): hosts whose documents carry the signatures of one key, each
    ///   `host=keyId`.
    /// - `key.service` (string): another AWS KMS than that of a key's region.
    /// - `marketplace.notifications.secret` (string, secret): what Apple signs notifications with.
    /// - `marketplace.notifications.formerSecret` (string, secret): the one before it, while Apple may
    ///   still use that.
    /// - `marketplace.…`: how devices are answered; see ``DeviceSettings/init(config:)``.
    /// - `marketplace.connect.issuer` (string): who lets the service in at App Store Connect.
    /// - `marketplace.connect.keyId` (string): the id of the key that it gives.
    /// - `marketplace.connect.key` (string): the PEM file of that key, which nobody else can read.
    /// - `marketplace.connect.origin` (string): another App Store Connect, for trials.
    /// - `marketplace.packages.folder` (string): where packages are laid out that Apple announced.
    /// - `marketplace.packages.address` (string): where devices find that folder.
    /// - `marketplace.packages.store` (string): an object store that packages are brought to.
    /// - `marketplace.packages.path` (string): below which path the public listener serves it.
    /// - `log.level` (string, default `info`): the least severe message that is logged.
    /// - `log.format` (string, default `text`): how messages are logged, `text` or `json`.
    ///
    /// What belongs to an object store is in the environment by the names that all programs use.
    package init(
        config: ConfigReader,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(ConfigurationError) {
        guard let data = config.string(forKey: "data"), data.hasPrefix("/") else {
            throw ConfigurationError(
                key: "data",
                needed: "the absolute path of a folder to keep everything in"
            )
        }
        self.data = Path(data)
        listen = try config.listenAddress("listen", default: "127.0.0.1:8080")
        healthListen = try config.listenAddressIfAny("health.listen", such: "127.0.0.1:8082")
        originListen = try config.listenAddressIfAny("origin.listen", such: "127.0.0.1:8083")
        requestLimits = try config.requestLimits("requests.atOnce", "requests.perMinute")
        stopGrace = .seconds(try config.number("stop.grace", of: 0...60) ?? 2)
        publicListen = try config.listenAddress("public.listen", default: "127.0.0.1:8081")
        publicTLS = try config.tlsFiles("public.tls.certificate", "public.tls.key")
        servesPages = config.bool(forKey: "public.pages", default: false)
        databaseURL = try config.connectionString("database.url")
        migrationURL = try config.connectionString("migration.url")
        guard migrationURL == nil || databaseURL != nil else {
            throw ConfigurationError(
                key: "database.url",
                needed: "how the service logs in, since migration.url says how the owner does"
            )
        }
        seedsSample = config.bool(forKey: "sample", default: false)
        outsideCheckpoints = config.texts("log.outside")
        witnesses = try config.witnesses("log.witnesses")
        keyHosts = try config.keyHosts("key.hosts")
        keyServiceEndpoint = try config.origin("key.service")
        acceptedLog = try config.root("log.accept")
        keeping = KeepingSettings(config, try config.number("log.keepEvery", of: 1...1_000_000_000))
        verifyRate = try config.number("log.verifyRate", of: 0...1_000_000) ?? Verifier.rateUsual
        logOrigin = try config.keyName("log.origin")
        if let seconds = try config.number("console.proofSeconds", of: 0...3600) {
            sessionLimits.proof = .seconds(seconds)
        }
        admission = Admission(
            allowsUnencrypted: config.bool(forKey: "webhooks.http", default: false),
            networks: try config.networks("webhooks.networks")
        )
        webhookAuthorities = try config.authorities("webhooks.ca")
        sendsToWebhooks = config.bool(forKey: "webhooks.send", default: true)
        stores = try config.stores("export.stores", environment)
        retention = SnapshotRetention(
            days: try config.number("export.keepDays", of: SnapshotRetention.daysRange),
            count: try config.number("export.keepCount", of: SnapshotRetention.countRange)
        )
        purge = try config.purge("export.purge")
        notificationSecrets = try config.notificationSecrets("marketplace.notifications")
        devices = try DeviceSettings(config: config)
        ingestion = try config.ingestion("marketplace", environment)
        packages = try config.packages("marketplace.packages")
        logLevel = try config.logLevel("log.level")
        logFormat = try config.logFormat("log.format")
    }
}

/// A configuration value that cannot be used.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// As the file has it; or an option.
    package let key: String
    package let needed: String
    /// Whether no variable is read in its place.
    var isOfFileAlone = false

    package var description: String { "The setting \(key)\(variable) needs to be \(needed)." }

    /// What the environment calls it, beside what the file does.
    private var variable: String {
        guard !isOfFileAlone, !key.hasPrefix("-") else { return "" }
        let words = key.replacing(/[A-Z]/) { "_\($0.output)" }.replacing(".", with: "_")
        return " (PLIMSOLL_\(words.uppercased()))"
    }
}

private let nameBytesMaximum = 255

/// A note has room for a hundred lines, some of which may be by others.
private let witnessesMaximum = 64

extension ConfigReader {
    fileprivate func keyName(_ key: ConfigKey) throws(ConfigurationError) -> KeyName? {
        // The name stands in the key's file, in every checkpoint and in every line below one.
        try value(
            key,
            "a name such as config.example.com/log, without spaces and plus, of at most"
                + " \(nameBytesMaximum) bytes"
        ) { text in
            text.utf8.count <= nameBytesMaximum ? KeyName(text) : nil
        }
    }

    fileprivate func logLevel(_ key: ConfigKey) throws(ConfigurationError) -> Logger.Level {
        let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        return try value(key, "one of \(names)") { Logger.Level(rawValue: $0) } ?? .info
    }

    fileprivate func logFormat(_ key: ConfigKey) throws(ConfigurationError) -> LogFormat {
        try value(key, LogFormat.grammar) { LogFormat(rawValue: $0) } ?? .text
    }

    fileprivate func requestLimits(
        _ atOnce: ConfigKey,
        _ perMinute: ConfigKey
    ) throws(ConfigurationError) -> Allowances.Limits {
        var limits = Allowances.Limits()
        limits.underWay = try number(atOnce, of: 1...1000) ?? limits.underWay
        limits.perMinute = try number(perMinute, of: 1...1_000_000) ?? limits.perMinute
        return limits
    }

    fileprivate func texts(_ key: ConfigKey) -> [String] {
        stringArray(forKey: key, default: []).filter { !$0.isEmpty }
    }

    fileprivate func witnesses(_ key: ConfigKey) throws(ConfigurationError) -> [VerifierKey] {
        try values(
            key,
            "verifier keys of witnesses, as plimsoll witness prints them, each once and at most"
                + " \(witnessesMaximum)"
        ) { text, others in
            // A key under two names would count as one witness, and hide that there is but one.
            guard
                let witness = try? VerifierKey(parsing: text), witness.kind == .cosignature,
                !others.contains(where: { $0.publicKey == witness.publicKey }),
                others.count < witnessesMaximum
            else { return nil }
            return witness
        }
    }

    fileprivate func authorities(
        _ key: ConfigKey
    ) throws(ConfigurationError) -> CertificateAuthorities? {
        guard let file = string(forKey: key), !file.isEmpty else { return nil }
        // Why it cannot be read is not said: it is one file, and what it has to be is.
        guard file.hasPrefix("/"),
            let bytes = try? Path(file).read(sizeMaximum: CertificateAuthorities.sizeMaximum),
            let authorities = CertificateAuthorities(pem: bytes, .besideOthers)
        else {
            throw ConfigurationError(
                key: key.description,
                needed: "the absolute path of \(CertificateAuthorities.grammar)"
            )
        }
        return authorities
    }

    fileprivate func networks(_ key: ConfigKey) throws(ConfigurationError) -> [IPNetwork] {
        try values(key, IPNetwork.grammar) { text, _ in IPNetwork(text) }
    }

    func origin(_ key: ConfigKey) throws(ConfigurationError) -> String? {
        guard let text = string(forKey: key), !text.isEmpty else { return nil }
        guard let address = ServiceAddress(text), address.text.split(separator: "/").count == 2
        else {
            throw ConfigurationError(
                key: key.description,
                needed: "an address without a path, such as http://127.0.0.1:4566"
            )
        }
        return address.text
    }

    fileprivate func keyHosts(_ key: ConfigKey) throws(ConfigurationError) -> [KeyHost] {
        try values(key, "\(KeyHost.grammar), each host once") { text, others in
            guard let host = KeyHost(text), !others.contains(where: { $0.name == host.name }) else {
                return nil
            }
            return host
        }
    }

    fileprivate func root(_ key: ConfigKey) throws(ConfigurationError) -> MerkleRoot? {
        try value(key, "the size and the root as the refusal writes them, 7:0123…cdef") { text in
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard
                parts.count == 2, let size = Int(parts[0]), size >= 0,
                let hash = MerkleHash(hex: parts[1])
            else { return nil }
            return MerkleRoot(size: size, hash: hash)
        }
    }
}
