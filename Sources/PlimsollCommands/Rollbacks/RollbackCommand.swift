import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// `plimsoll rollback`: back to what was, at once and by one person.
struct RollbackCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Restore the documents to an earlier state.",
        discussion: """
            It shows the effect and asks. Nothing is deleted: the old content is published anew, \
            and the way back is another rollback.

            To take back one change and nothing that came after it, use plimsoll revert. What \
            --yes takes back of other people's later changes has to be counted: --undoing 2.

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
        help: ArgumentHelp(
            "To the state at a time, such as 2h (ago) or 2026-11-21T08:00:00Z.",
            valueName: "time"
        ),
        transform: pastMoment
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
    @Option(
        help: ArgumentHelp(
            "How many changes of others it takes back, besides that of --before-change.",
            valueName: "count"
        )
    )
    var undoing: Int?
    @OptionGroup var steps: RollbackSteps
    @OptionGroup var app: AppOption
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
        if let undoing, undoing < 0 { throw ValidationError("--undoing is a number from 0 on.") }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let target = targets.first, let words = try PlimsollCommands.reason(steps.reason)
        else { return .usage }
        let form = RollbackForm(
            target: target,
            platforms: platform.isEmpty ? nil : platform,
            fields: parts(\.field),
            thresholds: parts(\.threshold),
            undoing: undoing ?? (steps.showsFirst ? nil : 0),
            reason: words
        )
        return try await steps.take(form, output, isNarrow: !only.isEmpty) { client in
            try await app.slug(client)
        }
    }

    private func parts<Part>(_ part: (RollbackPart) -> Part?) -> [Part]? {
        let parts = only.compactMap(part)
        return parts.isEmpty ? nil : parts
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
