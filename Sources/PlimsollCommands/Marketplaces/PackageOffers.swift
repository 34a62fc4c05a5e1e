import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// What is common to the edits of the packages that are offered.
struct PackageEditOptions: ParsableArguments {
    @Argument(help: "The AppleVersionID of the package.", transform: versionID)
    var version: AppleVersionID
    @Option(help: "One line that says what the change does.")
    var title: String
    @Option(help: "Why it is made.")
    var reason: String?
    @Option(
        help: ArgumentHelp(
            "The position at which you looked at the list; what is live now without it.",
            valueName: "position"
        )
    )
    var base: Position?
    @OptionGroup var schedule: PackageScheduleOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions

    func propose(_ output: Output, _ edit: PackageEdit) async throws -> ExitStatus {
        let (title, reason) = (try Title(written: title), try Reason(written: reason))
        let schedule = try schedule.schedule()
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            let form = ProposalForm(
                title: title,
                reason: reason,
                base: base ?? app.position,
                operations: [Operation(.ios, .packages(edit))],
                schedule: schedule
            )
            return try await PlimsollCommands.propose(
                form,
                for: app,
                asked: base == nil ? form.asked : nil,
                client,
                submission,
                output
            )
        }
    }
}

/// When a package comes to be offered, and for how long.
struct PackageScheduleOptions: ParsableArguments {
    @Option(
        name: .customLong("from"),
        help: ArgumentHelp(
            "When it comes into force: with an offset, or as clocks in --time-zone show it.",
            valueName: "time"
        )
    )
    private var start: WrittenTime?
    @Option(
        name: .customLong("until"),
        help: ArgumentHelp(
            "When it ends and the list goes back, written likewise.",
            valueName: "time"
        )
    )
    private var end: WrittenTime?
    @Option(
        help: ArgumentHelp(
            "The time zone that the times are of and shown in, such as Europe/London.",
            valueName: "name"
        )
    )
    private var timeZone: ZoneClock?

    func validate() throws {
        if start == nil, end == nil, timeZone != nil {
            throw ValidationError("--time-zone is of a time; give --from or --until.")
        }
        _ = try schedule()
    }

    func schedule() throws -> Schedule? {
        guard start != nil || end != nil else { return nil }
        return Schedule(
            at: try start?.instant(in: timeZone, "--from"),
            until: try end?.instant(in: timeZone, "--until"),
            timeZone: timeZone?.name ?? .utc
        )
    }
}

/// `plimsoll marketplace package offer`: one more is handed out.
struct OfferPackageCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Propose to offer a package.",
        discussion: """
            Devices get the newest that they can run, whatever its place; people see the order. \
            Without --at it comes last.

            Examples:
              plimsoll marketplace package offer 878123456789 --title "Offer 3.2.0" --app harbour
              plimsoll marketplace package offer 878123456789 --at 0 --title "3.2.0 for a week" \\
                --until 2026-12-08T09:00 --time-zone Europe/London --dry-run
            """
    )

    @OptionGroup var edit: PackageEditOptions
    @Option(help: "The place, from 0; what stands there or behind it moves back by one.")
    var at: Int?
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let at = try at.map { try place($0, "--at") }
        return try await edit.propose(output, .insert(edit.version, at: at))
    }
}

/// `plimsoll marketplace package move`: it stands elsewhere in the list.
struct MovePackageCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Propose another place for a package that is offered.",
        discussion: """
            For example:
              plimsoll marketplace package move 878123456789 --to 0 --title "Show 3.2.0 first"
            """
    )

    @OptionGroup var edit: PackageEditOptions
    @Option(help: "Where it is to stand afterwards, from 0.")
    var to: Int
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let to = try place(to, "--to")
        return try await edit.propose(output, .move(edit.version, to: to))
    }
}

/// `plimsoll marketplace package stop`: it is handed out no more, and may be again.
struct StopPackageCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Propose to offer a package no more.",
        discussion: """
            It can be offered again; what must never be handed out again is withdrawn, with plimsoll \
            marketplace withdraw.

            For example:
              plimsoll marketplace package stop 878123456789 --title "3.2.0 is offered no more"
            """
    )

    @OptionGroup var edit: PackageEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await edit.propose(output, .remove(edit.version))
    }
}
