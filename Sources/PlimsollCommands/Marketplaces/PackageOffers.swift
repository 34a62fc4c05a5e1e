import ArgumentParser
import PlimsollAPI
import PlimsollDomain

/// What is common to the edits of the packages that are offered.
struct PackageEditOptions: ParsableArguments {
    @Argument(help: "The AppleVersionID of the package.")
    var version: AppleVersionID
    @OptionGroup var list: ListChangeOptions
    @OptionGroup var schedule: ScheduleOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions

    func propose(_ output: Output, _ edit: PackageEdit) async throws -> ExitStatus {
        let change = try list.change(try schedule.schedule())
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            return try await change.propose(
                Operation(.ios, .packages(edit)),
                to: app,
                readAt: app.position,
                client,
                submission,
                output
            )
        }
    }
}

/// `plimsoll marketplace package offer`: one more is handed out.
struct OfferPackageCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "offer",
        abstract: "Propose to offer a package.",
        discussion: """
            Devices get the newest that they can run, whatever its place; people see the order. \
            Without --place it comes last.

            Examples:
              plimsoll marketplace package offer 878123456789 --title "Offer 3.2.0" \\
                --app harbour
              plimsoll marketplace package offer 878123456789 --place 0 \\
                --title "3.2.0 for a week" \\
                --until 2027-06-08T09:00 --time-zone Europe/London --dry-run
            """
    )

    @OptionGroup var edit: PackageEditOptions
    @Option(
        name: .customLong("place"),
        help: "The place, from 0; what stands there or behind it moves back by one."
    )
    var index: Int?
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let index = try index.map { try place($0, "--place") }
        return try await edit.propose(output, .insert(edit.version, at: index))
    }
}

/// `plimsoll marketplace package move`: it stands elsewhere in the list.
struct MovePackageCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Propose another place for a package that is offered.",
        discussion: """
            For example:
              plimsoll marketplace package move 878123456789 --to 0 \\
                --title "Show 3.2.0 first"
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
              plimsoll marketplace package stop 878123456789 \\
                --title "3.2.0 is offered no more"
            """
    )

    @OptionGroup var edit: PackageEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await edit.propose(output, .remove(edit.version))
    }
}
