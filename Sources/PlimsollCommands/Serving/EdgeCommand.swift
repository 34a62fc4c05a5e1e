import ArgumentParser
import Logging
import PlimsollServer

/// `plimsoll edge`: serves phones from an export folder, and nothing else.
struct EdgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edge",
        abstract: "Serve phones from an export folder, without a database or a private key.",
        discussion: """
            It serves only what the given keys have signed, and nothing older than it has served \
            before. A file that lies in the export folder itself, such as its keys.json, is no \
            better than that folder: give a copy that you trust where the folder comes from \
            elsewhere.

            Example:
              plimsoll edge --from /srv/export --keys /etc/plimsoll/keys.json \\
                --listen 0.0.0.0:8081 --memory /var/lib/plimsoll-edge
            """
    )

    @Option(help: "The export folder.")
    var from: String

    @Option(help: "The keys to trust, as in the keys.json of an export.")
    var keys: String

    @Option(help: "Where phones are served.")
    var listen = "127.0.0.1:8081"

    @Option(help: "A folder to remember the highest sequences in.")
    var memory: String?

    func run() async throws {
        guard let address = ListenAddress(listen) else {
            throw ValidationError("--listen needs a host and a port such as 127.0.0.1:8081.")
        }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        let configuration = EdgeInstance.Configuration(
            export: absolutePath(from),
            keys: absolutePath(keys),
            listen: address,
            memory: memory.map(absolutePath)
        )
        try await EdgeInstance(configuration, logger: Logger(label: "plimsoll")).run()
    }
}
