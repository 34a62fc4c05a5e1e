import ArgumentParser

/// `plimsoll verify document`: a document in a file, offline.
struct VerifyDocumentCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Check a document with the headers it came with.",
        discussion: """
            For example:
              plimsoll verify document availability-ios \\
                --signature-header 'keyId="…",signature="…"' \\
                --signature-date 'Mon, 03 Aug 2020 22:59:35 UTC' --key key.pem
            """
    )

    @Argument(help: "The file with the body, exactly as it was served.")
    var file: String
    @Option(help: ArgumentHelp("The value of x-amz-meta-signature.", valueName: "value"))
    var signatureHeader: String
    @Option(help: ArgumentHelp("The value of x-amz-meta-signature-date.", valueName: "value"))
    var signatureDate: String
    @Option(help: ArgumentHelp("The key to trust: PEM, or a keys.json.", valueName: "file"))
    var key: String
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let verification = try DocumentVerification(
            try contents(of: file),
            signatureHeader: signatureHeader,
            dateHeader: signatureDate,
            keyFile: key
        )
        output.show(verification.report)
        return .done
    }
}
