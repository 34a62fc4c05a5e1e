import ArgumentParser
import Logging
import PlimsollEdge
import PlimsollServer

/// `plimsoll edge`: serves phones from what was published elsewhere, and nothing else.
struct EdgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edge",
        abstract: "Serve phones from what was published, without a database or a private key.",
        discussion: """
            It serves only what the given keys have signed, and nothing older than it has served \
            before. A file that lies in the export folder itself, such as its keys.json, is no \
            better than that folder: give a copy that you trust where the folder comes from \
            elsewhere.

            From a store or another edge it fetches the apps that the given keys sign for, looks \
            for new ones every five seconds, and goes on with what it has while nobody answers.

            Examples:
              plimsoll edge --from /srv/export --keys /etc/plimsoll/keys.json \\
                --listen 0.0.0.0:8081 --memory /var/lib/plimsoll-edge
              plimsoll edge --from s3://config/live --keys /etc/plimsoll/keys.json
              plimsoll edge --from https://config.example.com --keys /etc/plimsoll/keys.json
            """
    )

    @Option(help: "An export folder, s3://bucket/prefix, or the address of another edge.")
    var from: String

    @Option(help: "The keys to trust, as in the keys.json of an export.")
    var keys: String

    @Option(help: "Where phones are served.")
    var listen = "127.0.0.1:8081"

    @Option(help: "A folder to remember the highest sequences in.")
    var memory: String?

    @Option(
        help: ArgumentHelp(
            "A host whose documents carry the signatures of one key; may be repeated.",
            valueName: "host=key"
        )
    )
    var keyHost: [KeyHost] = []

    func run() async throws {
        guard let address = ListenAddress(listen) else {
            throw ValidationError("--listen needs a host and a port such as 127.0.0.1:8081.")
        }
        let place = from.contains("://") ? from : absolutePath(from)
        guard let source = EdgeSource(place, environment: environment) else {
            throw ValidationError("--from needs \(EdgeSource.grammar).")
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let configuration = EdgeInstance.Configuration(
            source: source,
            keys: absolutePath(keys),
            listen: address,
            memory: memory.map(absolutePath),
            hosts: keyHost
        )
        try await EdgeInstance(configuration, logger: Logger(label: "plimsoll")).run()
    }
}
