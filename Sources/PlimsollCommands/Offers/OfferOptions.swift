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
    @OptionGroup var service: ServiceOptions
    @OptionGroup var app: AppOption
    @OptionGroup var submission: SubmissionOptions

    /// Proposes the edit that the platform's list, as it was read, asks for.
    func propose(
        _ output: Output,
        _ edit: ([Offer]) throws -> OfferEdit
    ) async throws -> ExitStatus {
        let title = try PlimsollCommands.title(title, "--title")
        let reason = try PlimsollCommands.reason(reason)
        return try await service.withClient { client in
            let app = try await app.resolve(client)
            let seen = base.map(DocumentMoment.event) ?? .live
            let answer = try await client.princeOfVersions(of: app.slug, at: seen)
            let offers = answer.offers[platform] ?? []
            let form = ProposalForm(
                title: title,
                reason: reason,
                base: base ?? answer.position,
                operations: [Operation(platform, offers: try edit(offers))]
            )
            if offers.isEmpty {
                output.note(
                    "\(platform.name) had no offers of its own: from this change on none are"
                        + " derived from its thresholds and releases."
                )
            }
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
