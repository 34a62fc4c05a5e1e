import ArgumentParser
import PlimsollAPI
import PlimsollDomain
import PlimsollJSON

/// One offer, member by member or as a file.
struct OfferOptions: ParsableArguments {
    @Option(help: "The required version: older ones have to be updated.")
    var required: String?
    @Option(help: "The last version: older ones may be updated.")
    var last: String?
    @Option(help: "The oldest system that it is for: of iOS or macOS, an API level, or Java's.")
    var os: String?
    @Option(help: "How often a person is told: ONCE or ALWAYS (default: ONCE).")
    var notification: String?
    @Option(
        name: .customLong("requirement"),
        parsing: .singleValue,
        help: ArgumentHelp("A check for the app to make; repeatable.", valueName: "name=value")
    )
    var requirements: [String] = []
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Metadata for the app, as JSON or else as a text; may be repeated.",
            valueName: "name=value"
        )
    )
    var metadata: [String] = []
    @Option(
        help: ArgumentHelp("The offer as JSON instead, as the format has it.", valueName: "path")
    )
    var file: String?

    func validate() throws {
        let isEmpty =
            [required, last, os, notification].allSatisfy { $0 == nil } && requirements.isEmpty
            && metadata.isEmpty
        if isEmpty == (file == nil) {
            throw ValidationError("Say the offer: with --required, --last and so on, or --file.")
        }
    }

    func offer(on platform: Platform) throws -> Offer {
        do {
            let json = try file.map { try JSONValue(parsing: try contents(of: $0)) }
            let list = try offers(
                .array([json ?? .object(try members(on: platform))]),
                on: platform
            )
            return list[0]
        } catch let error as JSONError {
            throw Failure(.usage, "The offer cannot be read.", checks: JSONIssues(error).checks)
        } catch let error as JSONIssues {
            throw Failure(.usage, "The offer cannot be read.", checks: error.checks)
        } catch let fault as PathFault {
            throw ValidationError(fault.sentence)
        }
    }

    private func members(on platform: Platform) throws -> JSONObject {
        var offer = JSONObject()
        offer["requiredVersion"] = required.map { version($0, platform.versionKind) }
        offer["lastVersion"] = last.map { version($0, platform.versionKind) }
        offer["notification"] = notification.map { .string($0.uppercased()) }
        var asked = JSONObject()
        asked["os"] = os.map { version($0, platform.systemKind) }
        if !requirements.isEmpty {
            asked["custom"] = .object(try values(requirements, "--requirement region=eu"))
        }
        if !asked.isEmpty { offer["requirements"] = .object(asked) }
        if !metadata.isEmpty {
            offer["metadata"] = .object(try values(metadata, "--metadata hard=true"))
        }
        return offer
    }

    /// Version codes and levels are numbers in JSON; what is none is told of by the reader.
    private func version(_ text: String, _ kind: VersionKind) -> JSONValue {
        switch kind {
        case .integer: Int64(text).map(JSONValue.integer) ?? .string(text)
        case .dotted: .string(text)
        }
    }

    private func values(_ texts: [String], _ example: String) throws -> JSONObject {
        var object = JSONObject()
        for text in texts {
            let (name, value) = try assignment(text, example)
            guard object[name] == nil else { throw PathFault("\(legible(name)) is given twice.") }
            let json = try? JSONValue(parsing: Array(value.utf8))
            // An app that asks for a number is given nothing where a text stands.
            guard
                json != nil || value.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) == nil
            else {
                throw PathFault(
                    "\(legible(name)): \(value) is a number that is not whole, and those are not kept;"
                        + " for a text write \(legible(name))='\"\(value)\"'."
                )
            }
            object[name] = json ?? .string(value)
        }
        return object
    }
}

/// What is common to the edits of a list of offers.
struct OfferEditOptions: ParsableArguments {
    @Option(help: "The platform whose offers they are.")
    var platform: Platform
    @OptionGroup var list: ListChangeOptions
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions

    /// Proposes the edit that the platform's list, as it was read, asks for; `typed` says which one
    /// that is, where it depends on the list.
    func propose(
        _ output: Output,
        typed: JSONObject? = nil,
        _ edit: ([Offer]) throws -> OfferEdit
    ) async throws -> ExitStatus {
        let change = try list.change()
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            let seen = change.base.map(DocumentMoment.event) ?? .live
            let answer = try await client.call(Endpoints.getPrinceOfVersions, app.slug, seen.query)
            let offers = answer.offers[platform] ?? []
            let operation = Operation(platform, offers: try edit(offers))
            if offers.isEmpty {
                output.note(
                    "\(platform.name) had no offers of its own: from this change on none are"
                        + " derived from its thresholds and releases."
                )
            }
            return try await change.propose(
                operation,
                typed: typed,
                to: app,
                readAt: answer.position,
                client,
                submission,
                output
            )
        }
    }
}

/// `plimsoll offers add`: one more offer.
struct AddOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Propose one more offer.",
        discussion: """
            An offer with requirements comes in front, but behind those for newer systems; one \
            without requirements comes last. --at says another place.

            Examples:
              plimsoll offers add --platform ios --required 3.2 --os 17 \\
                --title "17 needs 3.2"
              plimsoll offers add --platform android --last 320 --metadata hard=true \\
                --title "Offer 320" --dry-run
            """
    )

    @OptionGroup var offer: OfferOptions
    @Option(help: "The place, from 0; what stands there or behind it moves back by one.")
    var at: Int?
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let offer = try offer.offer(on: edit.platform)
        let at = try at.map { try place($0, "--at") }
        let typed: JSONObject? =
            at == nil
            ? [
                "platform": .string(edit.platform.rawValue), "insert": .object(offer.json),
            ] : nil
        return try await edit.propose(output, typed: typed) { offers in
            .insert(offer, at: at ?? offers.place(for: offer))
        }
    }
}

/// `plimsoll offers replace`: another offer in the place of one.
struct ReplaceOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "replace",
        abstract: "Propose another offer in the place of one.",
        discussion: """
            Nothing of the old one is kept.

            For example:
              plimsoll offers replace 0 --platform ios --required 3.3 --os 17 \\
                --title "17 needs 3.3"
            """
    )

    @Argument(help: "Which one, by its place from 0.")
    var number: Int
    @OptionGroup var offer: OfferOptions
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (place, offer) = (try place(number, "The place"), try offer.offer(on: edit.platform))
        return try await edit.propose(output) { _ in .replace(place, with: offer) }
    }
}

/// `plimsoll offers move`: an offer elsewhere in the order.
struct MoveOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Propose another place for an offer.",
        discussion: """
            For example:
              plimsoll offers move 2 --to 0 --platform ios \\
                --title "Ask for the region first"
            """
    )

    @Argument(help: "Which one, by its place from 0.")
    var number: Int
    @Option(help: "Where it is to stand afterwards, from 0.")
    var to: Int
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let (from, to) = (try place(number, "The place"), try place(to, "--to"))
        return try await edit.propose(output) { _ in .move(from: from, to: to) }
    }
}

/// `plimsoll offers remove`: an offer less.
struct RemoveOfferCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Propose to remove an offer.",
        discussion: """
            Without any, offers are derived from thresholds and releases again.

            For example:
              plimsoll offers remove 1 --platform ios --title "3.1 is offered no more"
            """
    )

    @Argument(help: "Which one, by its place from 0.")
    var number: Int
    @OptionGroup var edit: OfferEditOptions
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        let place = try place(number, "The place")
        return try await edit.propose(output) { _ in .remove(place) }
    }
}

/// A place in a list, as an option or an argument.
func place(_ number: Int, _ what: String) throws -> Int {
    guard number >= 0 else { throw ValidationError("\(what) is \(number); places begin with 0.") }
    return number
}

/// `plimsoll offers`: a platform's own offers for clients of Prince of Versions, one by one.
struct OffersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "offers",
        abstract: "List a platform's own offers for Prince of Versions, or propose to edit one.",
        discussion: """
            A device is told the first offer that it meets; places are counted from 0. Whatever \
            is edited is a change that somebody else approves.

            For example: plimsoll offers list --platform ios
            """,
        subcommands: [
            ListOffersCommand.self, AddOfferCommand.self, ReplaceOfferCommand.self,
            MoveOfferCommand.self, RemoveOfferCommand.self,
        ]
    )
}

/// `plimsoll offers list`: what clients are told, in the order in which they look.
struct ListOffersCommand: PlimsollCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the offers of an app, or of one platform.",
        discussion: "For example: plimsoll offers list --platform ios"
    )

    @Option(help: "One platform; all that have offers of their own without it.")
    var platform: Platform?
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var output: OutputOptions

    func execute(_ output: Output) async throws -> ExitStatus {
        try await service.withClient { client in
            let answer = try await client.call(
                Endpoints.getPrinceOfVersions,
                try await app.slug(client)
            )
            let own = answer.offers.filter { platform == nil || $0.key == platform }
                .sorted { $0.key < $1.key }
            let rows = own.flatMap { platform, offers in
                offers.enumerated().map { ["\(platform)", "\($0)", legible($1.sentence)] }
            }
            let json: JSONObject = [
                "app": .string(answer.app.text), "position": JSONValue(answer.position),
                "offers": .object(
                    JSONObject(own.map { .init(key: $0.key.rawValue, value: JSONValue($0.value)) })
                ),
            ]
            output.show(Report(json, [.table(Table(["PLATFORM", "PLACE", "OFFER"], rows))]))
            if rows.isEmpty {
                output.note(
                    "There are no offers of its own; they are derived from thresholds and releases:"
                        + " plimsoll get --prince-of-versions"
                )
            }
            return .done
        }
    }
}
