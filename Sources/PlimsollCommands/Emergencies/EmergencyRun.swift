import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// Shows an emergency, asks, carries it out and waits for phones.
struct EmergencyRun: ParsableArguments {
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var wait: WaitOption
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions

    /// Finds out before anybody is asked what would keep it from being carried out.
    func check() throws -> EdgeWait? {
        let edge = try wait.edge()
        if !submission.dryRun { try confirmation.check() }
        return edge
    }

    /// The receipt, once somebody agreed; whoever may only propose is told how.
    func receipt(
        asking question: String,
        inStead next: String,
        _ client: AdminClient,
        _ output: Output,
        _ write: (WriteOptions) async throws(AdminError) -> EmergencyAnswer
    ) async throws -> EmergencyAnswer {
        if !submission.dryRun, !confirmation.yes {
            let rehearsal = try await told(next) { () async throws(AdminError) in
                try await write(WriteOptions(.dryRun))
            }
            output.preview(rehearsal.blocks(await People(client)))
            try confirmation.obtain(question)
        }
        let receipt = try await submission.write { options in
            try await told(next) { () async throws(AdminError) in try await write(options) }
        }
        output.show(receipt.report(await output.people(client), dryRun: submission.dryRun))
        return receipt
    }

    func finish(
        _ receipt: EmergencyAnswer,
        _ edge: EdgeWait?,
        _ output: Output
    ) async throws -> ExitStatus {
        guard let position = receipt.position else {
            output.noteRehearsal()
            return .done
        }
        try await edge?.wait(
            for: receipt.changes,
            of: receipt.app,
            orderedUpTo: position,
            trusting: service,
            output
        )
        return .done
    }

    private func told(
        _ next: String,
        _ write: () async throws(AdminError) -> EmergencyAnswer
    ) async throws -> EmergencyAnswer {
        do throws(AdminError) {
            return try await write()
        } catch {
            let codes = error.problem?.errors.map(\.code) ?? []
            guard codes.contains("proposeInstead") else { throw error }
            let failure = Failure(error)
            throw Failure(
                failure.status,
                failure.title,
                detail: failure.detail,
                checks: failure.checks,
                next: next
            )
        }
    }
}

extension EmergencyAnswer {
    fileprivate func report(_ people: People, dryRun: Bool) -> Report {
        var json = json
        if dryRun { json["dryRun"] = true }
        return Report(json, blocks(people))
    }

    fileprivate func blocks(_ people: People) -> [Report.Block] {
        let names = Set(changes.map(\.field.platform)).sorted().map(\.name)
        var heading = "\(app) on \(names.joined(separator: " and "))"
        if let change, let position, let sequence {
            heading +=
                ": change \(change) done as event \(position),"
                + " published as sequence \(sequence)"
        }
        let order = review.order
        var lines = [
            heading,
            "incident  \(excerpt(incident.text, 200))",
            "review    by somebody else in the role \(order.role.rawValue) until \(order.due);"
                + " \(people.name(order.owner)) sees to it",
        ]
        if let position = review.position {
            lines.append("          plimsoll reviews show \(position)")
        }
        lines += textsMissing.map { "no text   \($0.name): people who read it see none" }
        return lines.map(Report.Block.line) + blocked.blocks + checks.blocks + changes.blocks
    }
}
