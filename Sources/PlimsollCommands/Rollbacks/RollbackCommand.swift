import ArgumentParser
import PlimsollAPI
import PlimsollAdmin
import PlimsollDomain
import PlimsollJSON

/// `plimsoll rollback`: back to what was, at once and by one person.
struct RollbackCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Bring the documents back to an earlier state.",
        discussion: """
            It shows the effect and asks. Nothing is deleted: the old content is published anew, \
            and the way back is another rollback.

            Examples:
              plimsoll rollback --before-change 17 --reason "3.2.0 never reached the store"
              plimsoll rollback --to-event 42 --platform ios --reason "Wrong text" --yes --wait
              plimsoll rollback --to last-good --live-for 12h --reason "Phones are locked out"
              plimsoll rollback --to-event 42 --only ios.minimumApp.value --reason "Too high"
              plimsoll rollback --to-time 2026-11-21T08:00:00Z --reason "Drill" --dry-run
              plimsoll rollback --to-event 42 --reason "Which phones?" --dry-run --matrix
            """
    )

    @Option(help: ArgumentHelp("To the state after an event.", valueName: "position"))
    var toEvent: Position?
    @Option(
        help: ArgumentHelp("To the state at a time, as 2026-11-21T08:00:00Z.", valueName: "time")
    )
    var toTime: Instant?
    @Option(help: ArgumentHelp("To the state before a change was applied.", valueName: "change"))
    var beforeChange: ChangeID?
    @Option(
        help: ArgumentHelp(
            "last-good: to the newest approved state that was live for --live-for.",
            valueName: "last-good"
        )
    )
    var to: RollbackDestination?
    @Option(help: ArgumentHelp("How long the last good state was live.", valueName: "time"))
    var liveFor: String?
    @Option(parsing: .singleValue, help: "Only this platform; may be repeated.")
    var platform: [Platform] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Only this field or threshold, such as ios.minimumApp.value or ios.minimumApp; may be"
                + " repeated.",
            valueName: "field"
        )
    )
    var only: [RollbackPart] = []
    @Flag(help: "With --dry-run: what every known release shows now, and what it would show.")
    var matrix = false
    @Option(help: "Why; it is kept with the event.")
    var reason: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var wait: WaitOption
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions
    @OptionGroup var output: OutputOptions

    private var targets: [RollbackTarget] {
        [
            toEvent.map(RollbackTarget.event), toTime.map(RollbackTarget.time),
            beforeChange.map(RollbackTarget.beforeChange),
            to.map { _ in
                RollbackTarget.lastGood(seconds: liveSeconds ?? RollbackTarget.liveSecondsUsual)
            },
        ].compactMap { $0 }
    }

    private var liveSeconds: Int64? {
        liveFor.flatMap(Duration.init(written:)).map(\.components.seconds)
    }

    func validate() throws {
        guard targets.count == 1 else {
            throw ValidationError(
                "Say where to, once: --to-event, --to-time, --before-change or --to last-good."
            )
        }
        if liveFor != nil, to == nil || (liveSeconds ?? 0) < 1 {
            throw ValidationError("--live-for goes with --to last-good, and is a time such as 12h.")
        }
        if !only.isEmpty, !platform.isEmpty {
            throw ValidationError("Say --only or --platform, not both.")
        }
        if matrix, !submission.dryRun {
            throw ValidationError("--matrix goes with --dry-run: it says what would move.")
        }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let target = targets.first, let words = try PlimsollCommands.reason(reason) else {
            return .usage
        }
        let edge = try wait.edge()
        if !submission.dryRun { try confirmation.check() }
        let form = RollbackForm(
            target: target,
            platforms: platform.isEmpty ? nil : platform,
            fields: parts(\.field),
            thresholds: parts(\.threshold),
            reason: words
        )
        let (receipt, report) = try await service.withClient { client in
            let slug = try await app.slug(client)
            var form = form
            if !submission.dryRun, !confirmation.yes {
                let rehearsal = try await client.rollBack(slug, form, WriteOptions(.dryRun))
                output.preview(rehearsal.blocks(await people(in: rehearsal, client)))
                try confirmation.obtain("Roll \(slug) back to event \(rehearsal.target)?")
                form = form.pinned(to: rehearsal.target)
            }
            let receipt = try await submission.write { [form] options in
                try await client.rollBack(slug, form, options)
            }
            let people = output.format == .table ? await people(in: receipt, client) : People()
            var report = receipt.report(people, dryRun: submission.dryRun)
            if matrix {
                let app = try await client.app(slug)
                report = try await RollbackMatrix(receipt, of: only, app, client)
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

    private func parts<Part>(_ part: (RollbackPart) -> Part?) -> [Part]? {
        let parts = only.compactMap(part)
        return parts.isEmpty ? nil : parts
    }

    /// Names are asked for only where somebody is named.
    private func people(in receipt: RollbackAnswer, _ client: AdminClient) async -> People {
        let outlook = receipt.outlook
        return outlook.review != nil || outlook.origin != nil ? await People(client) : People()
    }
}

/// A field or all of a threshold.
enum RollbackPart: ExpressibleByArgument {
    case field(Field)
    case threshold(ThresholdPlace)

    init?(argument: String) {
        if let field = Field(path: argument) {
            self = .field(field)
        } else if let place = ThresholdPlace(path: argument) {
            self = .threshold(place)
        } else {
            return nil
        }
    }

    var field: Field? {
        if case .field(let field) = self { field } else { nil }
    }

    var threshold: ThresholdPlace? {
        if case .threshold(let place) = self { place } else { nil }
    }
}

/// A destination that has a name of its own.
enum RollbackDestination: String, CaseIterable, ExpressibleByArgument {
    case lastGood = "last-good"
}
