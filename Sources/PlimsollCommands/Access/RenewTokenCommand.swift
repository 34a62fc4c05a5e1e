import ArgumentParser
import Foundation
import PlimsollAPI
import PlimsollDomain

/// `plimsoll token renew`: a new secret before the old one ends.
struct RenewTokenCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: "Make a new token of the one you show, for the same principal.",
        discussion: """
            The new one lives as long as the old one was to live when it was made, 90 days at most; \
            the old one ends within ten minutes. With --quiet and --format table the secret alone is \
            the result; with --into it is in a file that only you may read, and nowhere else.

            Examples:
              plimsoll token renew --into ~/.config/plimsoll/token
              plimsoll token renew --expires-in 12h
            """
    )

    @Option(
        help: ArgumentHelp("How long it is to live, such as 12h or 30d.", valueName: "time"),
        transform: { text in
            guard let duration = Duration(written: text) else {
                throw ValidationError("It needs to be \(Duration.grammar).")
            }
            return duration
        }
    )
    var expiresIn: Duration?
    @Option(
        help: ArgumentHelp(
            "A file to keep the new token in; what is there goes.",
            valueName: "file"
        )
    )
    var into: String?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = RenewalForm(expiresAt: expiresIn.map { Instant.now.advanced(by: $0) })
        // Where it cannot be kept it is not made.
        let file = try submission.dryRun ? nil : into.map(SecretFile.init)
        return try await service.withClient { client in
            let issued = try await submission.write { options in
                try await client.renewToken(form, options)
            }
            if let file, let secret = issued.secret { try file.keep(secret) }
            show(issued, isKept: file != nil, output)
            return .done
        }
    }

    private func show(_ issued: IssuedTokenAnswer, isKept: Bool, _ output: Output) {
        let shown = IssuedTokenAnswer(token: issued.token, secret: isKept ? nil : issued.secret)
        if output.isQuiet, output.format == .table, let secret = shown.secret {
            output.show(bare: legible(secret))
            return
        }
        var lines = [
            "id       \(issued.token.id)",
            "expires  \(issued.token.expiresAt?.rfc3339 ?? "never")",
        ]
        if let secret = shown.secret { lines.append("token    \(legible(secret))") }
        output.show(Report(shown.json, lines.map(Report.Block.line)))
        switch (submission.dryRun, issued.secret) {
        case (true, _): output.noteRehearsal()
        case (false, nil):
            output.note(
                "This token was made by an earlier request, and its secret cannot be shown again."
                    + " Renew the old one once more while it lives."
            )
        case (false, _):
            let place = into.map { "It is in \(legible($0))" } ?? "It is shown this once"
            output.note("\(place); the old one ends within ten minutes.")
        }
    }
}

/// A file for a secret, readable by its owner alone.
private struct SecretFile {
    private let file: URL
    private let draft: URL

    /// Makes the draft, so that a folder that takes no files is found out before there is a secret.
    init(_ path: String) throws {
        file = URL(fileURLWithPath: path)
        draft = file.deletingLastPathComponent()
            .appendingPathComponent(".\(file.lastPathComponent).\(UUID().uuidString)")
        let isMade = FileManager.default.createFile(
            atPath: draft.path,
            contents: Data(),
            attributes: [.posixPermissions: 0o600]
        )
        guard isMade else { throw Failure(.failed, "\(legible(path)) cannot be written.") }
    }

    func keep(_ secret: String) throws {
        do {
            let handle = try FileHandle(forWritingTo: draft)
            try handle.write(contentsOf: Data((secret + "\n").utf8))
            try handle.synchronize()
            try handle.close()
            try? FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: draft, to: file)
        } catch {
            // It exists, so it is better shown than lost.
            throw Failure(
                .failed,
                "The token was renewed, and \(legible(file.path)) could not be written: keep it yourself.",
                detail: secret
            )
        }
    }
}
