package import Logging
package import PlimsollAPI
package import PlimsollEdge
package import PlimsollSystem
package import PlimsollHTTP
package import PlimsollLog
package import PlimsollPublishing
package import PlimsollService

/// How an instance is to run.
package struct ServerConfiguration: Sendable {
    /// Holds keys, export, the bootstrap token and, if need be, a PostgreSQL.
    package let data: Path
    /// Where REST is served.
    package let listen: ListenAddress
    /// Where the service says how it does, whoever crowds the others; `nil` for nowhere else.
    package let healthListen: ListenAddress?
    /// How much each principal may ask of REST.
    package let requestLimits: Allowances.Limits
    /// Where phones are served.
    package let publicListen: ListenAddress
    /// With which certificate phones are served; `nil` serves plain HTTP.
    package let publicTLS: TLSFiles?
    /// `nil` means a private PostgreSQL in ``data``.
    package let databaseURL: String?
    /// How the owner of the database logs in while the schema changes; `nil` where the service's own
    /// login owns it, and for a private PostgreSQL.
    package let migrationURL: String?
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
    /// Which places events may be sent to.
    package let admission: Admission
    /// Who vouches for receivers, besides those that the machine believes.
    package let webhookAuthorities: CertificateAuthorities?
    /// Whether this instance sends any; people may still test a webhook.
    package let sendsToWebhooks: Bool
    /// Object stores that documents are published to, besides the export folder.
    package let stores: [StorePlace]
    /// Who has caches forget what was replaced; `nil` where there are none.
    package let purge: PurgeSink.Settings?
    package let logLevel: Logger.Level
    package let logFormat: LogFormat

    package var export: Path { data / "export" }
    package var keys: Path { data / "keys" }
    package var logKey: Path { keys / "log" }
    /// No app can have its name, and so no folder of an app's keys.
    package var webhookKey: Path { keys / WebhookKey.fileName }
    package var adminToken: Path { data / "admin-token" }
}

/// A host and a port to listen at: `127.0.0.1:8080`, `[::1]:8080`.
package struct ListenAddress: Equatable, Sendable, CustomStringConvertible {
    package let host: String
    /// 0 lets the system choose.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst())
        else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, isBracketed || !host.contains(":") else { return nil }
        self.host = String(isBracketed ? host.dropFirst().dropLast() : host)
        self.port = Int(port)
    }

    package var description: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
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
