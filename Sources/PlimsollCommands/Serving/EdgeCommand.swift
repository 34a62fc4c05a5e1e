import ArgumentParser
import Logging
import PlimsollAPI
import PlimsollEdge
import PlimsollServer

/// `plimsoll edge`: serves phones from what was published elsewhere, and nothing else.
struct EdgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edge",
        abstract: "Serve the published documents to phones, without a database or a private key.",
        discussion: """
            It serves only what the given keys have signed, and nothing older than it has served \
            before, with --memory not after a restart either. A file that lies in the export \
            folder itself, such as its keys.json, is no better than that folder: give a copy that \
            you trust where the folder comes from elsewhere.

            From a store or another edge it fetches the apps that the given keys sign for. It is \
            told of what is new where edges are answered (--origin-listen), looks every five \
            seconds elsewhere, and goes on with what it has while nobody answers.

            With --quorum it goes on to no snapshot before so many of the given witnesses have \
            cosigned the log that proves it, which takes as long as they take to look, and serves \
            the one before until then.

            With a certificate it speaks TLS, with HTTP/2 and HTTP/1.1. A new certificate in the \
            same files is taken over by itself, and at once on SIGHUP; no connection is closed for \
            it.

            Examples:
              plimsoll edge --from /srv/export --keys /etc/plimsoll/keys.json \\
                --listen 0.0.0.0:8081 --memory /var/lib/plimsoll-edge
              plimsoll edge --from /srv/export --keys /etc/plimsoll/keys.json \\
                --listen 0.0.0.0:443 --tls-certificate /etc/plimsoll/tls/chain.pem \\
                --tls-key /etc/plimsoll/tls/key.pem --stats 127.0.0.1:8082
              plimsoll edge --from s3://config/live --keys /etc/plimsoll/keys.json
              plimsoll edge --from https://config.example.com \\
                --keys /etc/plimsoll/keys.json
            """
    )

    @OptionGroup var edge: EdgeOptions
    @OptionGroup var logging: LogOptions
    @OptionGroup var tls: TLSOptions

    func run() async throws {
        try await edge.run(logging, tls)
    }
}

/// What an edge of its own serves, and where.
struct EdgeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An export folder, s3://bucket/prefix, or the address of another edge or of a service's"
                + " --origin-listen; may be repeated, and the quickest serves.",
            valueName: "origin"
        )
    )
    var from: [String]

    @Option(
        help: ArgumentHelp(
            "The authorities whose word counts for an origin at an https address, as PEM.",
            valueName: "file"
        )
    )
    var fromCA: String?

    @Option(help: "The keys to trust, as in the keys.json of an export.")
    var keys: String

    @Option(help: "Where phones are served.")
    var listen = "127.0.0.1:8081"

    @Option(help: "Where other edges are told of new snapshots; kept from the public.")
    var originListen: String?

    @Option(help: "By what name others know this edge (default: the host's, with the port).")
    var name: String?

    @Option(help: "A folder to remember the highest sequences in.")
    var memory: String?

    @Option(
        help: ArgumentHelp(
            "A host whose documents carry the signatures of one key; may be repeated.",
            valueName: "host=key"
        )
    )
    var keyHost: [KeyHost] = []

    @Option(help: "Where the operator reads counts, at /metrics; kept from the public.")
    var stats: String?

    @Option(
        help: ArgumentHelp(
            "The log's verifier key, in a file or as text; proofs have to be under it.",
            valueName: "key"
        )
    )
    var logKey: String?

    @OptionGroup var witnesses: WitnessOptions

    @Flag(help: "Show people what is published, on a page of each app.")
    var publicPages = false

    @Option(help: "A folder of packages of a marketplace to serve as well.")
    var packages: String?

    @Option(
        help: ArgumentHelp(
            "Below which path packages are served (default: \(PackageSettings.usualPath)).",
            valueName: "path"
        )
    )
    var packagesPath: String?

    /// The packages that the options name.
    func packageSettings() throws -> PackageSettings? {
        guard let packages else {
            guard packagesPath == nil else {
                throw ValidationError("--packages-path is for a folder given with --packages.")
            }
            return nil
        }
        let path = packagesPath ?? PackageSettings.usualPath
        guard
            let settings = PackageSettings(folder: absolutePath(packages), path: path)
        else { throw ValidationError("--packages-path needs \(PackageSettings.grammar).") }
        return settings
    }

    func validate() throws {
        try refuseEmpty(fromCA, "--from-ca")
        try refuseEmpty(keys, "--keys")
        try refuseEmpty(memory, "--memory")
        try refuseEmpty(packages, "--packages")
        guard logKey != nil || witnesses.witnessKey.isEmpty else {
            throw ValidationError("--witness-key needs --log-key, whose log it is the witness of.")
        }
        guard !from.isEmpty, !from.contains("") else {
            throw ValidationError("--from needs \(EdgeSource.grammar).")
        }
        guard name.map(EdgeName.isAllowed) ?? true else {
            throw ValidationError("--name needs \(EdgeName.grammar).")
        }
        guard Set(keyHost.map(\.name)).count == keyHost.count else {
            throw ValidationError("--key-host names one host twice; a host belongs to one key.")
        }
    }

    /// Runs until it is told to stop.
    func run(
        _ logging: LogOptions,
        _ tls: TLSOptions,
        answering devices: DeviceSettings? = nil,
        serving given: PackageSettings? = nil
    ) async throws {
        let packages = try packageSettings() ?? given
        guard let address = ListenAddress(listen) else {
            throw ValidationError("--listen needs a host and a port such as 127.0.0.1:8081.")
        }
        let sources = try sources()
        guard fromCA == nil || sources.contains(where: \.isSecure) else {
            throw ValidationError("--from-ca is for an origin at an https address.")
        }
        let files = try tls.files()
        let statsAddress = try inner("--stats", stats, such: "127.0.0.1:8082", beside: address)
        let origin = try inner(
            "--origin-listen",
            originListen,
            such: "10.0.0.7:8083",
            beside: address
        )
        try logging.format().bootstrap()
        var configuration = EdgeInstance.Configuration(
            sources: sources,
            keys: absolutePath(keys),
            listen: address,
            memory: memory.map(absolutePath),
            hosts: keyHost
        )
        configuration.authorities = fromCA.map(absolutePath)
        configuration.stats = statsAddress
        (configuration.origin, configuration.name) = (origin, name)
        configuration.tls = files
        if let logKey { configuration.log = try witnesses.trust(with: logVerifierKey(logKey)) }
        configuration.devices = devices
        configuration.packages = packages
        configuration.servesPages = publicPages
        try await EdgeInstance(configuration, logger: Logger(label: "plimsoll")).run()
    }

    private func sources() throws -> [EdgeSource] {
        let sources = try from.map { text in
            let place = text.contains("://") ? text : absolutePath(text)
            guard let source = EdgeSource(place, environment: environment) else {
                throw ValidationError("--from needs \(EdgeSource.grammar).")
            }
            return source
        }
        guard sources.count(where: \.isFolder) <= 1 else {
            throw ValidationError("--from names two folders; an edge reads one.")
        }
        return sources
    }

    /// Where somebody other than phones is answered.
    private func inner(
        _ option: String,
        _ text: String?,
        such example: String,
        beside listen: ListenAddress
    ) throws -> ListenAddress? {
        guard let text else { return nil }
        guard let address = ListenAddress(text) else {
            throw ValidationError("\(option) needs a host and a port such as \(example).")
        }
        guard address.port == 0 || address.port != listen.port else {
            throw ValidationError(
                "\(option) needs another port than --listen, which phones reach."
            )
        }
        return address
    }
}

extension KeyHost: TextArgumentValue {}
