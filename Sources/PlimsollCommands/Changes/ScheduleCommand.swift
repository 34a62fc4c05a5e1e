import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// `plimsoll change schedule`: a time of its own, another one, or none.
struct ScheduleCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Set when a change takes effect, and when it ends.",
        discussion: """
            The whole schedule is replaced: without --until it does not end, without --at it comes \
            into force with its last approval. The schedule is part of what is approved, so \
            earlier approvals count no more.

            Examples:
              plimsoll change schedule 17 --at 2026-12-01T09:00 --time-zone Europe/London --yes
              plimsoll change schedule 17 --at 2026-12-24T00:00:00Z --until 2026-12-27T00:00:00Z
              plimsoll change schedule 17 --clear --yes
            """
    )

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var schedule: ScheduleOptions
    @Flag(help: "Take the schedule away.")
    var clear = false
    @OptionGroup var service: ServiceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if clear != schedule.isEmpty {
            throw ValidationError("Give --at, --until or both, or else --clear.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = SchedulingForm(schedule: try schedule.schedule())
        return try await service.withClient { client in
            let digest = try await decision.digest(toDecide: "Schedule", client)
            let change = try await decision.submission.write { options in
                try await client.schedule(decision.id, seen: digest, form, options)
            }
            let people = await output.people(client)
            output.show(change.report(people, dryRun: decision.submission.dryRun))
            if change.outcome.approvals.contains(where: { !$0.counts }) {
                output.note("It was approved for another time; it has to be approved anew.")
            }
            return .done
        }
    }
}
