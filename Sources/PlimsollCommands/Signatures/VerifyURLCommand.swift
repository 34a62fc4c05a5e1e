import ArgumentParser
import PlimsollAPI

/// `plimsoll verify url`: a document as phones are served it.
struct VerifyURLCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Fetch a document and check it.",
        discussion: """
            For example:
              plimsoll verify url http://127.0.0.1:8081/distribution/availability-ios --key key.pem
            """
    )

    @Argument(help: "Where phones fetch it.")
    var url: String
    @Option(help: ArgumentHelp("The key to trust: PEM, or a keys.json.", valueName: "file"))
    var key: String
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        guard ServiceAddress(url) != nil else {
            throw ValidationError("The address needs to be \(ServiceAddress.grammar).")
        }
        let served = try await Transport.with { transport in
            try await PublicEdge.served(at: url, over: transport)
        }
        let verification = try DocumentVerification(
            served.body,
            signatureHeader: served.signatureHeader,
            dateHeader: served.dateHeader,
            keyFile: key
        )
        output.show(verification.report)
        return .done
    }
}
