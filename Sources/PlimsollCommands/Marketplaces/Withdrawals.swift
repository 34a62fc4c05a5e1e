import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll marketplace withdraw`: packages are handed out no more, ever.
struct WithdrawPackagesCommand: FormCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw",
        abstract: "Withdraw packages of an app for ever, at once and without approval (take-down).",
        discussion: """
            Nothing offers them again: no rollback, no end of a change and no schedule. Versions or \
            ids of packages may be named before anybody has seen them. It shows the effect and asks; \
            somebody else reviews it afterwards: plimsoll reviews. What is left may not fit a minimum \
            that the app demands; then it says so.

            Examples:
              plimsoll marketplace withdraw 878123456789 --reason "It leaks passwords" \\
                --app harbour
              plimsoll marketplace withdraw --package 5f2c9a10 --reason "Taken down" --yes
              plimsoll marketplace withdraw 878123456789 --reason "It leaks" --yes --wait
              plimsoll marketplace withdraw 878123456789 --reason "Drill" --dry-run
            """
    )

    @Argument(help: "AppleVersionIDs.")
    var versions: [AppleVersionID] = []
    @Option(
        parsing: .singleValue,
        help: "A package by the id that notifications call it; may be repeated."
    )
    var package: [PackageID] = []
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var wait: WaitOption
    @OptionGroup var app: AppOption
    @OptionGroup var writing: WritingOptions

    func validate() throws {
        if versions.isEmpty, package.isEmpty {
            throw ValidationError("Say what is withdrawn: AppleVersionIDs, or --package.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = PackageWithdrawalForm(
            versions: versions,
            packages: package,
            reason: try Reason(written: reason)
        )
        let edge = try wait.edge()
        if !submission.dryRun { try confirmation.check() }
        let (answer, report) = try await service.withClient { client in
            let slug = try await app.slug(client)
            if !submission.dryRun, !confirmation.yes {
                let dryRun = try await client.call(
                    Endpoints.withdrawPackages,
                    slug,
                    form,
                    WriteOptions(.dryRun)
                )
                Output.preview(dryRun.blocks(await People(client)))
                try confirmation.obtain("Withdraw this for ever?")
            }
            let answer = try await submission.write { options in
                try await client.call(Endpoints.withdrawPackages, slug, form, options)
            }
            let blocks = answer.blocks(await output.people(client))
            return (answer, Report(answer.json, blocks, dryRun: submission.dryRun))
        }
        let remark = answer.review?.position.map {
            "Somebody else looks at it: plimsoll reviews show \($0)"
        }
        guard !submission.dryRun, let edge else {
            output.show(report)
            submission.note(output, remark)
            return .done
        }
        try await output.show(
            report,
            remark: remark,
            noting: { proof in
                proof == nil
                    ? "No marketplace lists \(answer.list.app): devices are told nothing of it."
                    : "Devices are told that it was withdrawn."
            }
        ) {
            guard answer.isPublished else { return nil }
            return try await edge.wait(forWithdrawalsIn: answer.list, trusting: service)
        }
        return .done
    }
}

extension WithdrawalAnswer {
    /// Whether devices are told anything of the app's packages.
    fileprivate var isPublished: Bool { !list.listings.isEmpty }

    fileprivate func blocks(_ people: People) -> [Report.Block] {
        var lines = [
            taken.isEmpty
                ? "\(list.app): none of it was offered"
                : "\(list.app): offered no more: \(words(taken, none: "nothing"))",
            "withdrawn  \(words(list.withdrawn, none: "no version that is known"))",
            "offered    \(words(list.offered, none: "nothing"))",
        ]
        guard let review else {
            return (lines + ["Everything was withdrawn already."]).map(Report.Block.line)
        }
        let names = review.reviewers.map(people.name).joined(separator: ", ")
        lines += [
            "review     by somebody else in the role \(review.order.role.rawValue) until"
                + " \(review.order.due); \(people.name(review.order.owner)) sees to it",
            "           may be closed by \(names.isEmpty ? "nobody who is here yet" : names)",
        ]
        return lines.map(Report.Block.line) + checks.blocks
    }

    private func words(_ versions: [AppleVersionID], none: String) -> String {
        versions.isEmpty ? none : versions.map(\.text).joined(separator: ", ")
    }
}
