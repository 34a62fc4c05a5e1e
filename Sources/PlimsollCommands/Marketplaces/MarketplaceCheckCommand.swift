import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON
import PlimsollMarketplace

/// `plimsoll marketplace check`: what is wrong with a marketplace, as a device sees it from outside.
struct MarketplaceCheckCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Examine a marketplace from outside, whoever runs it, and say every fault.",
        discussion: """
            It reads /.well-known/marketplace-kit as devices may, and asks the addresses that stand \
            there for an app that nobody has. It sends no token that anybody gave. That nothing is \
            found does not mean that a device accepts it.

            Addresses of licences are sent a request that is none, certificates and the page for \
            people are fetched, and so is /.well-known/oauth-authorization-server. Hosts outside of \
            the domains are asked nothing.

            The exit code is 1 where something is wrong.

            For example:
              plimsoll marketplace check https://market.example.com --domain example.com
            """
    )

    @Argument(help: "Where the marketplace is: a scheme and a host.")
    var address: String
    @Option(
        parsing: .singleValue,
        help: "A domain that is registered for it (default: the host); may be repeated."
    )
    var domain: [DomainName] = []
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let place = ServiceAddress(address) else {
            throw ValidationError(
                "\"\(excerpt(ServiceAddress.withoutSecrets(address)))\" is not"
                    + " \(ServiceAddress.grammar)."
            )
        }
        let limits = Transport.Limits(answerTimeout: .seconds(20), bytesMaximum: 4 << 20)
        let findings = try await Transport.with(limits) { transport in
            await MarketplaceCheck(place, on: domain) { request in
                try await transport.send(request)
            }.findings()
        }
        let isWell = findings.allSatisfy { $0.result != .bad }
        let json: JSONObject = [
            "ok": .bool(isWell), "checks": .array(findings.map { .object($0.json) }),
        ]
        output.show(Report(json, findings.flatMap(\.blocks)))
        return isWell ? .done : .failed
    }
}
