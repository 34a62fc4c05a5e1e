import ArgumentParser
import Configuration
import Logging
import PlimsollServer

/// `plimsoll marketplace serve`: answers devices from what was published elsewhere.
struct MarketplaceServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Answer devices that install from a marketplace, without a database.",
        discussion: """
            It is an edge that also answers restores and updates, at the addresses that the \
            marketplace's configuration names, and serves that configuration on the marketplace's \
            domains. All of it comes from the newest snapshots that the given keys have signed, so \
            any number of them may run side by side.

            A key that signs tokens is given by its id in App Store Connect and where its private \
            half is, as PEM in a file or in a variable of the environment: ID=/path/key.pem, \
            ID=env:NAME. Several may be given, each with the time from which it signs \
            (ID@2026-12-01T00:00:00Z=…), or for one marketplace alone (APPLEITEMID/ID=…). AWS KMS \
            signs with a key that it keeps, as ID=arn:aws:kms:REGION:ACCOUNT:key/UUID. Without \
            one devices are told that nothing can be installed. How devices' own tokens are judged \
            is set in the environment (PLIMSOLL_MARKETPLACE_AUTHORIZATION_…) or in the file given \
            with --config.

            Examples:
              plimsoll marketplace serve --from /srv/export \\
                --keys /etc/plimsoll/keys.json \\
                --listen 0.0.0.0:443 --tls-certificate /etc/plimsoll/tls/chain.pem \\
                --tls-key /etc/plimsoll/tls/key.pem --stats 127.0.0.1:8082 \\
                --token-key 2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42=/etc/plimsoll/token.pem
              plimsoll marketplace serve --from https://config.example.com \\
                --keys /etc/plimsoll/keys.json \\
                --token-key 2b5fd8a1-3c5e-4c59-9d53-6a1b7c9e0d42=env:PLIMSOLL_TOKEN_KEY
            """
    )

    @OptionGroup var edge: EdgeOptions
    @OptionGroup var tokens: TokenKeyOptions

    @Option(help: "A JSON file with settings.")
    var config: String?

    @OptionGroup var logging: LogOptions
    @OptionGroup var tls: TLSOptions

    func run() async throws {
        let (devices, packages) = try await ServerSettings.read(
            arguments: tokens.settings,
            file: config,
            isShared: true
        ) { config in
            (try DeviceSettings(config: config), try config.packages("marketplace.packages"))
        }
        try await edge.run(logging, tls, answering: devices, serving: packages)
    }
}

/// The keys that sign what devices install.
struct TokenKeyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A key that signs install verification tokens; may be repeated.",
            valueName: "id=place"
        )
    )
    var tokenKey: [String] = []

    @Option(help: "For how many seconds such a token is good (default: 1200).")
    var tokenSeconds: Int?

    /// An empty one is most often a variable that is not set, and nobody wants to start without.
    func validate() throws {
        if tokenKey.contains(where: \.isEmpty) {
            throw ValidationError("--token-key is empty; it names a key as id=place.")
        }
    }

    var settings: [String: ConfigContent] {
        var given: [String: ConfigContent] = [:]
        if !tokenKey.isEmpty { given["marketplace.tokenKeys"] = .stringArray(tokenKey.map(placed)) }
        given["marketplace.tokenSeconds"] = tokenSeconds.map { .int($0) }
        return given
    }

    /// A file is named from where the command is given.
    private func placed(_ text: String) -> String {
        let sides = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard sides.count == 2, !["env:", "arn:"].contains(where: sides[1].hasPrefix) else {
            return text
        }
        return "\(sides[0])=\(absolutePath(sides[1]))"
    }
}
