import ArgumentParser
import Configuration
import Logging
import PlimsollAPI
import PlimsollEdge
import PlimsollJSON
import PlimsollServer

/// `plimsoll serve`: runs the whole service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the service: the REST API, the listener for phones, and all behind them.",
        discussion: """
            Without a database URL a private PostgreSQL is started in the data folder, and stopped \
            with the service. What is not given here is taken from the environment \
            (PLIMSOLL_DATA, PLIMSOLL_LISTEN, PLIMSOLL_HEALTH_LISTEN, PLIMSOLL_PUBLIC_LISTEN, \
            PLIMSOLL_ORIGIN_LISTEN, PLIMSOLL_PUBLIC_TLS_CERTIFICATE, PLIMSOLL_PUBLIC_TLS_KEY, \
            PLIMSOLL_PUBLIC_PAGES, PLIMSOLL_DATABASE_URL, \
            PLIMSOLL_MIGRATION_URL, PLIMSOLL_SAMPLE, PLIMSOLL_LOG_ORIGIN, PLIMSOLL_LOG_OUTSIDE, \
            PLIMSOLL_LOG_WITNESSES, PLIMSOLL_LOG_ACCEPT, PLIMSOLL_LOG_FROM_SCRATCH, \
            PLIMSOLL_KEY_HOSTS, PLIMSOLL_EXPORT_STORES, PLIMSOLL_MARKETPLACE_TOKEN_KEYS, \
            PLIMSOLL_MARKETPLACE_TOKEN_SECONDS, PLIMSOLL_LOG_LEVEL, PLIMSOLL_LOG_FORMAT), then \
            from the file given with --config, then the default holds. Settings that have no \
            option, such as PLIMSOLL_EXPORT_PURGE_URL, stand in docs/operating/configuration.md.

            Example:
              plimsoll serve --data /var/lib/plimsoll --listen 127.0.0.1:8080 \\
                --public-listen 0.0.0.0:8081
            """
    )

    @Option(help: "The folder that keys, export and database are kept in.")
    var data: String?

    @Option(help: "Where REST is served (default: 127.0.0.1:8080).")
    var listen: String?

    @Option(help: "Where /healthz and /readyz are answered as well, whoever crowds REST.")
    var healthListen: String?

    @Option(help: "Where phones are served (default: 127.0.0.1:8081).")
    var publicListen: String?

    @Option(help: "Where edges of their own are told of new snapshots; kept from the public.")
    var originListen: String?

    @Option(help: "A certificate for phones and those that lead to its root, as PEM; speaks TLS.")
    var publicTLSCertificate: String?

    @Option(help: "The certificate's private key, as PEM, that nobody else can read.")
    var publicTLSKey: String?

    @Flag(help: "Show people what is published, on a page of each app.")
    var publicPages = false

    @Option(help: "A PostgreSQL to use; better given as PLIMSOLL_DATABASE_URL.")
    var databaseURL: String?

    @Option(help: "The same one as its owner, for migrating; better as PLIMSOLL_MIGRATION_URL.")
    var migrationURL: String?

    @Flag(help: "Register the sample app, if there is no app yet.")
    var sample = false

    @Option(help: "The name of the transparency log; only before its first checkpoint.")
    var logOrigin: String?

    @Option(help: "A file or URL with a checkpoint that the log must agree with; may be repeated.")
    var outsideCheckpoint: [String] = []

    @Option(help: "The verifier key of a witness that may cosign checkpoints; may be repeated.")
    var witnessKey: [String] = []

    @Option(
        help: ArgumentHelp(
            "A host at which phones are served the signatures of one key; may be repeated.",
            valueName: "host=key"
        )
    )
    var keyHost: [String] = []

    @Option(help: "Give up a published checkpoint that the log has not; SIZE:ROOT, for one start.")
    var acceptLog: String?

    @Flag(help: "Fold the whole log at this start, instead of going on from where it was kept.")
    var fromScratch = false

    @Option(help: "An object store to publish to, as s3://bucket/prefix; may be repeated.")
    var store: [String] = []

    @OptionGroup var tokens: TokenKeyOptions

    @Option(help: "The least severe message that is logged (default: info).")
    var logLevel: String?

    @Option(help: "How messages are logged, text or json: one object a line (default: text).")
    var logFormat: String?

    @Option(help: "A JSON file with settings.")
    var config: String?

    func validate() throws {
        try refuseEmpty(data, "--data")
        try refuseEmpty(publicTLSCertificate, "--public-tls-certificate")
        try refuseEmpty(publicTLSKey, "--public-tls-key")
        try refuseEmpty(databaseURL, "--database-url")
        try refuseEmpty(migrationURL, "--migration-url")
        for place in outsideCheckpoint { try refuseEmpty(place, "--outside-checkpoint") }
    }

    func run() async throws {
        let configuration = try await ServerSettings.read(arguments: arguments, file: config) {
            try ServerConfiguration(config: $0)
        }
        configuration.logFormat.bootstrap()
        var logger = Logger(label: "plimsoll")
        logger.logLevel = configuration.logLevel
        configuration.log(to: logger)
        let showsToken = Channel.standardOutput.isTerminal
        try await Instance(configuration, logger: logger, showsToken: showsToken) { text in
            Channel.standardOutput.write([text])
        }.run()
    }

    private var arguments: [String: ConfigContent] {
        var given = [
            "data": data.map(absolutePath), "listen": listen, "public.listen": publicListen,
            "health.listen": healthListen, "origin.listen": originListen,
            "public.tls.certificate": publicTLSCertificate.map(absolutePath),
            "public.tls.key": publicTLSKey.map(absolutePath),
            "database.url": databaseURL, "migration.url": migrationURL, "log.origin": logOrigin,
            "log.accept": acceptLog, "log.level": logLevel, "log.format": logFormat,
        ].compactMapValues { $0.map(ConfigContent.string) }
        if !outsideCheckpoint.isEmpty {
            given["log.outside"] = .stringArray(
                outsideCheckpoint.map { $0.contains("://") ? $0 : absolutePath($0) }
            )
        }
        if !keyHost.isEmpty { given["key.hosts"] = .stringArray(keyHost) }
        if !witnessKey.isEmpty { given["log.witnesses"] = .stringArray(witnessKey) }
        if !store.isEmpty { given["export.stores"] = .stringArray(store) }
        if sample { given["sample"] = .bool(true) }
        if publicPages { given["public.pages"] = .bool(true) }
        if fromScratch { given["log.fromScratch"] = .bool(true) }
        return given.merging(tokens.settings) { $1 }
    }
}

/// How a program that goes on for long says what happens.
struct LogOptions: ParsableArguments {
    @Option(
        help: "How messages are logged, text or json: one object a line; PLIMSOLL_LOG_FORMAT."
    )
    var logFormat: String?

    func format() throws -> LogFormat {
        let named = logFormat ?? environment["PLIMSOLL_LOG_FORMAT"]
        guard let named, logFormat != nil || !named.isEmpty else { return .text }
        guard let format = LogFormat(rawValue: named) else {
            throw ValidationError("--log-format (PLIMSOLL_LOG_FORMAT) needs \(LogFormat.grammar).")
        }
        return format
    }
}

/// `plimsoll migrate`: makes a database ready, so that the service has only a login of few rights.
struct MigrateCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Create or update the service's tables in a PostgreSQL of your own.",
        discussion: """
            Brings the schema to what this program works with, as the owner of the database, and \
            lets the login in that the service has: it may append to the log and read, and no more. \
            PLIMSOLL_MIGRATION_URL says how the owner logs in, PLIMSOLL_DATABASE_URL how the \
            service does. The service does the same at its start where it has both; run this \
            before it where it must not know how the owner logs in. It may be repeated.

            For example: plimsoll migrate
            """
    )

    @Option(help: "How the service logs in; better given as PLIMSOLL_DATABASE_URL.")
    var databaseURL: String?
    @Option(help: "How the owner of the database logs in; better as PLIMSOLL_MIGRATION_URL.")
    var migrationURL: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try refuseEmpty(databaseURL, "--database-url")
        try refuseEmpty(migrationURL, "--migration-url")
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let database = try address(databaseURL, "PLIMSOLL_DATABASE_URL")
        let migration = try address(migrationURL, "PLIMSOLL_MIGRATION_URL")
        let version: Int
        do {
            version = try await SchemaMigration(database: database, migration: migration).run()
        } catch {
            throw Failure(.failed, legible(error.description))
        }
        output.show(
            Report(
                ["schema": .integer(Int64(version))],
                [.check(passed: true, "the schema has version \(version)")]
            )
        )
        return .done
    }

    private func address(_ given: String?, _ variable: String) throws -> String {
        if let address = given ?? environment[variable], !address.allSatisfy(\.isWhitespace) {
            return address
        }
        throw Failure(.usage, "\(variable) is needed, a libpq connection string or URI.")
    }
}

/// With which certificate a listener is to speak TLS.
struct TLSOptions: ParsableArguments {
    @Option(help: "A certificate and those that lead to its root, as PEM; speaks TLS.")
    var tlsCertificate: String?

    @Option(help: "The certificate's private key, as PEM, that nobody else can read.")
    var tlsKey: String?

    /// `nil` for plain HTTP.
    func files() throws -> TLSFiles? {
        try refuseEmpty(tlsCertificate, "--tls-certificate")
        try refuseEmpty(tlsKey, "--tls-key")
        switch (tlsCertificate, tlsKey) {
        case (nil, nil): return nil
        case (let certificate?, let key?):
            return TLSFiles(certificate: absolutePath(certificate), key: absolutePath(key))
        default: throw ValidationError("--tls-certificate and --tls-key belong together.")
        }
    }
}
