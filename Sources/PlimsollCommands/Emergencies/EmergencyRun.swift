import ArgumentParser
import PlimsollAPI
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
    ) async throws -> EmergencyReceipt {
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
        let people = await output.people(client)
        return EmergencyReceipt(
            answer: receipt,
            report: receipt.report(people, dryRun: submission.dryRun)
        )
    }

    func finish(
        _ receipt: EmergencyReceipt,
        _ edge: EdgeWait?,
        _ output: Output
    ) async throws -> ExitStatus {
        let answer = receipt.answer
        guard let position = answer.position else {
            output.show(receipt.report)
            output.noteRehearsal()
            return .done
        }
        try await output.show(
            receipt.report,
            of: AppliedWrite(app: answer.app, effect: answer.changes, position: position),
            servedBy: edge,
            trusting: service
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
                + " ordered as sequence \(sequence)"
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
        lines += overtaken.map {
            "overtakes change \($0), which waits for its time: it is in conflict now"
        }
        lines += textsMissing.map { "no text   \($0.name): people who read it see none" }
        return lines.map(Report.Block.line) + blocked.blocks + checks.blocks + changes.blocks
    }
}

/// What was done in an emergency, and how it is shown.
struct EmergencyReceipt {
    let answer: EmergencyAnswer
    let report: Report
}
