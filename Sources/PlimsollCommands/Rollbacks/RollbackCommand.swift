import ArgumentParser
import Foundation
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
              plimsoll rollback --to-event 42 --platform ios --reason "Wrong text" --yes \\
                --wait
              plimsoll rollback --to last-good --live-for 12h \\
                --reason "Phones are locked out"
              plimsoll rollback --to-event 42 --only ios.minimumApp.value \\
                --reason "Too high"
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
        transform: TypedMoment.past
    )
    var toTime: TypedMoment?
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
    var liveFor: Duration?
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
            toEvent.map(RollbackTarget.event), toTime.map { RollbackTarget.time($0.instant) },
            beforeChange.map(RollbackTarget.beforeChange),
            to.map { _ in
                RollbackTarget.lastGood(seconds: liveSeconds ?? RollbackTarget.liveSecondsUsual)
            },
        ].compactMap { $0 }
    }

    private var liveSeconds: Int64? { liveFor.map(\.components.seconds) }

    func validate() throws {
        guard targets.count == 1 else {
            throw ValidationError(
                "Say where to, once: --to-event, --to-time, --before-change or --to last-good."
            )
        }
        if let liveSeconds, to == nil || liveSeconds < 1 {
            throw ValidationError("--live-for goes with --to last-good, and is a second at least.")
        }
        if !only.isEmpty, !platform.isEmpty {
            throw ValidationError("Say --only or --platform, not both.")
        }
        if let undoing, undoing < 0 { throw ValidationError("--undoing is a number from 0 on.") }
    }

    func execute(_ output: Output) async throws -> ExitStatus {
        guard let target = targets.first else { return .usage }
        var typed = try form(target, undoing: undoing).json
        if let toTime { typed["to"] = .string(toTime.text) }
        let form = try form(target, undoing: undoing ?? (steps.showsFirst ? nil : 0))
        return try await steps.take(
            form,
            asked: typedDigest(typed),
            output,
            isNarrow: !only.isEmpty
        ) { client in
            try await app.slug(client)
        }
    }

    private func form(_ target: RollbackTarget, undoing: Int?) throws -> RollbackForm {
        RollbackForm(
            target: target,
            platforms: platform.isEmpty ? nil : platform,
            fields: parts(\.field),
            thresholds: parts(\.threshold),
            undoing: undoing,
            reason: try Reason(written: steps.reason)
        )
    }

    private func parts<Part>(_ part: (RollbackPart) -> Part?) -> [Part]? {
        let parts = only.compactMap(part)
        return parts.isEmpty ? nil : parts
    }
}

/// A field or all of a threshold.
enum RollbackPart: ArgumentValue {
    case field(Field)
    case threshold(ThresholdPlace)

    static let grammar = "\(Field.grammar), or \(ThresholdPlace.grammar)"

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

/// `plimsoll revert`: one change is taken back, at once and by one person.
struct RevertCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Undo one change, and nothing that came after it.",
        discussion: """
            Every field of the change goes back to what stood there before it. A field that others \
            wrote since is in conflict: it is named, and nothing happens until --keep says that it \
            stays as it is.

            Examples:
              plimsoll revert 17 --reason "3.2.0 never reached the store"
              plimsoll revert 17 --keep ios.minimumApp.title.en --reason "Too high" --yes \\
                --wait
              plimsoll revert 17 --reason "Which phones?" --dry-run --matrix
            """
    )

    @Argument(help: "The change.")
    var id: ChangeID
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "A field that stays as it is, such as ios.minimumApp.value; may be repeated.",
            valueName: "field"
        )
    )
    var keep: [Field] = []
    @OptionGroup var steps: RollbackSteps
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let form = RollbackForm(
            target: .revert(id),
            keep: keep.isEmpty ? nil : keep,
            reason: try Reason(written: steps.reason)
        )
        let asked = typedDigest(form.json)
        return try await steps.take(form, asked: asked, output, isNarrow: true) { [id] client in
            try await client.call(Endpoints.getChange, id).summary.app
        }
    }
}

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
    ///
    /// What was typed is `asked`, and in it nothing of what is shown before somebody agrees.
    func take(
        _ form: RollbackForm,
        asked: String,
        _ output: Output,
        isNarrow: Bool,
        in app: @Sendable (AdminClient) async throws -> AppSlug
    ) async throws -> ExitStatus {
        let edge = try wait.edge()
        if !submission.dryRun { try confirmation.check() }
        let (receipt, report) = try await service.withClient { client in
            let slug = try await app(client)
            let receipt = try await write(form, asked: asked, of: slug, client)
            let people = output.format == .table ? await people(in: receipt, client) : People()
            var report = receipt.report(people, of: form.target, dryRun: submission.dryRun)
            if matrix {
                let app = try await client.call(Endpoints.getApp, slug)
                report = try await RollbackMatrix(receipt, isNarrow: isNarrow, app, client)
                    .report(behind: report)
            }
            return (receipt, report)
        }
        let applied = receipt.position.map {
            AppliedWrite(app: receipt.app, effect: receipt.changes, position: $0)
        }
        return try await output.show(report, of: applied, servedBy: edge, trusting: service)
    }

    /// Somebody who is asked agrees to what was shown, and to nothing else.
    private func write(
        _ form: RollbackForm,
        asked: String,
        of slug: AppSlug,
        _ client: AdminClient
    ) async throws -> RollbackAnswer {
        var form = form
        if showsFirst, !submission.dryRun {
            let dryRun = try await submission.preview { [form] options in
                try await client.call(Endpoints.rollBack, slug, form, options)
            }
            if let dryRun {
                let people = await people(in: dryRun, client)
                Output.preview(dryRun.blocks(people, of: form.target))
                form = form.pinned(to: dryRun)
            } else {
                form = form.undoingNobodyUnseen
            }
            let question =
                dryRun?.question(form.target) ?? "Ask for this rollback of \(slug) again?"
            try confirmation.obtain(question)
        }
        return try await submission.write(asked: asked) { [form] options in
            try await client.call(Endpoints.rollBack, slug, form, options)
        }
    }

    /// Names are asked for only where somebody is named.
    private func people(in receipt: RollbackAnswer, _ client: AdminClient) async -> People {
        let outlook = receipt.outlook
        return outlook.review != nil || outlook.origin != nil ? await People(client) : People()
    }
}

extension RollbackForm {
    /// The same where a dry run led: nothing else is done.
    ///
    /// A revert leads to one place only.
    fileprivate func pinned(to dryRun: RollbackAnswer) -> RollbackForm {
        pinned(to: dryRun.target, undoing: dryRun.outlook.sideEffects?.undoneOfOthers.count)
    }

    /// The same, which takes back no change of others that nobody was shown or has counted.
    fileprivate var undoingNobodyUnseen: RollbackForm { pinned(to: seen, undoing: undoing ?? 0) }

    private func pinned(to seen: Position?, undoing: Int?) -> RollbackForm {
        if case .revert = target { return self }
        return RollbackForm(
            target: target,
            platforms: platforms,
            fields: fields,
            thresholds: thresholds,
            seen: seen,
            undoing: undoing,
            reason: reason
        )
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

/// What a rollback that was seen would move of all devices that are known of, platform by
/// platform.
struct RollbackMatrix {
    private let answers: [MatrixAnswer]
    /// What alone would go back; `nil` where all of the platforms would.
    private let fields: [Field]?

    /// Asks for what is live and for the releases; what would stand afterwards, the dry run says.
    init(
        _ dryRun: RollbackAnswer,
        isNarrow: Bool,
        _ app: AppAnswer,
        _ client: AdminClient
    ) async throws {
        let releases = try await client.releases(of: app.slug).releases
        let now = Instant(Date.now)
        let live = try await client.call(Endpoints.getPrinceOfVersions, app.slug)
        var answers: [MatrixAnswer] = []
        for platform in dryRun.platforms {
            var before = Document(platform: platform)
            if !platform.thresholds.isEmpty {
                before = try await client.document(of: app.slug, on: platform).parsed()
            }
            before.offers = live.offers[platform] ?? []
            var after = before
            for change in dryRun.changes where change.field.platform == platform {
                after[change.field] = change.after
            }
            let matrix = DeviceMatrix(
                from: before,
                to: after,
                releases: releases,
                at: now,
                app.settings
            )
            answers.append(
                MatrixAnswer(
                    app: app.slug,
                    from: DiffAnswer.Side(name: .live, position: live.position),
                    to: DiffAnswer.Side(
                        name: .rollback(.event(dryRun.target)),
                        position: dryRun.target
                    ),
                    matrix: matrix
                )
            )
        }
        self.answers = answers
        fields = isNarrow ? dryRun.changes.map(\.field) : nil
    }

    /// The report of the dry run with the matrix of each platform behind it.
    func report(behind report: Report) -> Report {
        var json = report.json
        json["matrix"] = .array(answers.map { .object(described($0)) })
        let blocks = answers.flatMap { answer -> [Report.Block] in
            [.line(""), .line("On \(answer.matrix.platform.name):")] + answer.report.blocks
        }
        return Report(json, report.blocks + blocks)
    }

    /// What only some fields lead to is no state that has a name: the fields are named.
    private func described(_ answer: MatrixAnswer) -> JSONObject {
        guard let fields else { return answer.json }
        var json = answer.json
        json["to"] = .null
        json["fields"] = .array(
            fields.filter { $0.platform == answer.matrix.platform }.map { .string($0.path) }
        )
        return json
    }
}
