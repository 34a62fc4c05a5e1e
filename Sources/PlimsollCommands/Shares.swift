import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll shares import`: a count takes the place of the last one.
struct ImportSharesCommand: FormCommand {
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
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (written, isTable) = try form()
        let form = VersionSharesForm(
            shares: written.shares,
            reason: try Reason(written: reason) ?? written.reason
        )
        return try await naming(linesOf: isTable) {
            try await write(
                Endpoints.replaceVersionShares,
                { AppPlatform(try await app.slug($0), platform) },
                form,
                output
            ) {
                Receipt($0.blocks)
            }
        }
    }

    /// The service speaks of rows; whoever wrote a table looks for lines.
    private func naming(
        linesOf isTable: Bool,
        _ write: () async throws -> ExitStatus
    ) async throws -> ExitStatus {
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
                    detail: legible(error.sentence)
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
        var failure = self
        failure.checks = checks.map { check in
            let detail = check.detail.replacing(/\(\/rows\/([0-9]+)(?:\/([a-z]+))?\)$/) { match in
                let line = Int(match.1).map { "line \($0 + 2)" } ?? "a line"
                return match.2.map { "(\(line), \($0))" } ?? "(\(line))"
            }
            return Check(detail: detail, remedy: check.remedy)
        }
        return failure
    }
}

/// `plimsoll shares remove`: nobody counts any more.
struct RemoveSharesCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the count of devices of a platform.",
        discussion: """
            For example: plimsoll shares remove ios --reason "Nobody counts any more"
            """
    )

    @Argument(help: "The platform of the devices.")
    var platform: Platform
    @Option(help: "Why; it is kept with the event.")
    var reason: String?
    @OptionGroup var app: AppOption
    @OptionGroup var writing: WritingOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = ReasonForm(reason: try Reason(written: reason))
        return try await write(
            Endpoints.removeVersionShares,
            { AppPlatform(try await app.slug($0), platform) },
            form,
            output
        ) { _ in
            "There is no count of \(platform.name) devices any more."
        }
    }
}

/// `plimsoll shares`: how many devices were counted with which versions.
struct SharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "Import, show or remove counts of devices by version.",
        discussion: "For example: plimsoll shares show ios",
        subcommands: [
            ImportSharesCommand.self, ShowSharesCommand.self, RemoveSharesCommand.self,
        ]
    )
}

/// `plimsoll shares show`.
struct ShowSharesCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the last count of devices on a platform.",
        discussion: "For example: plimsoll shares show ios --json"
    )

    @Argument(help: "The platform of the devices.")
    var platform: Platform
    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func report(_ client: AdminClient, _ output: Output) async throws -> Report {
        let place = AppPlatform(try await app.slug(client), platform)
        let answer = try await client.call(Endpoints.getVersionShares, place)
        return Report(answer.json, answer.blocks)
    }
}

extension VersionSharesAnswer {
    fileprivate var blocks: [Report.Block] {
        let rows = shares.rows.map { row in
            [row.app.description, row.system?.description ?? "any", String(row.devices)]
        }
        return Table(["APP", "OS", "DEVICES"], rows).blocks(
            none: "No devices were counted; plimsoll shares import takes a count."
        )
    }
}

extension [BlockedShare] {
    /// What is blocked, for whoever decides.
    var blocks: [Report.Block] {
        map { .line("blocked   \($0.platform.name) \($0.sentence)") }
    }
}
