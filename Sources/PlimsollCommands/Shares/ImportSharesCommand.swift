import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll shares import`: a count takes the place of the last one.
struct ImportSharesCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a count of devices, so that diffs show how many they block.",
        discussion: """
            The file is CSV with the columns app, devices and, where systems are told apart, os; \
            or JSON: {"rows": [{"app": "3.1.0", "os": "15.4", "devices": 1200}]}. It replaces the \
            last count of the platform.

            Examples:
              plimsoll shares import ios devices.csv --reason "Week 47"
              plimsoll shares import android - --app harbour --dry-run
            """
    )

    @Argument(help: "The platform of the devices.")
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
        let (written, isTable) = try form()
        let form = VersionSharesForm(
            shares: written.shares,
            reason: try PlimsollCommands.reason(reason) ?? written.reason
        )
        return try await service.withClient { client in
            let slug = try await app.slug(client)
            let answer = try await naming(linesOf: isTable) {
                try await submission.write { options in
                    try await client.replace(sharesOf: slug, on: platform, form, options)
                }
            }
            output.show(answer.report(dryRun: submission.dryRun))
            submission.note(output)
            return .done
        }
    }

    /// The service speaks of rows; whoever wrote a table looks for lines.
    private func naming<Answer>(
        linesOf isTable: Bool,
        _ write: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await write()
        } catch let failure as Failure where isTable {
            throw failure.ofTable
        }
    }

    /// What the file says, and whether it is a table.
    private func form() throws -> (VersionSharesForm, isTable: Bool) {
        let bytes = try contents(of: file, upTo: Self.bytesMaximum)
        guard bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") else {
            do throws(SharesTableFault) {
                let shares = try VersionShares(csv: bytes, platform)
                return (VersionSharesForm(shares: shares), isTable: true)
            } catch {
                throw Failure(
                    .usage,
                    "\(legible(file)) is no count of devices.",
                    detail: error.sentence
                )
            }
        }
        do throws(Problem) {
            return (try VersionSharesForm(body: bytes), isTable: false)
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

extension Failure {
    /// The same, with the lines of a table in the place of the rows that were sent: the first row
    /// stands below the names of the columns.
    fileprivate var ofTable: Failure {
        let checks = checks.map { check in
            let detail = check.detail.replacing(/\(\/rows\/([0-9]+)(?:\/([a-z]+))?\)$/) { match in
                let line = Int(match.1).map { "line \($0 + 2)" } ?? "a line"
                return match.2.map { "(\(line), \($0))" } ?? "(\(line))"
            }
            return Check(detail: detail, remedy: check.remedy)
        }
        return Failure(status, title, detail: detail, checks: checks, next: next)
    }
}
