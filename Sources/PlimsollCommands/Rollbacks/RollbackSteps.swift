import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// What every way back has in common: it is shown, agreed to, made, and waited for.
struct RollbackSteps: ParsableArguments {
    @Flag(help: "With --dry-run: what every known release shows now, and what it would show.")
    var matrix = false
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var wait: WaitOption
    @OptionGroup var service: ServiceOptions
    @OptionGroup var submission: SubmissionOptions

    func validate() throws {
        if matrix, !submission.dryRun {
            throw ValidationError("--matrix goes with --dry-run: it says what would move.")
        }
    }

    /// Whether somebody sees what it does before it is done.
    var showsFirst: Bool { submission.dryRun || !confirmation.yes }

    /// Goes all the way; `isNarrow` where only some fields go back.
    func take(
        _ form: RollbackForm,
        _ output: Output,
        isNarrow: Bool,
        in app: @Sendable (AdminClient) async throws -> AppSlug
    ) async throws -> ExitStatus {
        let edge = try wait.edge()
        if !submission.dryRun { try confirmation.check() }
        let (receipt, report) = try await service.withClient { client in
            let slug = try await app(client)
            let receipt = try await write(form, of: slug, output, client)
            let people = output.format == .table ? await people(in: receipt, client) : People()
            var report = receipt.report(people, of: form.target, dryRun: submission.dryRun)
            if matrix {
                let app = try await client.app(slug)
                report = try await RollbackMatrix(receipt, isNarrow: isNarrow, app, client)
                    .report(behind: report)
            }
            return (receipt, report)
        }
        guard let position = receipt.position else {
            output.show(report)
            output.noteRehearsal()
            return .done
        }
        try await output.show(
            report,
            of: AppliedWrite(app: receipt.app, effect: receipt.changes, position: position),
            servedBy: edge,
            trusting: service
        )
        return .done
    }

    /// Somebody who is asked agrees to what was shown, and to nothing else.
    private func write(
        _ form: RollbackForm,
        of slug: AppSlug,
        _ output: Output,
        _ client: AdminClient
    ) async throws -> RollbackAnswer {
        var form = form
        if showsFirst, !submission.dryRun {
            let rehearsal = try await client.rollBack(slug, form, WriteOptions(.dryRun))
            let people = await people(in: rehearsal, client)
            output.preview(rehearsal.blocks(people, of: form.target))
            try confirmation.obtain(rehearsal.question(form.target))
            form = form.pinned(to: rehearsal)
        }
        return try await submission.write { [form] options in
            try await client.rollBack(slug, form, options)
        }
    }

    /// Names are asked for only where somebody is named.
    private func people(in receipt: RollbackAnswer, _ client: AdminClient) async -> People {
        let outlook = receipt.outlook
        return outlook.review != nil || outlook.origin != nil ? await People(client) : People()
    }
}

extension RollbackAnswer {
    fileprivate func question(_ target: RollbackTarget) -> String {
        if case .revert(let id) = target { return "Take back change \(id) of \(app)?" }
        let others = outlook.sideEffects?.undoneOfOthers.count ?? 0
        let along =
            others == 0 ? "" : ", and take back \(others) change\(others == 1 ? "" : "s") of others"
        return "Roll \(app) back to event \(self.target)\(along)?"
    }
}
