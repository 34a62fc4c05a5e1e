import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain

/// `plimsoll shares import`: a count takes the place of the last one.
struct ImportSharesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take over a count of devices, so that diffs say how many they block.",
        discussion: """
            The file is CSV with the columns app, devices and, where systems are told apart, os; \
            or JSON as REST takes it. It replaces the last count of the platform.

            Examples:
              plimsoll shares import ios devices.csv --reason "Week 47"
              plimsoll shares import android - --app harbour --dry-run
            """
    )

    @Argument(help: "What the devices run.")
    var platform: Platform
    @Argument(help: ArgumentHelp("The file; - is standard input.", valueName: "file"))
    var file: String
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let written = try form()
        let form = VersionSharesForm(
            shares: written.shares,
            reason: try PlimsollCommands.reason(reason) ?? written.reason
        )
        return try await service.withClient { client in
            let slug = try await app.slug(client)
            let answer = try await submission.write { options in
                try await client.replace(sharesOf: slug, on: platform, form, options)
            }
            output.show(answer.report(dryRun: submission.dryRun))
            if submission.dryRun { output.note("This was a rehearsal; nothing was written.") }
            return .done
        }
    }

    private func form() throws -> VersionSharesForm {
        let bytes = try contents(of: file, upTo: Self.bytesMaximum)
        guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else {
            do throws(SharesTableFault) {
                return VersionSharesForm(shares: try VersionShares(csv: bytes, platform))
            } catch {
                throw Failure(
                    .usage,
                    "\(legible(file)) is no count of devices.",
                    detail: error.sentence
                )
            }
        }
        do throws(Problem) {
            return try VersionSharesForm(body: bytes)
        } catch {
            throw Failure(
                .usage,
                "\(legible(file)) is no count of devices.",
                detail: error.detail,
                checks: error.errors.map(Failure.Check.init)
            )
        }
    }

    /// As much as the service takes.
    private static let bytesMaximum = 256 * 1024
}
